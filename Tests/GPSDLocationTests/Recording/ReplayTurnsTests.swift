import LocationCore
import TestSupport
import Testing

@testable import GPSDLocation

@Suite struct `The turns of a replay` {
  @Test func `begin again, by the real clock too, when they are rewound`() throws {
    let file = try TemporaryFile(#"{"class":"LOCWATCH","t":5.000}"# + "\na\n")
    let recording = try RecordingFile(path: FilePath(file.path))
    var turns = ReplayTurns(RecordingReader(.files([recording])), maximumSources: 1)
    func due(_ moment: Moment) -> Moment {
      turns.realMoment(of: moment, at: .at(150), .recorded(speed: 1))
    }
    // What is not begun is due in as long as it takes.
    #expect(due(.at(7)) == .at(152))
    for _ in 0..<2 {
      turns.rewind(at: .at(100))
      #expect(turns.now == .at(5))
      #expect(due(.at(5)) == .at(100))
      #expect(due(.at(7)) == .at(102))
      turns.wait(0, until: .at(5.5))
      guard case .due(0, .at(5), before: .at(5)) = turns.outlook(for: 0) else {
        Issue.record("not the first line")
        return
      }
      #expect(turns.take(for: 0, at: .at(6)) == nil)
      guard case .value(let lines, at: .at(5)) = turns.take(for: 0, at: .at(5)) else {
        Issue.record("no lines")
        return
      }
      #expect(lines.map(Lines.text) == ["a\n"])
      turns.wait(0, until: nil)
      guard case .over = turns.outlook(for: 0) else {
        Issue.record("not over")
        return
      }
      #expect(turns.isOver)
    }
  }

  @Test func `come to the end of a part for each source, in the order of names`() throws {
    func stamp(_ seconds: Int, _ source: String) -> String {
      #"{"class":"LOCWATCH","t":\#(seconds).000,"start":"2026-07-20T07:05:00.000Z","#
        + #""source":"\#(source)"}"#
    }
    let end = RecordedRange(to: .time(try #require(Timestamp(iso8601: "2026-07-20T07:05:06Z"))))
    let lines = [
      stamp(0, "b"), "b", stamp(1, "c"), "c", stamp(2, "a"), "a", stamp(8, "b"), "late",
    ].recording
    var turns = ReplayTurns(
      RecordingReader(.bytes(lines), range: end, namesSources: true), maximumSources: 3)
    var ends: [Int] = []
    while case .due(let source, let moment, _) = turns.outlook() {
      if case .timedOut(.at(6))? = turns.take(for: source, at: moment) { ends.append(source) }
      turns.wait(source, until: nil)
    }
    // The sources are numbered as they appeared: b, c, a.
    #expect(ends == [2, 0, 1])
  }
}
