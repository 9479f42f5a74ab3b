import DaemonHarness
import Foundation
import SimulatedReceiver
import Testing

@Suite(
  .enabled(if: GPSDProcess.program != nil, "gpsd is not installed"), .timeLimit(.minutes(3)))
struct `The tool simulated-site` {
  private static let program = ChildProcess.builtProduct("simulated-site")
  private static let quick = ["--scenario", "still", "--rate", "10"]

  /// The port and the receivers of the line that says that the site is there.
  private func line(of tool: ChildProcess) async throws -> (port: Int, devices: [String]) {
    let line = try await tool.output.waitForLine { $0.contains("/") }
    let words = line.split(separator: " ")
    return (try #require(Int(words[0])), words.dropFirst().map(String.init))
  }

  private func waitForEnd(port: Int) async throws {
    try await waitUntil("end of gpsd") { (try? LoopbackClient(port: port)) == nil }
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func `prints gpsd's address once there are positions, and stops it on a signal`(
    signal: CInt
  ) async throws {
    let tool = try ChildProcess(Self.program, Self.quick)
    let (port, devices) = try await line(of: tool)
    #expect(devices.count == 1 && devices[0].hasPrefix("/dev/pts/"))
    let client = try LoopbackClient(port: port)
    try client.send(#"?WATCH={"enable":true,"json":true};"#)
    _ = try await client.output.waitForLine { $0.contains(#""lat":"#) && $0.contains(devices[0]) }
    tool.signal(signal)
    #expect(try await tool.waitForExit() == .exited(0))
    #expect(throws: (any Error).self) { try LoopbackClient(port: port) }
    #expect(tool.output.lines == ["\(port) \(devices[0])"])
    #expect(tool.errors.text == "")
  }

  @Test func `has several receivers, and the requested port`() async throws {
    let port = try freePort()
    let tool = try ChildProcess(
      Self.program, Self.quick + ["--receivers", "3", "--port", "\(port)"])
    let site = try await line(of: tool)
    #expect(site.port == port)
    #expect(Set(site.devices).count == 3)
    tool.signal(SIGTERM)
    #expect(try await tool.waitForExit() == .exited(0))
  }

  @Test func `leaves no gpsd behind when it is killed`() async throws {
    let tool = try ChildProcess(Self.program, Self.quick)
    let (port, _) = try await line(of: tool)
    tool.signal(SIGKILL)
    try await waitForEnd(port: port)
  }

  @Test func `ends with the process that started it`() async throws {
    let shell = try ChildProcess(
      "bash", ["-c", #""$0" "$@" & wait"#, Self.program] + Self.quick)
    let (port, _) = try await line(of: shell)
    shell.signal(SIGKILL)
    try await waitForEnd(port: port)
    // Its output is closed when the tool has ended, too.
    #expect(try await shell.waitForExit() == .signalled(SIGKILL))
  }

  @Test func `runs the requested gpsd, and ends with it`() async throws {
    let other = "/tmp/locwatch-gpsd-\(UUID().uuidString)"
    try FileManager.default.createSymbolicLink(
      atPath: other, withDestinationPath: try #require(GPSDProcess.program))
    defer { unlink(other) }
    let tool = try ChildProcess(Self.program, Self.quick + ["--gpsd", other])
    _ = try await line(of: tool)
    let gpsd = try #require(
      FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap(pid_t.init).first {
        FileManager.default.contents(atPath: "/proc/\($0)/cmdline")?.starts(with: other.utf8)
          == true
      })
    kill(gpsd, SIGKILL)
    #expect(try await tool.waitForExit() == .exited(1))
    #expect(tool.errors.text.hasPrefix("simulated-site: gpsd ended"))
  }

  @Test func `uses no port of another gpsd`() async throws {
    let gpsd = try await GPSDProcess.start()
    let tool = try ChildProcess(Self.program, Self.quick + ["--port", "\(gpsd.port)"])
    #expect(try await tool.waitForExit() == .exited(1))
    #expect(tool.output.text == "")
    #expect(tool.errors.text.hasPrefix("simulated-site: gpsd ended"))
  }

  @Test func `reports that gpsd is missing`() async throws {
    let tool = try ChildProcess(Self.program, ["--gpsd", "/nonexistent/gpsd"])
    #expect(try await tool.waitForExit() == .exited(1))
    #expect(tool.output.text == "")
    #expect(tool.errors.text.contains("/nonexistent/gpsd"))
  }

  @Test(arguments: [
    (["--receivers", "5"], "--receivers: '5' is not in 1...4"),
    (["--port", "65536"], "--port: '65536' is not in 0...65535"),
    (["--link", "/tmp/x", "--receivers", "2"], "--link is for one receiver"),
    (["--scenario", "unplug"], "scenario 'unplug' needs --link: its pseudo-terminal changes"),
    (["--tcp"], "unknown argument '--tcp'"),
  ])
  func `refuses invalid arguments`(arguments: [String], words: String) async throws {
    let tool = try ChildProcess(Self.program, arguments)
    #expect(try await tool.waitForExit() == .exited(64))
    #expect(tool.output.text == "")
    #expect(tool.errors.lines == ["simulated-site: \(words)", "Try --help."])
  }
}
