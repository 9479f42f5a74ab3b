import LocationCore
import Testing

@testable import GPSDLocation

/// Fault 88.
@Suite struct `The clock of a recording` {
  /// Returns the uptime after each report, in seconds.
  private func uptimes(_ reports: [(receiver: String?, seconds: Double)]) -> [Double] {
    var clock = RecordingClock()
    return reports.map { report in
      clock.advance(toReportOf: report.receiver, at: time(report.seconds))
      return clock.now.uptime.inSeconds
    }
  }

  private func time(_ seconds: Double) -> Timestamp {
    Lines.start.advanced(by: .milliseconds(Int64((seconds * 1000).rounded())))
  }

  private static let courses: [(times: [Double], uptimes: [Double])] = [
    ([0, 1, 2.5], [0, 1, 2.5]),
    // A silence takes its time, of up to half a day.
    ([0, 7200, 7201], [0, 7200, 7201]),
    ([0, 43_200, 43_201], [0, 43_200, 43_201]),
    // A longer jump is that of a clock that was set.
    ([0, 43_200.001, 43_201.001], [0, 0, 1]),
    ([5, 630_720_000, 630_720_003], [0, 0, 3]),
    // A step back is one, too. The time continues with the next report.
    ([0, 10, -3600, -3599, -3590], [0, 10, 10, 11, 20]),
    ([0, 10, -1_728_000, -1_727_999, -1_727_998], [0, 10, 10, 11, 12]),
    // It continues when the clock passes the time from which it was set back.
    ([0, 10, 5, 6, 7, 8, 9, 10, 11, 12], [0, 10, 10, 11, 12, 13, 14, 15, 16, 17]),
    // Two eras in turn: each continues where it was.
    ([0, -777_600_000, 1, -777_599_999, 2, -777_599_998], [0, 0, 1, 1, 2, 2]),
    // So do two that are less than half a day apart.
    ([0, 3600, 1, 3601, 2, 3602], [0, 3600, 3600, 3601, 3601, 3602]),
    ([0, 12, 1, 13, 2, 14], [0, 12, 12, 13, 13, 14]),
    // The time does not wait for a setting to catch up that is behind.
    ([0, 100, 50, 60, 70, 105, 106], [0, 100, 100, 110, 120, 120, 121]),
    // After less than 10 s, no other setting is looked for.
    ([0, 3, 2, 4, 1, 11], [0, 3, 3, 5, 5, 15]),
    ([0, 100, 90, 100, 90, 100.001], [0, 100, 100, 110, 110, 110.001]),
    // A clock that was set and set back has taken no other time.
    ([0, 1, 3601, 3602, 2, 3, 4], [0, 1, 3601, 3602, 3602, 3603, 3604]),
    // After a third setting, only the latest two continue.
    ([0, 2_592_000, 5_184_000, 1, 2], [0, 0, 0, 0, 1]),
  ]

  @Test(arguments: courses)
  func `follows the times of a receiver`(times: [Double], expected: [Double]) {
    #expect(uptimes(times.map { ("/dev/a", $0) }) == expected)
  }

  @Test func `is that of the receiver that has advanced furthest`() {
    // Two receivers of different eras do not add up.
    #expect(
      uptimes([
        ("/dev/a", 0), ("/dev/b", -777_600_000), ("/dev/a", 1), ("/dev/b", -777_599_999),
        ("/dev/a", 2), ("/dev/b", -777_599_995), ("/dev/a", 3), ("/dev/a", 6), (nil, 100),
        (nil, 101),
      ]) == [0, 0, 1, 1, 2, 5, 5, 6, 6, 7])
  }

  @Test func `continues from now with a receiver that was set while another led`() {
    #expect(
      uptimes([
        ("/dev/a", 0), ("/dev/b", 0), ("/dev/a", 100), ("/dev/b", -500), ("/dev/b", -499),
      ]) == [0, 0, 100, 100, 101])
  }

  @Test func `holds at the ends of what a time can be`() {
    var clock = RecordingClock()
    let times: [(Int64, uptime: Int64)] = [
      (.min, 0), (.max, 0), (.min, 0), (.min + 1, 1), (0, 1), (.max, 1), (.max - 1, 1), (.max, 2),
    ]
    for (time, uptime) in times {
      clock.advance(toReportOf: nil, at: Timestamp(nanosecondsSince1970: time))
      #expect(clock.now == Moment(uptimeNanoseconds: uptime, wall: nil))
    }
  }

  @Test func `remembers 64 receivers`() {
    var clock = RecordingClock()
    for receiver in 0..<65 { clock.advance(toReportOf: "/dev/\(receiver)", at: time(0)) }
    clock.advance(toReportOf: "/dev/0", at: time(60))
    #expect(clock.now.uptime == .zero)
    clock.advance(toReportOf: "/dev/64", at: time(60))
    #expect(clock.now.uptime == .seconds(60))
  }

  /// Returns the uptime and the time of day after each time stamp, in seconds since ``Lines/start``.
  private func moments(
    _ stamps: [(elapsed: Double, start: Double?)], files: Set<Int> = []
  ) -> [[Double?]] {
    var clock = RecordingClock()
    return stamps.enumerated().map { index, stamp in
      if files.contains(index) { clock.beginFile() }
      let elapsed = Duration.milliseconds(Int64(stamp.elapsed * 1000))
      clock.advance(to: RecordingTimestamp(elapsed: elapsed, start: stamp.start.map(time)))
      let wall = clock.now.wall.map { Lines.start.duration(to: $0).inSeconds }
      return [clock.now.uptime.inSeconds, wall]
    }
  }

  /// Runs: when they began and for how long they recorded, in minutes, and the minutes before each that count as not
  /// recorded.
  private static let runs: [(runs: [(begin: Int, length: Int)], pauses: [Int])] = [
    ([(0, 10), (10, 5), (20, 5)], [0, 0, 5]),
    // Two programs record into a folder: the second file is of another one than its neighbours.
    ([(0, 10), (0, 1), (10, 1), (30, 1)], [0, 0, 0, 19]),
    // Both, by day
    ([(0, 600), (1, 600), (1440, 600), (1441, 600), (2880, 1)], [0, 0, 839, 0, 839]),
    // The clock of a run was behind.
    ([(0, 10), (-10, 1), (20, 1), (60, 1)], [0, 0, 9, 39]),
    // It was behind twice, and began with the same time, or continued.
    ([(0, 1), (-288_000, 1), (-288_000, 1), (20, 1)], [0, 0, 0, 17]),
    ([(0, 1), (-288_000, 1), (-287_998, 1), (20, 1)], [0, 0, 1, 16]),
    // It was ahead, and that time counts. Pauses after it are found nevertheless.
    ([(0, 1), (288_000, 1), (20, 1), (30, 1)], [0, 287_999, 0, 9]),
    ([(288_000, 1), (20, 1), (30, 1), (40, 1)], [0, 0, 9, 9]),
    // It was ahead by less: the time has caught up.
    ([(0, 10), (140, 10), (40, 10), (180, 10)], [0, 130, 0, 20]),
  ]

  @Test(arguments: runs)
  func `continues with the run that ended last before another`(
    runs: [(begin: Int, length: Int)], pauses: [Int]
  ) {
    var clock = RecordingClock()
    for (run, pause) in zip(runs, pauses) {
      let before = clock.now.uptime
      let stamp = RecordingTimestamp(elapsed: .zero, start: time(60 * Double(run.begin)))
      #expect(clock.endsPause(stamp) == (pause > 0))
      clock.advance(to: stamp)
      #expect(clock.now.uptime - before == .seconds(60 * pause))
      clock.advance(to: RecordingTimestamp(elapsed: .seconds(60 * run.length)))
    }
  }

  @Test func `forgets that a clock was behind once it is set, and ends without a time of day`() {
    #expect(
      moments([(0, 0), (10, nil), (0, -20), (1, 20), (2, nil), (0, 55)])
        == [[0, 0], [10, 10], [10, -20], [11, 21], [12, 22], [45, 55]])
    // Two runs at the same time, a file without a beginning, and another run
    #expect(
      moments([(0, 0), (10, nil), (0, 0), (1, nil), (5, nil), (0, 100)], files: [4])
        == [[0, 0], [10, 10], [10, 0], [11, 1], [11, nil], [11, 100]])
  }

  @Test func `remembers the ends of eight runs that were recorded during another`() {
    func pause(after count: Int) -> Duration {
      var clock = RecordingClock()
      for run in 0...count {
        clock.advance(to: RecordingTimestamp(elapsed: .zero, start: time(Double(run))))
        let length = run == 0 ? 1000 : 900 - run
        clock.advance(to: RecordingTimestamp(elapsed: .seconds(length)))
      }
      let before = clock.now.uptime
      clock.advance(to: RecordingTimestamp(elapsed: .zero, start: time(1000)))
      return clock.now.uptime - before
    }
    #expect(pause(after: 8) == .zero)
    #expect(pause(after: 9) == .seconds(100))
  }

  @Test func `holds at the ends of what a time stamp can be`() {
    let last = 4_294_967_295.999
    for wall: Int64 in [.min, 0, .max] {
      var clock = RecordingClock()
      for (elapsed, start) in [(0, Int64.max), (last, nil), (0, wall), (last, wall), (last, .min)] {
        clock.advance(
          to: RecordingTimestamp(
            elapsed: .milliseconds(Int64(elapsed * 1000)),
            start: start.map { Timestamp(nanosecondsSince1970: $0) }))
      }
      clock.beginFile()
      clock.advance(to: RecordingTimestamp(elapsed: .seconds(1)))
      #expect(clock.now.uptime >= .milliseconds(2 * Int64(last * 1000)))
    }
    var clock = RecordingClock()
    for wall in [Int64.min, .max, .min, .max] {
      clock.advance(
        to: RecordingTimestamp(elapsed: .zero, start: Timestamp(nanosecondsSince1970: wall)))
    }
    #expect(clock.now.uptimeNanoseconds == .max)
  }
}
