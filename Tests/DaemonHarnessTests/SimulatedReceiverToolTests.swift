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
  func `prints its path, feeds each reader, and ends on a signal`(signal: CInt) async throws {
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

  @Test func `can be on the network`() async throws {
    let tool = try tool("--tcp", "--scenario", "still", "--rate", "100")
    let address = try await tool.output.waitForLine { $0.hasPrefix("tcp://127.0.0.1:") }
    let port = address.dropFirst("tcp://127.0.0.1:".count)
    let reader = try ChildProcess(
      "bash", ["-c", "exec 3<>/dev/tcp/127.0.0.1/\(port); head -n 20 <&3"])
    #expect(try await reader.waitForExit() == .exited(0))
    #expect(reader.output.lines.contains { $0.hasPrefix("$GPRMC,") })
    tool.signal(SIGTERM)
    #expect(try await tool.waitForExit() == .exited(0))
    #expect(tool.output.lines == [address])
  }

  @Test func `ends after its epochs, and removes its link`() async throws {
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
    (["--scenario", "x"], "no scenario 'x': simulated-receiver --list shows them"),
    (["--rate", "1000"], "--rate: '1000' is not in 0.1...100.0"),
    (["--epochs"], "--epochs needs a value"),
    (["--exec"], "unknown argument '--exec'"),
    (["--tcp", "--epochs", "3"], "--tcp goes on for ever, and has no link"),
    (["--scenario", "unplug"], "scenario 'unplug' needs --link: its pseudo-terminal changes"),
  ])
  func `refuses invalid arguments`(arguments: [String], words: String) async throws {
    let tool = try ChildProcess(ChildProcess.builtProduct("simulated-receiver"), arguments)
    #expect(try await tool.waitForExit() == .exited(64))
    #expect(tool.output.text == "")
    #expect(tool.errors.lines == ["simulated-receiver: \(words)", "Try --help."])
  }
}
