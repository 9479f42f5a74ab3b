import DaemonHarness
import Glibc
import SimulatedReceiver
import Testing

/// A phone that sends what a receiver does, through a private gpsd. Faults 70 and 71.
@Suite(.needsGPSD, .timeLimit(.minutes(3)))
struct `A receiver on the network` {
  /// The sentences of a simulated receiver, by epochs.
  private static let epochs: [String] = {
    var scenario = Scenario.quick(Phase(1, .threeDimensional), route: .driving)
    scenario.start = ReceiverTime(year: 2026, month: 11, day: 20, hour: 7, minute: 5)
    return (0..<40).compactMap { scenario.epoch(at: $0) }.map { epoch in
      SentenceKind.allCases.flatMap { NMEASentence.sentences($0, of: epoch) }
        .map { "\($0.text)\r\n" }.joined()
    }
  }()

  private static func time(_ epoch: Int) -> String {
    "2026-11-20T07:05:0\(epoch / 10).\(epoch % 10)00Z"
  }

  private static func sending(_ numbers: Range<Int>) -> [ImpostorStep] {
    numbers.flatMap { [.send(epochs[$0]), .pause(.milliseconds(100))] }
  }

  /// Before the receiver was away, gpsd 3.22 does not report the first epoch, because only the next one shows
  /// where it ends.
  @Test func `goes away and comes back, and loses nothing that it sends then`() async throws {
    let phone = try Impostor(Self.sending(0..<20) + [.close], Self.sending(20..<40) + [.hold])
    let target = "tcp://127.0.0.1:\(phone.port)"
    let locwatch = try Locwatch.start("--json", target)
    var transcript = Transcript(of: locwatch)
    try await transcript.state("fix-3d")
    try await transcript.state("no-device")
    try await transcript.state("fix-3d")
    try await waitUntil("the last fix", timeout: .seconds(30)) {
      locwatch.output.text.contains(Self.time(39))
    }
    locwatch.signal(SIGINT)
    #expect(try await locwatch.waitForExit() == .exited(130))
    let fixes = try Transcript.records(in: locwatch.output.text).filter(\.isFix)
    let times = fixes.compactMap(\.time)
    #expect(times.suffix(20) == (20..<40).map(Self.time))
    #expect(times.dropLast(20).suffix(19) == (1..<20).map(Self.time))
    #expect(Set(fixes.map(\.device)) == [target])
    #expect(locwatch.errors.text.contains("locwatch: \(target) is away: closed by the receiver\n"))
    #expect(phone.clients.count == 2)
  }

  /// Records without the time at which they were received, which a replay can repeat a millisecond later.
  private static func withoutReception(_ output: String) -> String {
    output.replacing(#/"received":"[^"]*","age":[^,]*,/#, with: "")
  }

  @Test func `is one of several sources, and is recorded with its name`() async throws {
    let phone = try Impostor(Self.sending(0..<10) + [.hold])
    let other = try Impostor(Self.sending(10..<20) + [.hold])
    let file = try TemporaryFile()
    let target = "tcp://127.0.0.1:\(phone.port)"
    let arguments = ["--json", "--no-events", "-n", "5"]
    let live = try await Locwatch.run(
      arguments + [
        "--record", file.path, "phone=\(target)", "other=tcp://127.0.0.1:\(other.port)",
      ])
    let replay = try await Locwatch.run(arguments + ["--replay", file.path])
    let records = try Transcript.records(in: live.output)
    #expect(records.count == 10 && records.count { $0.device == target } == 5, "\(live.errors)")
    #expect(live.output.contains(#""source":"phone","device":"\#(target)""#))
    #expect(Self.withoutReception(replay.output) == Self.withoutReception(live.output))
    #expect(file.text.contains("\"device\":\"\(target)\""))
  }

  @Test func `that cannot be reached ends a run that asks once`() async throws {
    let result = try await Locwatch.run("--once", "tcp://127.0.0.1:1")
    #expect(result.status == .exited(69))
    #expect(
      result.errors
        == "locwatch: cannot reach tcp://127.0.0.1:1 (Connection refused); --reconnect waits for it\n"
    )
    #expect(result.output == "")
  }
}
