import GPSDLocation
import LocationCore
import Testing

@testable import LocwatchCLI
@testable import LocwatchRecordings

/// Fault 126.
@Suite struct RecordingAgesTests {
  private static let day = 86_400
  private static let month = Duration.seconds(30 * day)
  private static let rollover = 1024 * 7 * day

  /// A recording of some hours that ends at a time in days, with the date that its receiver gave.
  private func recording(
    _ end: Double, hours: Double = 2, off seconds: Int = 0, dated: Bool = true, start: Double? = nil
  ) -> RecordingAges.Recording {
    func time(_ days: Double) -> Timestamp {
      Timestamp(secondsSince1970: 1_790_000_000 + Int64(days * 86_400))
    }
    var span = RecordedSpan()
    span.length = Nanoseconds(.seconds(hours * 3600))
    if dated {
      let last = time(end).advanced(by: .seconds(seconds))
      span.dates = last.advanced(by: .seconds(-hours * 3600))...last
      span.datedLength = span.length
      span.latest = last
    }
    return RecordingAges.Recording(start: time(start ?? end - hours / 24), span: span)
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
    for count in 0...more.count { #expect(old(good + lies + more.prefix(count)) == []) }
    // And it keeps nothing for ever.
    let end = (30..<200).map { recording(Double($0)) }
    let rest = old(good + lies + more + end)
    #expect(rest == Array(0..<(20 + 6 + 8 + 139)))
  }

  @Test func `A receiver that had lost 1,024 weeks, and another one after it`() {
    let early = (0..<20).map { recording(Double($0), off: -Self.rollover) }
    let late = (20..<30).map { recording(Double($0)) }
    for count in 0...late.count { #expect(old(early + late.prefix(count)) == []) }
    // They are as old as the first with a date that can be right.
    let all = early + (20..<60).map { recording(Double($0)) }
    #expect(old(all) == Array(0..<29))
  }

  @Test(arguments: [(0, [0]), (-1, [])] as [(Int, [Int])])
  func `A date more than ten years ago is wrong`(seconds: Int, expected: [Int]) {
    let early = [recording(0, off: seconds)]
    let years = Double(10 * 365)
    #expect(old(early + [recording(years), recording(years + 0.5)]) == expected)
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
    #expect(old([recording(-1), recording(-0.5)] + days.prefix(30)) == [0, 1])
    #expect(old([recording(-1), recording(-0.5)] + days.prefix(28)) == [])
    #expect(
      old([recording(-1), recording(-0.5)] + days.prefix(29), .seconds(29.05 * 86_400)) == [0])
  }

  @Test func `Time that was recorded several times counts once`() {
    let days = (1...20).flatMap { day in
      [
        recording(Double(day), hours: 24, dated: false),
        recording(Double(day) + 0.1, hours: 24, dated: false),
      ]
    }
    #expect(old(days) == [])
    #expect(old(days, .seconds(19 * 86_400 + 3600)) == [0, 1])
  }
}
