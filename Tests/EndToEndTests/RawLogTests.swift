import DaemonHarness
import Foundation
import GPSDLocation
import SimulatedReceiver
import Testing

/// What a receiver sent, through a private gpsd.
@Suite(.serialized, .needsGPSD, .timeLimit(.minutes(3)))
struct `A replay of what a receiver sent` {
  /// The sentences of a simulated receiver.
  private func log(of epochs: Int) throws -> String {
    var scenario = Scenario.quick(Phase(1, .threeDimensional), route: .driving)
    scenario.start = ReceiverTime(year: 2026, month: 11, day: 20, hour: 7, minute: 5)
    return (0..<epochs).compactMap { scenario.epoch(at: $0) }
      .flatMap { epoch in SentenceKind.allCases.flatMap { NMEASentence.sentences($0, of: epoch) } }
      .map { "\($0.text)\r\n" }.joined()
  }

  @Test func `has every fix, and the name of the file`() async throws {
    let file = try TemporaryFile(Array(try log(of: 300).utf8))
    let result = try await Locwatch.run("-j", "--no-events", "--replay", file.path)
    #expect(result.status == .exited(0), "\(result.errors)")
    let fixes = try Transcript.records(in: result.output)
    #expect(fixes.count == 300)
    #expect(Set(fixes.map(\.time)).count == 300)
    #expect(Set(fixes.map(\.device)) == [file.path])
    // The same each time, although each has another terminal.
    let again = try await Locwatch.run("-j", "--no-events", "--replay", file.path)
    #expect(again == result)
  }

  @Test(
    .enabled(if: !ReceiverLog.handful.isEmpty, ReceiverLog.whyNone), arguments: ReceiverLog.handful)
  func `has the fixes that gpsd reported of it`(log: ReceiverLog) async throws {
    let raw = try await Locwatch.run(["-f", "%time %lat %lon", "--replay", log.path])
    let reported = try await Locwatch.run(["-f", "%time %lat %lon", "--replay", log.reports])
    #expect(raw == reported)
  }

  @Test func `ends with --count, and leaves no gpsd behind`() async throws {
    let file = try TemporaryFile(Array(try log(of: 2000).utf8))
    let result = try await Locwatch.run("-f", "geo", "-n", "3", "--replay", file.path)
    #expect(result.status == .exited(0))
    #expect(result.output.split(separator: "\n").count == 3)
  }
}
