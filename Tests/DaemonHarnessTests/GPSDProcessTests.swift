import DaemonHarness
import Foundation
import SimulatedReceiver
import Testing

@Suite(
  .enabled(if: GPSDProcess.program != nil, "gpsd is not installed"), .timeLimit(.minutes(3)))
struct `A gpsd of a test's own` {
  private let watch = #"?WATCH={"enable":true,"json":true};"#

  @Test func `is the first one in PATH`() throws {
    let folder = "/tmp/locwatch-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try FileManager.default.createSymbolicLink(
      atPath: folder + "/gpsd", withDestinationPath: "/bin/true")
    #expect(GPSDProcess.find(path: "/none:\(folder):/usr/bin") == folder + "/gpsd")
  }

  @Test(arguments: [
    ("OK\n", true), ("{\"class\":\"ACK\"}\r\n", true), ("ERROR\n", false),
    ("{\"class\":\"ERROR\"}\r\n", false), ("", false),
  ])
  func `confirms a command in the way of its release`(answer: String, isDone: Bool) {
    #expect(ControlSocket.isDone(Array(answer.utf8)) == isDone)
  }

  @Test func `answers nothing while it is stopped`() async throws {
    let gpsd = try await GPSDProcess.start()
    let client = try LoopbackClient(port: gpsd.port)
    _ = try await client.output.waitForLine(containing: "VERSION")
    gpsd.signal(SIGSTOP)
    try await waitUntil("stop of gpsd") { processState(gpsd.identifier) == "T" }
    try client.send("?DEVICES;")
    gpsd.signal(SIGCONT)
    #expect(try await client.output.waitForLine(containing: "DEVICES").contains(#""devices":[]"#))
  }

  @Test func `reads a receiver that returns at its path, once a client sends something`()
    async throws
  {
    let folder = "/tmp/locwatch-sim-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let receiver = try SimulatedReceiver(.drive, link: "\(folder)/gps0")
    let gpsd = try await GPSDProcess.start([receiver.path])
    try await waitUntil("gpsd has opened the receiver") { receiver.isOpen }
    let client = try LoopbackClient(port: gpsd.port)
    try client.send(watch)
    let feeding = Task { try await receiver.run(speed: 20) }
    defer { feeding.cancel() }
    _ = try await client.output.waitForLine(containing: #""class":"TPV""#)

    let deafness = GPSDProcess.deafness(afterHangUpAt: .now.advanced(byMilliseconds: 1000))
    receiver.unplug()
    try receiver.plugIn()
    let seen = client.output.lines.count
    try await waitUntil("gpsd has opened the receiver again", timeout: .seconds(deafness + 10)) {
      // Told again and again: the first time gpsd notices the hang-up at most.
      try client.send("?VERSION;")
      return receiver.isOpen
    }
    _ = try await client.output.waitForLine(after: seen, timeout: .seconds(20)) {
      $0.contains(#""class":"TPV""#) && $0.contains(#""mode":3"#)
    }
  }

  @Test(arguments: [
    (1_795_165_361, 0), (1_795_165_312, 1), (1_795_165_407, 34), (1_795_165_428, 13),
    (1_795_165_510, 59),
  ])
  func `is deaf to a replug until the nearest multiple of 128 s`(hangUp: Int64, seconds: Int) {
    let time = ReceiverTime(millisecondsSince1970: hangUp * 1000)
    #expect(GPSDProcess.deafness(afterHangUpAt: time) == seconds)
  }

  @Test func `leaves no process and no shared memory behind`() async throws {
    var gpsd: GPSDProcess? = try await GPSDProcess.start()
    let identifier = try #require(gpsd?.identifier)
    let key = try #require(gpsd?.sharedMemoryKey)
    gpsd = nil
    try await waitUntil("end of gpsd") { kill(identifier, 0) != 0 }
    #expect(shmget(key, 0, 0) < 0)
  }

  private func processState(_ identifier: pid_t) -> String? {
    let text = try? String(contentsOfFile: "/proc/\(identifier)/stat", encoding: .utf8)
    return text?.split(separator: ")").last?.split(separator: " ").first.map(String.init)
  }
}
