import Foundation
import GPSDLocation
import LocationCore
import LocationTestKit
import Testing

@testable import LocwatchRecordings

/// A folder of 20 recordings, a day each, of which 10 days are kept, with wrong clocks of the machine. Fault 126.
@Suite(.timeLimit(.minutes(5))) final class WrongClockTests: FolderOfRecordings {
  private static let day = 86_400
  private static let length = 7200

  /// How a clock is wrong, in seconds: `nil` where it has no time at all.
  struct WrongClock: CustomTestStringConvertible, Sendable {
    let testDescription: String
    /// The first drive that is left. A wrong clock may leave more than ten days, but never less.
    let first: Int
    /// How many files the drives before it have.
    let removedFiles: Int
    let error: @Sendable (_ drive: Int, _ second: Int) -> Int?

    init(
      _ description: String, leaving first: Int = 9, removing removedFiles: Int? = nil,
      _ error: @escaping @Sendable (Int, Int) -> Int?
    ) {
      testDescription = description
      self.first = first
      self.removedFiles = removedFiles ?? first
      self.error = error
    }
  }

  static let clocks = [
    WrongClock("right") { _, _ in 0 },
    WrongClock("60 days ahead for a while in one run") { $0 == 19 && $1 > 3600 ? 60 * day : 0 },
    WrongClock("1,024 weeks ahead for a while in one run") {
      $0 == 15 && (600...900).contains($1) ? 1024 * 7 * day : 0
    },
    WrongClock("60 days ahead at the start of a run") { $0 == 12 && $1 < 600 ? 60 * day : 0 },
    WrongClock("45 days behind until the last run", leaving: 8) { drive, _ in
      drive < 19 ? -45 * day : 0
    },
    WrongClock("1,500 days behind until the middle of the last run") {
      $0 < 19 || $1 < 3600 ? -1500 * day : 0
    },
    WrongClock("set back by 400 days in a run") { $0 == 10 && $1 > 3600 ? -400 * day : 0 },
    WrongClock("set back by 400 days for good", leaving: 0) {
      $0 * day + $1 > 10 * day ? -400 * day : 0
    },
    WrongClock("1970 at each start", leaving: 0) { drive, _ in -(1_790_000_000 + drive * day) },
    WrongClock("stopped while the machine is off", leaving: 0) { drive, _ in
      -drive * (day - 7200)
    },
    WrongClock("two days further back at each start", leaving: 0) { drive, _ in -3 * drive * day },
    WrongClock("without a time", leaving: 0) { _, _ in nil },
  ]

  @Test(arguments: clocks) func `No recent recording is removed`(clock: WrongClock) throws {
    let removals = Collector<String>()
    for drive in 0..<20 {
      let work = RecorderWork(disk: .atOnce, upkeep: .atOnce) { removals.add($0) }
      let folder = try RecordingFolder(
        FilePath(path), rotation: .daily, limit: .age(.seconds(10 * Self.day)))
      let recorder = Recorder(folder, work: work) { Issue.record("\($0)") }
      func moment(_ second: Int) -> (Moment, date: Timestamp) {
        let date = Timestamp(secondsSince1970: Int64(1_790_000_000 + drive * Self.day + second))
        let wall = clock.error(drive, second).map { date.advanced(by: .seconds($0)) }
        return (Moment(uptime: .seconds(100 + second), wall: wall), date)
      }
      recorder.begin(at: moment(0).0)
      for second in stride(from: 0, through: Self.length, by: 300) {
        let (received, date) = moment(second)
        let line = #"{"class":"TPV","device":"/dev/a","mode":3,"time":"\#(date)","lat":1,"lon":2}"#
        recorder.keep(GPSDLines(bytes: Array("\(line)\r\n".utf8)[...], received: received))
      }
      recorder.recordEnd(at: moment(Self.length).0)
      try recorder.finish()
    }
    let upkeep = FolderUpkeep(
      folder: FilePath(path), limit: .age(.seconds(10 * Self.day)), spans: SpanCache())
    upkeep.run().removals.forEach(removals.add)
    // The latest date is that of the 19th, whose end was 10 days after that of the ninth.
    var dates: [Timestamp] = []
    for file in try RecordingFolder.files(in: FilePath(path)) {
      let span = try RecordedSpan(reading: RecordingFile(path: file))
      // Two fixes are too few to be believed.
      if let first = span.dates?.lowerBound { dates.append(first) }
    }
    let kept = Set(dates.map { ($0.nanosecondsSince1970 / 1_000_000_000 - 1_790_000_000) / 86_400 })
    #expect(kept == Set(Int64(clock.first)...19))
    #expect(removals.values.count == clock.removedFiles)
    #expect(
      removals.values.allSatisfy {
        $0.hasPrefix("removed \(path)/0") && $0.contains(" from 2026-09-")
          && $0.hasSuffix(", because of --keep")
      })
  }
}
