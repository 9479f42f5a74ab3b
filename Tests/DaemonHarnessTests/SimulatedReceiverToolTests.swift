import DaemonHarness
import Foundation
import SimulatedReceiver
import Testing

@Suite(.timeLimit(.minutes(3))) struct `The tool simulated-receiver` {
  private func tool(_ arguments: String...) throws -> ChildProcess {
    try ChildProcess(ChildProcess.builtProduct("simulated-receiver"), arguments)
  }

  @Test func `lists the scenarios`() async throws {
    let tool = try tool("--list")
    #expect(try await tool.waitForExit() == .exited(0))
    let names = tool.output.lines.map { $0.prefix { $0 != " " } }
    #expect(names == Scenario.named.map { $0.name[...] })
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func `says where it is, feeds who opens it, and ends when told`(signal: CInt) async throws {
    let tool = try tool("--scenario", "still", "--rate", "100")
    let path = try await tool.output.waitForLine { $0.hasPrefix("/dev/pts/") }
    let reader = try ChildProcess("head", ["-n", "20", path])
    #expect(try await reader.waitForExit() == .exited(0))
    #expect(reader.output.lines.contains { $0.hasPrefix("$GPRMC,") })
    tool.signal(signal)
    #expect(try await tool.waitForExit() == .exited(0))
    #expect(tool.output.lines == [path])
    #expect(tool.errors.text == "")
  }

  @Test func `ends after its epochs, and takes its link away`() async throws {
    let link = "/tmp/locwatch-sim-\(UUID().uuidString)/gps0"
    defer {
      try? FileManager.default.removeItem(atPath: (link as NSString).deletingLastPathComponent)
    }
    let tool = try tool("--link", link, "--rate", "50", "--epochs", "10")
    #expect(try await tool.waitForExit() == .exited(0))
    #expect(tool.output.lines == [link])
    #expect(!FileManager.default.fileExists(atPath: link))
  }

  @Test(arguments: [
    (["--scenario", "x"], "no scenario 'x': --list shows them"),
    (["--rate", "1000"], "--rate: '1000' is not in 0.1...100.0"),
    (["--epochs"], "--epochs needs a value"),
    (["--exec"], "unknown argument '--exec'"),
    (["--scenario", "unplug"], "scenario 'unplug' needs --link: its pseudo-terminal changes"),
  ])
  func `refuses what makes no sense`(arguments: [String], words: String) async throws {
    let tool = try ChildProcess(ChildProcess.builtProduct("simulated-receiver"), arguments)
    #expect(try await tool.waitForExit() == .exited(64))
    #expect(tool.output.text == "")
    #expect(tool.errors.lines == ["simulated-receiver: \(words)", "Try --help."])
  }
}
