@testable import GPSDLocation
import GPSDProtocol
import LocationCore
import Testing

@Suite struct `Times in a recording` {
  private let start = Timestamp(secondsSince1970: 1_795_158_290, nanoseconds: 120_000_000)

  private func written(_ time: RecordingTimestamp) -> String {
    var bytes: [UInt8] = []
    time.append(to: &bytes)
    return Lines.text(bytes[...])
  }

  /// python-gps takes nothing for JSON that does not end like gpsd's own lines.
  @Test func `are written as a line that gpsd's tools read over`() {
    #expect(
      written(RecordingTimestamp(elapsed: .milliseconds(12_345)))
        == #"{"class":"LOCWATCH","t":12.345}"#
        + "\r\n")
    #expect(
      written(RecordingTimestamp(elapsed: .zero, start: start))
        == #"{"class":"LOCWATCH","t":0.000,"start":"2026-11-20T07:04:50.120Z"}"# + "\r\n")
  }

  @Test(arguments: [0, 1, 999, 1000, 12_345, 86_400_007, 4_294_967_295_999])
  func `come back to the millisecond`(milliseconds: Int64) {
    for (start, isBeforeVerbatimLine) in [(nil, false), (start, false), (start, true), (nil, true)]
    {
      let time = RecordingTimestamp(
        elapsed: .milliseconds(milliseconds), start: start,
        isBeforeVerbatimLine: isBeforeVerbatimLine)
      let written = Array(written(time).utf8)
      #expect(RecordingTimestamp(line: written[...]) == time)
      // Recordings of locwatch 0.1 have only an LF.
      #expect(RecordingTimestamp(line: written.dropLast(2) + [0x0A]) == time)
    }
  }

  @Test func `end after 136 years`() {
    for elapsed in [
      Duration.milliseconds(4_294_967_295_999), .seconds(4_294_967_296), .nanoseconds(Int64.max),
    ] {
      #expect(
        written(RecordingTimestamp(elapsed: elapsed)) == #"{"class":"LOCWATCH","t":4294967295.999}"#
          + "\r\n")
    }
  }

  @Test(arguments: [(true, 1), (false, 0)])
  func `say whether something kept the clock right`(isSynchronized: Bool, digit: Int) {
    let time = RecordingTimestamp(
      elapsed: .zero, start: start, isClockSynchronized: isSynchronized, source: "a", lostLines: 3)
    let line =
      #"{"class":"LOCWATCH","t":0.000,"start":"2026-11-20T07:04:50.120Z","sync":\#(digit),"source":"a","lost":3}"#
    #expect(written(time) == line + "\r\n")
    #expect(RecordingTimestamp(line: Lines.bytes(line)) == time)
    let other = line.replacing(#""sync":\#(digit)"#, with: #""sync":2"#)
    #expect(RecordingTimestamp(line: Lines.bytes(other)) == nil)
    let without = RecordingTimestamp(elapsed: .zero, isClockSynchronized: isSynchronized)
    #expect(without == RecordingTimestamp(elapsed: .zero))
  }

  @Test(arguments: [
    "", #"{"class":"TPV"}"#, #"{"class":"LOCWATCH","t":"#, #"{"class":"LOCWATCH","t":12.345"#,
    #"{"class":"LOCWATCH","t":"12.345"}"#, #"{"class":"LOCWATCH"}"#,
    #"{"class":"LOCWATCH","t":4294967296}"#, #"{"class":"LOCWATCH","t":1e400}"#,
    #"{"class":"LOCWATCH","t":1.000,"t":2.000}"#, #"{"class":"LOCWATCH","t":1.000,"lost":-1}"#,
    #"{"class":"LOCWATCH","t":1.000,"lost":1.5}"#, #"{"class":"LOCWATCH","t":1.000,"source":7}"#,
    #"{"class":"LOCWATCH","class":"TPV","t":1.5}"#, #"[{"class":"LOCWATCH","t":1.5}]"#,
    #"{"class":"LOCWATCH_LINK","t":1.5}"#, #"{"class":"LOC\u0057ATCH","t":1.5}"#,
    #"{"class":"LOCWATCH","t":1..345}"#, #"{"class":"LOCWATCH","t":.1.345}"#,
    #"{"class":"LOCWATCX","t":12.345}"#, #"{"klass":"LOCWATCH","t":12.345}"#,
    #"{"class":"LOCWATCH","t":-1.000}"#, #"{"class":"LOCWATCH","t":1.000,"lost":}"#,
    #"{"class":"LOCWATCH","t":0.000,"start":"2026-11-20T07:04"#,
    #"{"class":"LOCWATCH","t":0.000,"start":"soon"}"#,
  ])
  func `have no other meaning, and are not torn`(line: String) {
    #expect(RecordingTimestamp(line: Lines.bytes(line)) == nil)
  }

  @Test func `before the beginning there is none`() {
    #expect(
      written(RecordingTimestamp(elapsed: .milliseconds(-500)))
        == #"{"class":"LOCWATCH","t":0.000}"#
        + "\r\n")
  }

  @Test(arguments: [
    ("", true), (#"{"class":"LOCWATCH","t":1.000,"verbatim":1}"# + "\r\n", true),
    (#"{"class":"LOCWATCH","t":1.000,"verbatim":1}"#, true),
    (#"{"class":"LOCWATCH","t":1.000,"verbatim":1}"# + "\n", true),
    (#"{"class":"LOCWATCH","t":1.000,"verbatim":1"#, false),
    (#"{"class":"LOCWATCH","t":1.000}"# + "\r\n", false), ("x", false),
  ])
  func `before a verbatim line are known by their end`(text: String, isBefore: Bool) {
    let end = Array(text.utf8.suffix(RecordingTimestamp.verbatimTail.count))
    #expect(RecordingTimestamp.couldPrecedeVerbatimLine(end) == isBefore)
  }

  @Test(arguments: [
    (#""lost":0"#, 0), (#""lost":9"#, 9), (#""lost":1234567890"#, 1_234_567_890),
  ])
  func `may say that lines are missing in any number`(member: String, count: Int) {
    let line = #"{"class":"LOCWATCH","t":1.000,\#(member)}"#
    #expect(
      RecordingTimestamp(line: Lines.bytes(line))
        == RecordingTimestamp(elapsed: .seconds(1), lostLines: count))
    let torn = #"{"class":"LOCWATCH","t":1.000,\#(member)"#
    #expect(RecordingTimestamp(line: Lines.bytes(torn)) == nil)
    // More than a number can hold is no number.
    let other = #"{"class":"LOCWATCH","t":1.000,"lost":99999999999999999999}"#
    #expect(RecordingTimestamp(line: Lines.bytes(other)) == nil)
  }

  private static let forms: [(line: String, milliseconds: Int64)] = [
    (#"{"class":"LOCWATCH","t":0}"#, 0), (#"{"class":"LOCWATCH","t":0.0}"#, 0),
    (#"{"class":"LOCWATCH","t":-0.0}"#, 0), (#"{"class":"LOCWATCH","t":12.3}"#, 12_300),
    (#"{"class":"LOCWATCH","t":1e1}"#, 10_000), (#"{"class":"LOCWATCH","t":12345E-3}"#, 12_345),
    (#"{"class":"LOCWATCH","t":4294967295.999}"#, 4_294_967_295_999),
    (#"{"class":"LOCWATCH","t":0.0294999}"#, 29), (#"{"class": "LOCWATCH", "t": 8.029}"#, 8029),
    ("\t{ \"class\" :\t\"LOCWATCH\" , \"t\" : 1.5 } ", 1500),
    (#"{"t":1.5,"class":"LOCWATCH"}"#, 1500), (#"{"x":[1],"t":1.5,"class":"LOCWATCH"}"#, 1500),
    (#"{"class":"LOCWATCH","t":1.500,"later":{"t":2}}"#, 1500),
  ]

  /// As jq and Python write them.
  @Test(arguments: forms.map { ($0.line, $0.milliseconds) })
  func `are read in any form of JSON`(line: String, milliseconds: Int64) {
    #expect(
      RecordingTimestamp(line: Lines.bytes(line))
        == RecordingTimestamp(elapsed: .milliseconds(milliseconds)))
  }

  @Test func `are read in any form with all members`() {
    let line =
      #"{"verbatim": 1, "lost": 3, "source": "b\u006fat \u00e9", "#
      + #""sync": 0, "start": "2026-11-20T07:04:50.120Z", "t": 61.002, "class": "LOCWATCH"}"#
    let time = RecordingTimestamp(
      elapsed: .milliseconds(61_002), start: start, isClockSynchronized: false, source: "boat é",
      lostLines: 3, isBeforeVerbatimLine: true)
    #expect(RecordingTimestamp(line: Lines.bytes(line)) == time)
    let target = #"{"class": "LOCWATCH", "t": 0, "source": "http://u:p@h/", "verbatim": 0}"#
    #expect(
      RecordingTimestamp(line: Lines.bytes(target))
        == RecordingTimestamp(elapsed: .zero, source: "http://***@h/"))
  }
}

@Suite struct `A line of a recording` {
  private static let kinds: [(line: String, kind: OwnLine?)] = [
    (#"{"class":"LOCWATCH","t":"#, .timestamp), (#"{"class":"LOCWATCH""#, .timestamp),
    (#"{"class":"LOCWATCH"}"#, .timestamp), (#"{"class": "LOCWATCH","t"#, .timestamp),
    (#" {"t":1,"class":"LOCWATCH"}"#, .timestamp),
    (#"{"source":"WEST","t":1,"class":"LOCWATCH"}"#, .timestamp),
    (#"{"class":"LOCWATCH_LINK","state":"lost"}"#, .link),
    (#"{"state":"lost", "class": "LOCWATCH_LINK"}"#, .link),
    (#"{"class":"LOCWATCH_CORRECTIONS"}"#, .corrections), (#"{"class":"LOCWATCH_X"}"#, .other),
    (#"{"class":"LOCWATCH"#, nil), (#"{"class":"LOCWATCHES"}"#, nil), (#"{"class":"LOC"}"#, nil),
    (#"{"class":"TPV","device":"LOCWATCH"}"#, nil), (#"{"class": "TPV","x":"LOCWATCH"}"#, nil),
    (#"{"class":"XLOCWATCH"}"#, nil), (#"{"klass":"LOCWATCH"}"#, nil), ("LOCWATCH", nil),
    ("\n\n", nil), ("{", nil), ("WWWWWWWW", nil), (#"{"class":"L"#, nil),
    (#"{"class":"LOC\u0057ATCH","t":1}"#, nil), ("W LOCWATCH", nil), (#"{"LOCWATCH":1}"#, nil),
  ]

  @Test(arguments: kinds.map { ($0.line, $0.kind) })
  func `is locwatch's by its class`(line: String, kind: OwnLine?) {
    #expect(OwnLine(Array(line.utf8)[...]) == kind)
    #expect(OwnLine(Array("x\(line)".utf8).dropFirst()) == kind)
  }
}

@Suite struct `Recordable time` {
  private func moment(_ uptime: Int64, _ wall: Int64?) -> Moment {
    Moment(
      uptime: .nanoseconds(uptime), wall: wall.map { Timestamp(nanosecondsSince1970: $0) })
  }

  private func parts(_ moment: Moment) -> [Int64?] {
    [moment.uptime.nanoseconds, moment.wall?.nanosecondsSince1970]
  }

  @Test func `is in whole milliseconds, rounded down`() {
    for (given, cut) in [
      (0, 0), (1, 0), (999_999, 0), (1_000_000, 1_000_000), (-1, -1_000_000),
      (-1_000_000, -1_000_000), (-1_000_001, -2_000_000),
    ] as [(Int64, Int64)] {
      #expect(parts(RecordableTime().cut(moment(given, given))) == [cut, cut])
      #expect(parts(RecordableTime().cut(moment(given, nil))) == [cut, nil])
    }
  }

  @Test(arguments: [100, 101, -100, -101])
  func `has a clock that advances with the uptime, unless it was set`(change: Int64) {
    let time = RecordableTime()
    let second: Int64 = 1_000_000_000
    _ = time.cut(moment(0, 5 * second))
    let cut = time.cut(moment(second, 6 * second + change * 1_000_000))
    let isSet = abs(change) > 100
    #expect(parts(cut) == [second, 6 * second + (isSet ? change * 1_000_000 : 0)])
    // Compared with the clock since then.
    #expect(
      parts(time.cut(moment(2 * second, 7 * second + change * 1_000_000)))
        == [2 * second, 7 * second + (isSet ? change * 1_000_000 : 0)])
  }

  @Test func `has no limits`() {
    let ends: [Int64] = [.min, .min + 1, -1, 0, .max]
    let time = RecordableTime()
    for (uptime, wall) in ends.flatMap({ one in ends.map { (one, $0) } }) {
      #expect(time.cut(moment(uptime, wall)).uptime <= .nanoseconds(uptime))
    }
  }
}
