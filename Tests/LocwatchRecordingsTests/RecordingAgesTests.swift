import GPSDLocation
import LocationCore
import Testing

@testable import LocwatchRecordings

/// Fault 126.
@Suite struct RecordingAgesTests {
  private static let day = 86_400
  private static let month = Duration.seconds(30 * day)
  private static let rollover = 1024 * 7 * day

  private func time(_ days: Double) -> Timestamp {
    Timestamp(secondsSince1970: 1_790_000_000 + Int64(days * 86_400))
  }

  /// A recording of some hours that ends at a time in days.
  ///
  /// - Parameters:
  ///   - seconds: The error of the receiver's dates.
  ///   - clock: The error of the machine's clock, in days.
  ///   - start: When the machine's clock says that it began, in days.
  private func recording(
    _ end: Double, hours: Double = 2, off seconds: Int = 0, dated: Bool = true, clock: Double = 0,
    start: Double? = nil, fixes: ClosedRange<Double>? = nil
  ) -> RecordingAges.Recording {
    var span = RecordedSpan()
    span.length = Nanoseconds(.seconds(hours * 3600))
    if dated {
      let last = time(end).advanced(by: .seconds(seconds))
      let first = last.advanced(by: .seconds(-hours * 3600))
      span.dates =
        fixes.map {
          first.advanced(
            by: .seconds($0.lowerBound * 3600))...first.advanced(
              by: .seconds($0.upperBound * 3600))
        } ?? first...last
      span.datedLength =
        fixes.map { Nanoseconds(.seconds(($0.upperBound - $0.lowerBound) * 3600)) }
        ?? span.length
      span.latest = last
    }
    return RecordingAges.Recording(
      start: time(start ?? end - hours / 24 + clock), modified: time(end + clock), span: span)
  }

  private func old(
    _ recordings: [RecordingAges.Recording], _ age: Duration = month
  ) -> [Int] {
    RecordingAges(recordings).indices(ofAge: age)
  }

  @Test func `A recording is as old as the date on which two later ones agree`() {
    #expect(old([]) == [])
    let days = [0.0, 1, 29, 30, 31]
    #expect(old(days.map { recording($0) }) == [0])
    #expect(old([recording(0), recording(30)]) == [])
    #expect(old([recording(0), recording(30), recording(30.5)]) == [0])
    #expect(old([recording(0.001), recording(30), recording(30.5)]) == [])
  }

  @Test(arguments: [(0.5, [0, 1]), (0.4999, []), (1, [0, 1])] as [(Double, [Int])])
  func `Dates count when there is an hour of fixes`(hours: Double, expected: [Int]) {
    let early = [recording(0), recording(1)]
    #expect(
      old(early + [recording(60, hours: hours), recording(60.5, hours: hours)]) == expected)
  }

  @Test func `A single file, however long, is no reason to remove the others`() {
    let early = (0..<10).map { recording(Double($0)) }
    #expect(old(early + [recording(100, hours: 48)]) == [])
    #expect(
      old(early + [recording(100, hours: 48), recording(100.1, hours: 0.1)]) == Array(0..<10))
  }

  @Test(arguments: [60 * day, 74 * 365 * day, rollover, -60 * day, -rollover])
  func `A receiver that lies for half an hour removes nothing, then or later`(off: Int) {
    let good = (0..<20).map { recording(Double($0)) }
    let lies = (0..<6).map { recording(20 + Double($0) / 100, hours: 1.0 / 12, off: off) }
    for count in 0...lies.count { #expect(old(good + lies.prefix(count)) == []) }
    let more = (21..<29).map { recording(Double($0)) }
    for count in 0...more.count {
      let later = Array(more.prefix(count))
      #expect(old(good + lies + later) == [])
    }
    // And it keeps nothing for ever.
    let end = (30..<200).map { recording(Double($0)) }
    let rest = old(good + lies + more + end)
    #expect(rest == Array(0..<(20 + 6 + 8 + 139)))
  }

  @Test func `A receiver that had lost 1,024 weeks, and another one after it`() {
    let early = (0..<20).map { recording(Double($0), off: -Self.rollover) }
    let late = (20..<30).map { recording(Double($0)) }
    for count in 0...late.count { #expect(old(early + late.prefix(count)) == []) }
    // They are as old as the first one after them.
    let all = early + (20..<60).map { recording(Double($0)) }
    #expect(old(all) == Array(0..<29))
  }

  @Test func `A recording without a date is as old as the next one that has one`() {
    let all = [
      recording(0), recording(1, dated: false), recording(2), recording(31), recording(31.5),
    ]
    #expect(old(all) == [0])
    #expect(old(Array(all.dropLast(2)) + [recording(32), recording(32.5)]) == [0, 1, 2])
  }

  @Test func `A recording is not older than one before it`() {
    let all = [recording(5), recording(0), recording(31), recording(31.5)]
    #expect(old(all) == [])
    #expect(old(all + [recording(35), recording(35.5)]) == [0, 1])
  }

  @Test func `Without dates, the time that was recorded since then counts`() {
    let days = (1...32).map { recording(Double($0), hours: 24, dated: false) }
    #expect(old(days) == [0, 1])
    #expect(old(Array(days.prefix(30))) == [])
    // Also after the last date.
    let dated = [recording(-1), recording(-0.5)]
    #expect(old(dated + days.prefix(30)) == [0, 1])
    #expect(old(dated + days.prefix(29)) == [])
    // By both witnesses, the first one is 29 days old.
    #expect(old(dated + days.prefix(29), .seconds(29.05 * 86_400)) == [])
  }

  @Test func `Time that was recorded several times counts once`() {
    let days = (1...20).flatMap { day in
      [
        recording(Double(day), hours: 24, dated: false),
        recording(Double(day) + 0.1, hours: 24, dated: false),
      ]
    }
    #expect(old(days) == [])
    // The second one ends 0.1 days after the first.
    #expect(old(days, .seconds(19 * 86_400 + 3600)) == [0])
    #expect(old(days, .seconds(19 * 86_400)) == [0, 1])
  }

  @Test(
    arguments: [
      (-0.05, [0]), (-0.0501, []), (0.05, [0]), (1.0 / 12, [0]), (1.001 / 12, []),
      (-1.001 / 12, []),
    ] as [(Double, [Int])])
  func `The shorter of two ages counts, if they agree to within two hours`(
    clock: Double, expected: [Int]
  ) {
    #expect(
      old([recording(0), recording(30.05, clock: clock), recording(31, clock: clock)]) == expected)
    #expect(old([recording(0), recording(29.99, clock: clock), recording(31, clock: clock)]) == [])
  }

  @Test func `A clock that is always wrong measures as well as one that is right`() {
    for clock in [-400.0, 60, -20_700] {
      #expect(old([0.0, 1, 30, 30.5].map { recording($0, clock: clock) }) == [0])
    }
  }

  @Test func `What the name and the last change say are two readings of the clock`() {
    let late = [recording(30), recording(30.5)]
    // The clock was set after the start.
    #expect(old([recording(0, start: -300)] + late) == [0])
    var copied = recording(0)
    copied.modified = time(29)
    #expect(old([copied] + late) == [0])
    copied.start = time(-300)
    #expect(old([copied] + late) == [])
    // If both agree with the dates, the later one counts.
    copied = recording(0)
    copied.modified = time(0.05)
    #expect(old([copied] + late) == [] && old([copied, recording(30.5), recording(31)]) == [0])
  }

  @Test func `The dates may be those of any part of a recording`() {
    let late = [recording(40), recording(40.5)]
    let long = recording(5, hours: 120, fixes: 0...1)
    // The receiver had a fix in the first hour of five days, the last of which is not 36 days ago.
    #expect(old([long] + late, .seconds(35 * 86_400)) == [0])
    #expect(old([long] + late, .seconds(36 * 86_400)) == [])
    #expect(
      old([recording(0), recording(31, hours: 24, fixes: 20...24), recording(31.5)]) == [0])
  }

  @Test(arguments: [true, false])
  func `A wrong length removes nothing`(dated: Bool) {
    for wrong in [5, 2] {
      var all = (0..<6).map { recording(Double($0), hours: 20, dated: dated) }
      all[wrong].span.length = .seconds(3_600_000)
      #expect(old(all) == [])
      // Nor does it if the files were copied.
      for index in all.indices { all[index].modified = time(500) }
      #expect(old(all) == [])
    }
  }

  @Test func `A length is at most what the clock says`() {
    var all = (0..<29).map { recording(Double($0), dated: false) }
    for index in 1..<29 { all[index].span.length = .seconds(88 * 3600) }
    #expect(old(all) == [])
    // Nor do two witnesses agree because the length is wrong.
    all = [recording(0, off: -31 * Self.day, clock: -40), recording(4), recording(5)]
    all[2].span.length = .seconds(41 * Self.day)
    #expect(old(all) == [])
  }

  @Test(arguments: [-100.0, 400, -20_000])
  func `Two machines record at the same time, and the clock of one is wrong`(clock: Double) {
    for dated in [true, false] {
      let all = (0..<20).flatMap { day in
        [
          recording(Double(day), hours: 20, dated: dated),
          recording(Double(day) + 0.01, hours: 20, dated: dated, clock: clock),
        ]
      }
      for count in 0...all.count { #expect(old(Array(all.prefix(count))) == []) }
      #expect(old(Array(all.reversed())) == [])
    }
  }

  @Test func `The clock has gone back, and its time since then counts`() {
    let early = (0..<5).map { recording(Double($0), hours: 24, dated: false, clock: 60) }
    let late = (5..<36).map { recording(Double($0), hours: 24, dated: false) }
    #expect(old(early + late) == Array(0...5))
    #expect(old(early + late.dropLast()) == [])
  }

  @Test func `The later of two parts decides, unless nothing else is as late`() {
    let late = [recording(40), recording(40.5)]
    func merged(_ end: Double, modified: Double = 0) -> [RecordingAges.Recording] {
      var recording = recording(0)
      recording.span.latest = time(end)
      recording.modified = time(modified)
      return [recording] + late
    }
    #expect(old(merged(10)) == [0])
    #expect(old(merged(10.01)) == [])
    #expect(old(merged(40)) == [])
    // No file was changed then.
    #expect(old(merged(41)) == [0])
    #expect(old(merged(41, modified: 41)) == [])
    #expect(old(merged(41, modified: 40.95)) == [])
    #expect(old(merged(41, modified: 40.9)) == [0])
  }

  @Test(arguments: [(63, [0]), (64, [])] as [(Int, [Int])])
  func `Nothing is dated after too many differences`(count: Int, expected: [Int]) {
    let odd = (0..<count).map { recording(31 + Double($0) / 10, clock: 100 + 3 * Double($0)) }
    #expect(old([recording(0), recording(30), recording(30.5)] + odd) == expected)
  }
}
