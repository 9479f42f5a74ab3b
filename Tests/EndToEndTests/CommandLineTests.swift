import DaemonHarness
import Foundation
import Glibc
import Testing

@Suite(.timeLimit(.minutes(3)))
struct `From its command line, locwatch` {
  @Test func `says that nothing listens there`() async throws {
    let port = try freePort()
    let result = try await Locwatch.run("-1", "localhost:\(port)")
    #expect(result.status == .exited(69) && result.output == "")
    #expect(
      result.errors.hasPrefix(
        "locwatch: localhost:\(port): no gpsd accepts connections there\n"))
  }

  /// Fault 3.
  @Test func `says that there is no such host`() async throws {
    let result = try await Locwatch.run("-1", "host.invalid")
    #expect(result.status == .exited(69) && result.output == "")
    #expect(result.errors.hasPrefix("locwatch: host.invalid: "))
  }

  /// Fault 2.
  @Test func `says that nobody answers there`() async throws {
    let backlog = try FullBacklog()
    let start = ContinuousClock.now
    let result = try await Locwatch.run("-1", "127.0.0.1:\(backlog.port)")
    let elapsed = ContinuousClock.now - start
    expect(elapsed, within: .seconds(4))
    #expect(result.status == .exited(69) && result.output == "")
    #expect(
      result.errors.hasPrefix(
        "locwatch: 127.0.0.1:\(backlog.port) does not answer: connection timed out\n"))
  }

  /// Fault 48: connecting is part of the timeout.
  @Test(arguments: [(["-t", "1"], 69), (["-1", "-t", "1"], 69), (["--duration", "1"], 0)])
  func `ends in time while it connects`(arguments: [String], status: Int) async throws {
    let backlog = try FullBacklog()
    try await expect(within: .seconds(3)) {
      let result = try await Locwatch.run(arguments + ["127.0.0.1:\(backlog.port)"])
      #expect(result.status == .exited(CInt(status)))
    }
  }

  @Test(arguments: [
    ("/nonexistent/tty", "No such file or directory"), ("/etc/passwd", "is not a serial device"),
    ("/tmp", "is not a serial device"),
  ])
  func `says that a device cannot be a receiver`(path: String, reason: String) async throws {
    let result = try await Locwatch.run(path)
    #expect(result.status == .exited(66) && result.output == "")
    #expect(result.errors.hasPrefix("locwatch: \(path)"))
    #expect(result.errors.contains(reason))
    guard path != "/nonexistent/tty" else { return }
    #expect(try await Locwatch.run("--doctor", path) == result)
  }

  /// Fault 84.
  @Test func `looks for a receiver again, while another source continues`() async throws {
    let impostor = try Impostor([.sendLines(Reports.version, Reports.fix(0)), .hold])
    let file = try TemporaryFile()
    let locwatch = try Locwatch.start("-j", "a=127.0.0.1:\(impostor.port)", "m=\(file.path)")
    _ = try await locwatch.output.waitForLine(containing: #""fix","source":"a""#)
    _ = try await locwatch.output.waitForLine(containing: #""source":"m","state":"no-device""#)
    _ = try await locwatch.errors.waitForLine(
      containing: "m: \(file.path): No such file or directory")
    try Data().write(to: URL(filePath: file.path))
    _ = try await locwatch.errors.waitForLine(containing: "m: \(file.path) is not a serial device")
    locwatch.signal(SIGINT)
    #expect(try await locwatch.waitForExit() == .exited(130))
  }

  /// A preloaded library has called setenv before main. `Tests/Checks/install.sh` does the same with
  /// the program of a release.
  @Test(.needsCompiler) func `finds its arguments when the environment was moved`() async throws {
    let library = try TemporaryFile()
    let source = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../Checks/moved-environment.c").standardizedFileURL.path
    let compiler = try ChildProcess(
      "/usr/bin/cc", ["-shared", "-fPIC", "-o", library.path, source])
    #expect(try await compiler.waitForExit(timeout: .seconds(60)) == .exited(0))
    let result = try await Locwatch.run(["--version"], environment: ["LD_PRELOAD": library.path])
    #expect(result == (try await Locwatch.run("--version")))
    #expect(result.status == .exited(0))
  }
}
