import DaemonHarness
import Foundation
import Glibc
import SimulatedReceiver
import Testing

/// Fault 34.
@Suite(.serialized, .needsGPSD, .timeLimit(.minutes(2)))
struct `A private gpsd` {
  /// The gpsd that reads a receiver.
  private func daemon(of receiver: SimulatedReceiver) throws -> pid_t? {
    try FileManager.default.contentsOfDirectory(atPath: "/proc").lazy.compactMap { pid_t($0) }
      .first { identifier in
        let words = FileManager.default.contents(atPath: "/proc/\(identifier)/cmdline") ?? Data()
        let arguments = words.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
        return arguments.first?.hasSuffix("/gpsd") == true && arguments.last == receiver.path
      }
  }

  /// locwatch with a gpsd of its own, and a first fix.
  private func start(
    _ receiver: SimulatedReceiver
  ) async throws -> (locwatch: ChildProcess, transcript: Transcript, daemon: pid_t) {
    let locwatch = try Locwatch.start("--json", receiver.path)
    var transcript = Transcript(of: locwatch)
    try await transcript.state("fix-3d", of: receiver.path, timeout: .seconds(30))
    let daemon = try #require(try daemon(of: receiver))
    return (locwatch, transcript, daemon)
  }

  @Test(arguments: [SIGINT, SIGKILL])
  func `gives fixes, and goes with locwatch`(signal: CInt) async throws {
    let receiver = try SimulatedReceiver(.standing)
    let feeding = Feeding(receiver)
    let (locwatch, _, daemon) = try await start(receiver)
    locwatch.signal(signal)
    let status = try await locwatch.waitForExit()
    #expect(status == (signal == SIGKILL ? .signalled(SIGKILL) : .exited(130)))
    try await waitUntil("end of gpsd") { kill(daemon, 0) != 0 }
    #expect(try self.daemon(of: receiver) == nil)
    withExtendedLifetime(feeding) {}
  }

  @Test func `is started again when it dies`() async throws {
    let receiver = try SimulatedReceiver(.standing)
    let feeding = Feeding(receiver)
    var (locwatch, transcript, daemon) = try await start(receiver)
    kill(daemon, SIGKILL)
    let gone = try await transcript.state("no-daemon")
    #expect(gone.previous == "fix-3d" && gone.retryIn.map { 0.8...1.2 ~= $0 } == true)
    try await transcript.state("fix-3d", timeout: .seconds(30))
    let other = try #require(try self.daemon(of: receiver))
    #expect(other != daemon)
    locwatch.signal(SIGTERM)
    #expect(try await locwatch.waitForExit() == .exited(143))
    try await waitUntil("end of gpsd") { kill(other, 0) != 0 }
    withExtendedLifetime(feeding) {}
  }

  @Test func `gives one fix to --once, and is gone`() async throws {
    let receiver = try SimulatedReceiver(.standing)
    let feeding = Feeding(receiver)
    let result = try await Locwatch.run(["--once", receiver.path], timeout: .seconds(40))
    #expect(
      result
        == .init(status: .exited(0), output: "48.118633333 11.517333333 545.4\n", errors: ""))
    try await waitUntil("end of gpsd") { try daemon(of: receiver) == nil }
    withExtendedLifetime(feeding) {}
  }

  @Test func `that does not start is given up, and how to find out why is said`() async throws {
    let receiver = try SimulatedReceiver(.standing)
    let folder = "/tmp/locwatch-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try FileManager.default.createSymbolicLink(
      atPath: folder + "/gpsd", withDestinationPath: "/bin/false")
    let path = folder + ":/usr/bin:/bin"
    let result = try await Locwatch.run(["--once", receiver.path], environment: ["PATH": path])
    #expect(result.status == .exited(69) && result.output == "", "\(result)")
    #expect(
      result.errors.hasPrefix(
        "locwatch: gpsd does not start: try '\(folder)/gpsd -N -n -D 1 \(receiver.path)'\n"),
      "\(result.errors)")
  }
}
