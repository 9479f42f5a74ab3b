import LocationCore
import LocationTestKit
import TestSupport
import Testing
import VirtualTimeTesting

@testable import GPSDLocation

@Suite(.virtualTime, .timeLimit(.minutes(5))) struct `A part of a recording` {
  private func time(_ text: String) -> Timestamp { Timestamp(iso8601: "2026-11-20T\(text)Z")! }

  private func bound(_ text: String) -> RecordedRange.Bound { .time(time(text)) }

  private static let timed = [
    #"{"class":"LOCWATCH","t":0.000,"start":"2026-11-20T07:05:00.000Z"}"#, Lines.tpv(1),
    #"{"class":"LOCWATCH","t":2.000}"#, Lines.tpv(2), #"{"class":"LOCWATCH","t":4.000}"#,
    Lines.tpv(4), #"{"class":"LOCWATCH","t":6.000}"#, Lines.tpv(6),
    #"{"class":"LOCWATCH","t":9.000}"#,
  ]

  private func session(
    _ lines: [String], _ range: RecordedRange, pace: RecordedSession.Pace = .asFastAsPossible,
    clock: LocationClock = .live
  ) throws -> (RecordedSession, TemporaryFile) {
    let file = try TemporaryFile(lines: lines)
    return (
      RecordedSession(
        [try RecordingFile(path: FilePath(file.path))], pace: pace, realClock: clock, range: range),
      file
    )
  }

  /// The seconds of all reads, those before the part first.
  private func reads(
    _ lines: [String], _ range: RecordedRange
  ) async throws -> (before: [Double], inside: [Double], extent: RecordedExtent?) {
    let (session, file) = try session(lines, range)
    try session.open(GPSDEndpoint())
    var (before, inside): ([Double], [Double]) = ([], [])
    while true {
      let read = try await session.read(until: nil)
      guard let moment = read.moment else { break }
      let isInside = session.engine.beginning.map { $0 <= moment } ?? false
      if isInside {
        inside.append(moment.uptime.inSeconds)
      } else {
        before.append(moment.uptime.inSeconds)
      }
    }
    #expect(session.engine.isOver)
    withExtendedLifetime(file) {}
    return (before, inside, session.engine.extent)
  }

  @Test(
    arguments: [
      (nil, nil, [], [0, 2, 4, 6, 9]), ("07:05:02", nil, [0], [2, 4, 6, 9]),
      ("07:05:02.001", nil, [0, 2], [4, 6, 9]), (nil, "07:05:04", [], [0, 2, 4]),
      (nil, "07:05:04.001", [], [0, 2, 4, 4.001]), ("07:05:01", "07:05:05", [0], [2, 4, 5]),
      ("06:00:00", "08:00:00", [], [0, 2, 4, 6, 9]),
    ] as [(String?, String?, [Double], [Double])])
  func `is from its first time on and up to its last, at which the time ends`(
    from: String?, to: String?, before: [Double], inside: [Double]
  ) async throws {
    // A whole one is replayed as if there were none.
    guard from != nil || to != nil else { return }
    let range = RecordedRange(from: from.map(bound), to: to.map(bound))
    let reads = try await reads(Self.timed, range)
    #expect(reads.before == before && reads.inside == inside)
    #expect(reads.extent?.hasLines == true)
  }

  @Test(arguments: [
    ("07:05:02.500", "07:05:03"), ("07:05:06.001", "08:00:00"), ("06:00:00", "07:05:00"),
  ])
  func `may have no lines`(from: String, to: String) async throws {
    let reads = try await reads(Self.timed, RecordedRange(from: bound(from), to: bound(to)))
    #expect(
      reads.extent?.hasLines == false && reads.extent?.times?.lowerBound == time("07:05:00.000"))
  }

  @Test func `is of the first day if it is a time of day`() async throws {
    let range = RecordedRange(
      from: .timeOfDay(.seconds(7 * 3600 + 5 * 60 + 4)), to: .timeOfDay(.seconds(8 * 3600)))
    let reads = try await reads(Self.timed, range)
    #expect(reads.before == [0, 2] && reads.inside == [4, 6, 9])
    #expect(reads.extent?.range == RecordedRange(from: bound("07:05:04"), to: bound("08:00:00")))
  }

  @Test(arguments: [
    (23, 1, "2026-11-21T01:00:00Z"), (7, 24, "2026-11-21T00:00:00Z"),
    (7, 8, "2026-11-20T08:00:00Z"),
  ])
  func `ends on the next day if it ends at an earlier time of day`(
    from: Int, to: Int, end: String
  ) {
    func hour(_ hour: Int) -> RecordedRange.Bound { .timeOfDay(.seconds(hour * 3600)) }
    let range = RecordedRange(from: hour(from), to: hour(to))
    #expect(!range.isEmpty && RecordedRange(from: hour(from), to: hour(from)).isEmpty)
    #expect(range.inRecording(from: time("07:05:00")).end == Timestamp(iso8601: end))
  }

  @Test func `is of the first day in the zone of each of its ends`() {
    func hour(_ hour: Int, ahead zone: Int) -> RecordedRange.Bound {
      .timeOfDay(.seconds(hour * 3600), ahead: .seconds(zone * 3600))
    }
    func ends(
      _ from: RecordedRange.Bound, _ to: RecordedRange.Bound, first: String
    ) -> [Timestamp?] {
      let range = RecordedRange(from: from, to: to).inRecording(from: time(first))
      return [range.start, range.end]
    }
    func times(_ texts: String...) -> [Timestamp?] { texts.map { Timestamp(iso8601: $0) } }
    #expect(
      ends(hour(1, ahead: 2), hour(20, ahead: -5), first: "23:30:00")
        == times("2026-11-20T23:00:00Z", "2026-11-21T01:00:00Z"))
    // The day of the first zone has just begun, and the 19th is not over in the other.
    #expect(
      ends(hour(23, ahead: 14), hour(1, ahead: -12), first: "10:00:00")
        == times("2026-11-21T09:00:00Z", "2026-11-21T13:00:00Z"))
    #expect(RecordedRange(from: hour(10, ahead: 2), to: hour(8, ahead: 0)).isEmpty)
    #expect(!RecordedRange(from: hour(10, ahead: 2), to: hour(10, ahead: 0)).isEmpty)
  }

  @Test func `does not begin before what was passed, over which the clock was set`() {
    var cursor = RangeCursor(RecordedRange(from: bound("07:05:30")))
    func moment(_ seconds: Int) -> Moment { Moment(uptime: .seconds(seconds)) }
    #expect(cursor.place(time("07:05:00"), at: moment(0), isLine: true) == .before)
    #expect(cursor.place(time("07:05:04"), at: moment(4), isLine: true) == .before)
    #expect(cursor.place(time("07:10:00"), at: moment(6), isLine: true) == .inside)
    #expect(cursor.beginning == moment(4))
    var other = RangeCursor(RecordedRange(from: bound("07:05:05")))
    #expect(other.place(time("07:05:04"), at: moment(4), isLine: true) == .before)
    #expect(other.place(time("07:05:06"), at: moment(6), isLine: true) == .inside)
    #expect(other.beginning == moment(5))
  }

  @Test func `counts the lines that are missing from it`() async throws {
    var lines = Self.timed
    lines[2] = #"{"class":"LOCWATCH","t":2.000,"lost":7}"#
    lines[6] = #"{"class":"LOCWATCH","t":6.000,"lost":30}"#
    for (from, to, count) in [
      (nil, nil, 37), ("07:05:01", nil, 30), (nil, "07:05:04", 7), ("07:05:06", nil, 0),
    ] as [(String?, String?, Int)] {
      let (session, file) = try session(
        lines, RecordedRange(from: from.map(bound), to: to.map(bound)))
      for _ in 1...2 {
        try session.open(GPSDEndpoint())
        while try await session.read(until: nil).moment != nil {}
        #expect(session.engine.lostLines == count)
      }
      withExtendedLifetime(file) {}
    }
  }

  @Test func `goes by the times of reports where lines have none`() async throws {
    let lines = [
      Lines.version, Lines.tpv(1), Lines.sky(), Lines.tpv(2), Lines.tpv(3), Lines.tpv(4),
    ]
    let range = RecordedRange(from: bound("07:05:02"), to: bound("07:05:04"))
    let reads = try await reads(lines, range)
    #expect(reads.before == [0, 0, 0] && reads.inside == [1, 2, 3])
    #expect(reads.extent?.times == time("07:05:01")...time("07:05:04"))
    let none = try await self.reads([Lines.version, Lines.sky()], range)
    #expect(none.inside == [] && none.extent?.times == nil && none.extent?.hasLines == false)
  }

  @Test func `is waited for from its beginning on`() async throws {
    let clock = ManualClock()
    let (session, file) = try session(
      Self.timed, RecordedRange(from: bound("07:05:03")), pace: .recorded(),
      clock: LocationClock(
        now: { clock.locationClock.now },
        sleepUntil: { clock.jump(by: clock.locationClock.now.duration(to: $0)) }))
    try session.open(GPSDEndpoint())
    let start = clock.locationClock.now
    var waits: [Double] = []
    while try await session.read(until: nil).moment != nil {
      waits.append(start.duration(to: clock.locationClock.now).inSeconds)
    }
    #expect(waits == [0, 0, 1, 3, 6])
    withExtendedLifetime(file) {}
  }

  @Test(arguments: [RecordedSession.Pace.asFastAsPossible, .recorded()])
  func `begins with the lines that are counted`(pace: RecordedSession.Pace) async throws {
    let clock = ManualClock()
    let (session, file) = try session(
      [Lines.version] + Self.timed, RecordedRange(from: bound("07:05:03"), to: bound("07:05:07")),
      pace: pace,
      clock: LocationClock(now: { clock.locationClock.now }, sleepUntil: { _ in }))
    try session.open(GPSDEndpoint())
    var areBefore: [Bool] = []
    while case .value(let lines, _) = try await session.read(until: nil) {
      areBefore.append(lines.isBeforePart)
      // A reader that waits for the next line in real time knows before the line when the part begins.
      let isKnown = pace == .asFastAsPossible ? areBefore.count > 3 : areBefore.count > 2
      #expect((session.engine.beginning?.uptime == .seconds(3)) == isKnown, "\(areBefore)")
    }
    #expect(areBefore == [true, true, true, false, false])
    withExtendedLifetime(file) {}
  }

  @Test func `without a first time counts from the first line on`() async throws {
    let (session, file) = try session(
      [Lines.version, Lines.sky()] + Self.timed, RecordedRange(to: bound("07:05:03")))
    try session.open(GPSDEndpoint())
    var count = 0
    while case .value(let lines, _) = try await session.read(until: nil) {
      #expect(!lines.isBeforePart)
      count += 1
    }
    #expect(count == 4)
    withExtendedLifetime(file) {}
  }

  @Test func `is empty if it ends before it begins`() {
    let (one, two) = (bound("07:00:00"), bound("08:00:00"))
    #expect(RecordedRange(from: two, to: one).isEmpty && RecordedRange(from: one, to: one).isEmpty)
    #expect(!RecordedRange(from: one, to: two).isEmpty && !RecordedRange(from: two).isEmpty)
    let (early, late) = (
      RecordedRange.Bound.timeOfDay(.zero), RecordedRange.Bound.timeOfDay(.seconds(1))
    )
    #expect(RecordedRange(from: late, to: late).isEmpty)
    #expect(
      !RecordedRange(from: late, to: early).isEmpty && !RecordedRange(from: early, to: late).isEmpty
    )
    #expect(!RecordedRange(from: one, to: early).isEmpty && RecordedRange().isWhole)
    #expect(!RecordedRange(to: one).isWhole && !RecordedRange(from: one).isWhole)
  }
}

extension TimedRead {
  fileprivate var moment: Moment? {
    switch self {
    case .value(_, let moment), .timedOut(let moment): moment
    case .ended: nil
    }
  }
}
