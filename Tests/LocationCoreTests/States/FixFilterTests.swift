import LocationTestKit
import Testing

@testable import LocationCore

@Suite struct `A filter with an interval` {
  /// The time of a receiver's clock at second 0.
  private static let origin = Timestamp(secondsSince1970: 1_795_158_000)

  /// A fix of a test, with its times in seconds.
  private struct Fix {
    let time: Double?
    let arrival, accuracy, north: Double
    let device: String?

    init(
      _ time: Double?, at arrival: Double, accuracy: Double = 5, north: Double = 0,
      device: String? = "/dev/a"
    ) {
      (self.time, self.arrival) = (time, arrival)
      (self.accuracy, self.north, self.device) = (accuracy, north, device)
    }

    var moment: Moment { Moment(uptime: Self.duration(arrival)) }

    var fix: LocationFix {
      .at(
        latitude: 48 + north / 111_195, longitude: 11, horizontalError: accuracy, device: device,
        time: time.map { origin.advanced(by: Self.duration($0)) })
    }

    /// A number of seconds in whole microseconds.
    static func duration(_ seconds: Double) -> Duration {
      .microseconds(Int64((seconds * 1e6).rounded()))
    }
  }

  /// The indices of the fixes that are taken.
  private func taken(_ fixes: [Fix], _ change: (inout FixCriteria) -> Void) -> [Int] {
    var criteria = FixCriteria()
    change(&criteria)
    var filter = FixFilter(criteria)
    return fixes.indices.filter { index in
      let (fix, moment) = (fixes[index].fix, fixes[index].moment)
      guard filter.judge(fix, at: moment) == .wanted else { return false }
      filter.recordTaken(fix, at: moment)
      return true
    }
  }

  /// The times of fixes, and of those of them that are taken with an interval of 10 s.
  private static let tables: [(times: [Double], taken: [Double])] = [
    // Slower than the interval or faster, and no multiple of it
    (Array(stride(from: 0, to: 50, by: 7)), [0, 14, 21, 35, 42]),
    (Array(stride(from: 0, to: 50, by: 4)), [0, 12, 20, 32, 40]),
    (Array(stride(from: 0, to: 50, by: 10)), [0, 10, 20, 30, 40]),
    (Array(stride(from: 0, to: 60, by: 15)), [0, 15, 30, 45]), ([0, 25, 50], [0, 25, 50]),
    // The intervals begin with the first fix.
    ([3, 12.999, 13, 22.999, 23], [3, 13, 23]),
    // On both sides of each boundary
    ([0, 9.999_999, 10, 19.999_999, 20], [0, 10, 20]),
    ([0, 9.999_999, 19.999_999, 20], [0, 19.999_999, 20]),
    ([0, 10.000_001, 19.999_999, 20.000_001], [0, 10.000_001, 20.000_001]),
    // Early, late, and early again
    ([0, 19, 21, 39, 40, 48, 50], [0, 19, 21, 39, 40, 50]),
    // Missing: the intervals stay where they are.
    ([0, 45, 49.999_999, 50], [0, 45, 50]),
    ([0, 12, 99.5, 100, 109.5, 110], [0, 12, 99.5, 100, 110]),
    // A step forwards
    ([0, 1, 1_000_003, 1_000_009, 1_000_010], [0, 1_000_003, 1_000_010]),
    // A step backwards into another interval, and one within it
    ([100, 101, 102, 3, 4, 9.999_999, 10, 11], [100, 3, 10]), ([0, 15, 12, 10, 20], [0, 15, 20]),
    // By less than an interval, across a boundary, and twice
    ([0, 21, 19.999_999, 19, 20], [0, 21, 19.999_999, 20]),
    ([100, 102, 93, 94, 90, 89.999_999, 85, 80, 79], [100, 93, 89.999_999, 79]),
    // By whole intervals
    ([100, 80, 81, 89, 90], [100, 80, 90]), ([], []), ([5], [5]),
  ]

  @Test(arguments: tables.map { ($0.times, $0.taken) })
  func `takes the first fix of each`(times: [Double], expected: [Double]) {
    // Delays on the way, in no order, do not matter.
    let delays = [0.0, 9, 0.1, 30, 2]
    let fixes = times.enumerated().map { index, time in
      Fix(time, at: Double(index) + delays[index % delays.count])
    }
    #expect(taken(fixes) { $0.interval = .seconds(10) }.map { times[$0] } == expected)
  }

  @Test(arguments: tables.prefix(12).map { ($0.times, $0.taken) })
  func `goes by arrival if the receiver knows no time`(times: [Double], expected: [Double]) {
    let fixes = times.map { Fix(nil, at: $0) }
    #expect(taken(fixes) { $0.interval = .seconds(10) }.map { times[$0] } == expected)
  }

  @Test(
    arguments: [
      // The receiver's first time: from then on, arrival does not matter.
      [
        (nil, 0, true), (1004, 4, false), (1011, 11, true), (1019.9, 30, false), (1020, 31, true),
      ],
      // Between two fixes without a time, with delays of up to 0.7 s
      [
        (100, 0, true), (nil, 9.9, false), (nil, 10.7, true), (119.999, 20, false), (120, 20, true),
        (nil, 29.9, false), (nil, 30, true), (139.9, 39, false), (140, 39, true),
      ],
      // A step backwards is none of the arrival.
      [(100, 0, true), (50, 3, true), (nil, 12.9, false), (nil, 13, true), (69.9, 22, false)],
    ] as [[(time: Double?, arrival: Double, isTaken: Bool)]])
  func `takes fixes with and without a time in turn`(
    fixes: [(time: Double?, arrival: Double, isTaken: Bool)]
  ) {
    let indices = taken(fixes.map { Fix($0.time, at: $0.arrival) }) { $0.interval = .seconds(10) }
    #expect(indices == fixes.indices.filter { fixes[$0].isTaken })
  }

  @Test(arguments: [nil, .zero] as [Duration?])
  func `of no length takes all`(interval: Duration?) {
    let fixes = [0.0, 0, 5, 3].map { Fix($0, at: 0) }
    #expect(taken(fixes) { $0.interval = interval } == [0, 1, 2, 3])
    #expect(
      taken(fixes) {
        $0.interval = interval
        $0.minMove = 1
      } == [0])
  }

  @Test func `begins with the first fix that counts`() {
    let fixes = [
      Fix(0, at: 0, accuracy: 50), Fix(3, at: 3), Fix(10, at: 10), Fix(12.9, at: 13),
      Fix(13, at: 13, accuracy: 50), Fix(14, at: 14), Fix(22.9, at: 23), Fix(23, at: 23),
    ]
    let indices = taken(fixes) {
      $0.interval = .seconds(10)
      $0.request.desiredAccuracy = 10
    }
    #expect(indices == [1, 5, 7])
  }

  @Test func `takes the first fix of each that is far enough from the last one`() {
    let fixes = [(0, 0), (10, 1), (12, 6), (13, 20), (21, 11), (22, 12), (30, 13)].map {
      Fix($0, at: $0, north: $1)
    }
    let indices = taken(fixes) {
      $0.interval = .seconds(10)
      $0.minMove = 5
    }
    #expect(indices == [0, 2, 5])
  }

  @Test func `has intervals for each receiver`() {
    let fixes = [
      ("a", 0), ("b", 5), (nil, 7), ("a", 9), ("a", 10), ("b", 14), ("b", 15), (nil, 17),
    ]
    .map { Fix($1, at: $1, device: $0) }
    #expect(taken(fixes) { $0.interval = .seconds(10) } == [0, 1, 2, 4, 6, 7])
  }

  @Test func `remembers at most 64 receivers, those that reported last`() {
    let devices = Array(0..<64) + [0, 64, 0, 1]
    let fixes = devices.enumerated().map { second, device in
      Fix(Double(second), at: Double(second), device: "/dev/\(device)")
    }
    // The fix of the first that is left out is its last report, so the 65th replaces the second.
    #expect(taken(fixes) { $0.interval = .seconds(3600) } == Array(0..<64) + [65, 67])
  }

  @Test func `loses nothing to a fix that was not taken`() {
    var criteria = FixCriteria()
    (criteria.interval, criteria.minMove) = (.seconds(10), 1)
    var filter = FixFilter(criteria)
    for second in [0.0, 1] {
      let fix = Fix(second, at: second)
      #expect(filter.judge(fix.fix, at: fix.moment) == .wanted)
    }
  }

  @Test(arguments: [.nanoseconds(1), .seconds(10), .seconds(Int64.max)] as [Duration])
  func `never traps`(length: Duration) {
    var criteria = FixCriteria()
    criteria.interval = length
    var filter = FixFilter(criteria)
    let extremes = [Int64.min, .min + 1, -1, 0, 1, .max - 1, .max]
    let times = extremes.map { Timestamp?.some(Timestamp(nanosecondsSince1970: $0)) } + [nil]
    let moments = extremes.map { Moment(uptimeNanoseconds: $0, wall: nil) }
    // Each time follows each other one.
    for first in times {
      for second in times {
        for (index, moment) in moments.enumerated() {
          for (time, moment) in [(first, moment), (second, moments[(index + 3) % moments.count])] {
            let fix = LocationFix(
              coordinate: Coordinate(latitude: 1, longitude: 2)!, mode: .fix2D, time: time)
            _ = filter.judge(fix, at: moment)
            filter.recordTaken(fix, at: moment)
          }
        }
      }
    }
    let last = Fix(0, at: 0)
    filter.recordTaken(last.fix, at: last.moment)
    #expect(filter.judge(last.fix, at: last.moment) == .leftOut)
  }
}
