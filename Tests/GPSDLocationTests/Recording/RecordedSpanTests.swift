import LocationCore
import Testing

@testable import GPSDLocation

/// Fault 126.
@Suite struct RecordedSpanTests {
  private func time(_ seconds: Int) -> Timestamp {
    Timestamp(secondsSince1970: 1_790_000_000 + Int64(seconds))
  }

  private func stamp(_ seconds: Int) -> String { #"{"class":"LOCWATCH","t":\#(seconds).000}"# }

  private func fix(_ seconds: Int, mode: Int = 3) -> String {
    #"{"class":"TPV","device":"/dev/a","mode":\#(mode),"time":"\#(time(seconds))","lat":1,"lon":2}"#
  }

  private func span(_ lines: [String]) -> RecordedSpan {
    var dates = RecordedDates()
    dates.read(Array(lines.map { $0 + "\r\n" }.joined().utf8)[...])
    return dates.span
  }

  private func fixes(_ seconds: some Sequence<Int>, off: Int = 0) -> [String] {
    seconds.flatMap { [stamp($0), fix($0 + off)] }
  }

  @Test func `A date is believed after three fixes`() {
    #expect(
      span(fixes(0..<2))
        == {
          var span = RecordedSpan(); span.length = .seconds(1); return span
        }())
    let three = span(fixes(0..<3))
    #expect(three.dates == time(0)...time(2) && three.latest == time(2))
    #expect(three.length == .seconds(2) && three.datedLength == .seconds(2))
    func dates(ofMode mode: Int) -> ClosedRange<Timestamp>? {
      span((0..<9).flatMap { [stamp($0), fix($0, mode: mode)] }).dates
    }
    #expect(dates(ofMode: 1) == nil && dates(ofMode: 2) == time(0)...time(8))
    #expect(span([]) == RecordedSpan())
  }

  @Test(arguments: [(60, true), (61, false)])
  func `Dates agree that advance as the reception does`(delay: Int, agrees: Bool) {
    let lines = fixes([0, 1]) + [stamp(2 + delay), fix(2)]
    #expect((span(lines).dates != nil) == agrees)
    #expect((span(fixes([0, 1]) + [stamp(2), fix(2 + delay)]).dates != nil) == agrees)
  }

  @Test(arguments: [74 * 365 * 86_400, -1024 * 7 * 86_400])
  func `The dates are those of most of the recording`(off: Int) {
    let lines = fixes(0..<100) + fixes(100..<110, off: off) + fixes(110..<200)
    let span = span(lines)
    #expect(span.dates == time(0)...time(199))
    // It is unknown which is right.
    #expect(span.latest == time(max(199, 109 + off)))
    #expect(span.length == .seconds(199))
    let other = self.span(fixes(0..<10, off: off) + fixes(10..<100))
    #expect(other.dates == time(10)...time(99) && other.datedLength == .seconds(89))
  }

  @Test func `The date between fixes that are far apart is unknown`() {
    #expect(span(fixes([0, 600, 1200])).datedLength == .seconds(1200))
    #expect(span(fixes([0, 601, 1202])).datedLength == .seconds(1200))
    #expect(span(fixes([0, 601, 1202])).length == .seconds(1202))
  }

  @Test func `Each run in a file takes its time`() {
    let start = #"{"class":"LOCWATCH","t":0.000,"start":"2026-11-20T07:04:50.120Z"}"#
    #expect(span([start, stamp(100), start, stamp(20)]).length == .seconds(120))
    // A file that continues another one begins later.
    #expect(span([stamp(500), stamp(530)]).length == .seconds(30))
    let verbatim = #"{"class":"LOCWATCH","t":5.000,"verbatim":1}"#
    #expect(span([start, verbatim, stamp(900), stamp(6)]).length == .seconds(6))
  }

  @Test func `A recording that another program has written again is the same`() {
    let lines = fixes(0..<100, off: 7)
    let spaced = lines.map { $0.replacing("\":", with: "\": ").replacing(",\"", with: ", \"") }
    #expect(span(lines).dates != nil)
    #expect(span(spaced) == span(lines))
    let classLast = lines.map { line in
      guard let end = line.firstIndex(of: ",") else { return line }
      return "{" + line[line.index(after: end)...].dropLast() + "," + line[..<end].dropFirst() + "}"
    }
    #expect(span(classLast) == span(lines))
  }

  @Test func `More eras than are kept leave the longest`() {
    var lines = fixes(0..<1000)
    for lie in 0..<40 {
      let start = 1000 + lie * 3
      lines += fixes(start..<(start + 3), off: (lie + 1) * 1000)
    }
    #expect(span(lines).dates == time(0)...time(999))
  }

  @Test func `A gzip file has it in its header`() {
    var span = span(fixes(0..<100))
    let head: [UInt8] = [0x1F, 0x8B, 8, 4, 0, 0, 0, 0, 0, 3, 44, 0]
    func read(_ head: [UInt8]) -> RecordedSpan? { RecordedSpan(gzipHeader: head) }
    #expect(span.extraField.count == 44 && head.count + 44 == RecordedSpan.headerLength)
    #expect(read(head + span.extraField) == span)
    #expect(read(head + span.extraField.dropLast()) == nil)
    #expect(read([0x1F, 0x8B, 8, 0] + head.dropFirst(4) + span.extraField) == nil)
    #expect(read([0x1F, 0x8C] + head.dropFirst(2) + span.extraField) == nil)
    #expect(read(head + [0x41] + span.extraField.dropFirst()) == nil)
    span = RecordedSpan()
    #expect(read(head + span.extraField) == span)
    // Whatever stands there, nothing is reversed or negative.
    let odd = read(head + Array(span.extraField.prefix(4)) + [UInt8](repeating: 0xFF, count: 40))
    #expect(odd == nil)
  }
}
