import LocationCore
import TestSupport
import Testing

@testable import GPSDLocation

@Suite struct `The turns of a replay` {
  @Test func `begin again, by the real clock too, when they are rewound`() throws {
    let file = try TemporaryFile(#"{"class":"LOCWATCH","t":5.000}"# + "\na\n")
    let recording = try RecordingFile(path: FilePath(file.path))
    var turns = ReplayTurns([RecordingReader(.files([recording]))], maximumSources: 1)
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

  @Test func `of one moment are all handled before the others see its time`() {
    let lines =
      #"{"class":"LOCWATCH","t":0.000,"start":"2026-07-20T07:05:00.000Z"}"#
      + "\n{\"class\":\"LOCWATCH\",\"t\":1.000}\na\n{\"class\":\"LOCWATCH\",\"t\":2.000}\nb\n"
    let recording = Array(lines.utf8)
    var turns = ReplayTurns(
      RecordingReader.readers(of: [recording, recording]), maximumSources: 2)
    func take(_ source: Int, at moment: Moment) {
      guard case .due(source, moment, _) = turns.outlook() else {
        Issue.record("not the turn of \(source) at \(moment)")
        return
      }
      _ = turns.take(for: source, at: moment)
    }
    turns.wait(0, until: nil)
    turns.wait(1, until: nil)
    take(0, at: .at(1))
    #expect(turns.visibleTime == .at(0))
    turns.wait(0, until: .at(1))
    take(1, at: .at(1))
    turns.wait(1, until: nil)
    // What the first one waits for until the same moment.
    take(0, at: .at(1))
    #expect(turns.visibleTime == .at(0))
    turns.wait(0, until: nil)
    take(0, at: .at(2))
    #expect(turns.visibleTime == .at(1))
    turns.wait(0, until: nil)
    take(1, at: .at(2))
    turns.wait(1, until: nil)
    #expect(turns.visibleTime == .at(1))
    for source in 0...1 {
      guard case .over = turns.outlook(for: source) else {
        Issue.record("not over")
        return
      }
      // It has ended, and handles that.
      turns.end(source)
      guard case .busy = turns.outlook() else {
        Issue.record("not busy")
        return
      }
    }
    #expect(turns.close(0) == nil)
    #expect(turns.visibleTime == .at(1))
    #expect(turns.close(1) == nil)
    #expect(turns.visibleTime == .at(2))
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
      [RecordingReader(.bytes(lines), range: end, namesSources: true)], maximumSources: 3)
    var ends: [Int] = []
    while case .due(let source, let moment, _) = turns.outlook() {
      if case .timedOut(.at(6))? = turns.take(for: source, at: moment) { ends.append(source) }
      turns.wait(source, until: nil)
    }
    // The sources are numbered as they appeared: b, c, a.
    #expect(ends == [2, 0, 1])
  }
}
