import Foundation
import LocationCore
import LocationText
import Testing

@testable import LocwatchRecordings

/// Folders of recordings of which 30 days are kept, with wrong dates of receivers, clocks and files. The folder is kept
/// in order after each recording. Fault 126.
@Suite(.timeLimit(.minutes(5))) final class WrongDatesTests: FolderOfRecordings {
  private static let day = 86_400.0
  private static let kept = 30.0
  private static let rollover = 7168.0

  /// A recording. Its times are in days since 2026-09-21T14:13:20Z, and its errors, too.
  struct Drive: Sendable {
    /// When it ended.
    var end: Double
    var length = 2.0 / 24
    /// The error of the receiver; `nil` if it has no fix.
    var receiver: Double? = 0
    /// The error of the machine's clock at the start and at the end.
    var clock = (start: 0.0, end: 0.0)
    /// For how long after the start the receiver has a fix.
    var fixes = Double.infinity
    /// By how much its last time stamp is wrong.
    var jump = 0.0
  }

  struct Mixture: CustomTestStringConvertible, Sendable {
    let testDescription: String
    /// The end of the oldest recording that is left at the end.
    let oldest: Double
    let drives: [Drive]
    /// What somebody does with the files after a recording, by its index.
    let meddling: [Int: Meddling]

    init(
      _ description: String, leaving oldest: Double, _ drives: [Drive],
      _ meddling: [Int: Meddling] = [:]
    ) {
      testDescription = description
      self.oldest = oldest
      self.drives = drives
      self.meddling = meddling
    }
  }

  enum Meddling {
    /// All files are copied without their times.
    case copied
    /// All files get names with another date.
    case renamed
  }

  /// A recording at the end of each day, changed as a test needs it.
  private static func daily(
    _ days: Range<Int> = 0..<60, _ change: (Int, inout Drive) -> Void = { _, _ in }
  ) -> [Drive] {
    days.map { day in
      var drive = Drive(end: Double(day))
      change(day, &drive)
      return drive
    }
  }

  /// Two recordings of 31 minutes on the evening of a day.
  private static func evening(_ day: Int, off error: Double, clock: Double = 0) -> [Drive] {
    (1...2).map { part in
      Drive(
        end: Double(day) + 0.1 * Double(part), length: 31 / 1440, receiver: error,
        clock: (clock, clock))
    }
  }

  private static func lie(_ error: Double, clock: Double = 0) -> [Drive] {
    daily(0..<26) + evening(25, off: error, clock: clock) + daily(26..<60)
  }

  /// A clock that is right at the end of each recording, when it has been set.
  private static func setLate(_ error: @escaping @Sendable (Int) -> Double) -> [Drive] {
    daily { day, drive in drive.clock = (error(day), 0) }
  }

  /// Two machines that record 20 hours a day, one with another error of its clock.
  private static func machines(_ clock: Double) -> [Drive] {
    daily { _, drive in drive.length = 20.0 / 24 }.flatMap {
      [$0, Drive(end: $0.end + 0.01, length: $0.length, clock: (clock, clock))]
    }
  }

  // The latest date that counts is that of the recording of day 58.
  static let mixtures = [
    Mixture("all are right", leaving: 29, daily()),
    Mixture("the receiver is 31 days ahead for an hour, in two files", leaving: 29, lie(31)),
    Mixture("400 days ahead", leaving: 29, lie(400)),
    Mixture("9 years ahead", leaving: 29, lie(9 * 365)),
    Mixture("1,024 weeks ahead", leaving: 29, lie(rollover)),
    Mixture("5 years behind", leaving: 29, lie(-5 * 365)),
    Mixture("it is 31 days ahead in the last recordings", leaving: 0, Array(lie(31).dropLast(34))),
    Mixture(
      "the receiver is 5 years behind at first", leaving: 29,
      daily { day, drive in drive.receiver = day < 9 ? -5 * 365 : 0 }),
    Mixture(
      "the receiver is 1,024 weeks behind", leaving: 29,
      daily { _, drive in drive.receiver = -rollover }),
    Mixture(
      "the receiver loses 1,024 weeks", leaving: 29,
      daily { day, drive in drive.receiver = day < 20 ? 0 : -rollover }),
    Mixture(
      "every other recording is 1,024 weeks behind", leaving: 29,
      (0..<120).map { Drive(end: Double($0) / 2, receiver: $0 % 2 == 0 ? 0 : -rollover) }),
    Mixture(
      "the receiver is wrong by another time each day", leaving: 0,
      daily { day, drive in drive.receiver = Double(day * day) }),
    Mixture(
      "there is no fix for weeks", leaving: 10,
      daily { day, drive in if (10..<40).contains(day) { drive.receiver = nil } }),
    Mixture(
      "there is never a fix", leaving: 0, daily { _, drive in drive.receiver = nil }),
    Mixture(
      "the clock is 60 days ahead on one day", leaving: 29,
      daily { day, drive in if day == 40 { drive.clock = (60, 60) } }),
    Mixture(
      "the clock is 60 days ahead in the last recordings", leaving: 27,
      daily { day, drive in if day >= 58 { drive.clock = (60, 60) } }),
    Mixture(
      "the clock is always 400 days behind", leaving: 29,
      daily { _, drive in drive.clock = (-400, -400) }),
    Mixture(
      "the clock is 45 days behind, and then set", leaving: 19,
      daily { day, drive in if day < 50 { drive.clock = (-45, -45) } }),
    Mixture(
      "the clock is 60 days ahead, and then set in a recording", leaving: 29,
      setLate { $0 == 40 ? 60 : 0 }),
    Mixture(
      "no clock at the start: 1970", leaving: 29, setLate { -20_717 - Double($0) }),
    Mixture("no clock at the start: it stood still", leaving: 29, setLate { _ in -22.0 / 24 }),
    Mixture(
      "the clock shows 1970 at each start, and is never set", leaving: 30,
      daily { day, drive in
        drive.length = 1
        drive.clock = (-20_716 - Double(day), -20_716 - Double(day))
      }),
    Mixture(
      "the clock stands still while the machine is off, and is never set", leaving: 0,
      daily { day, drive in
        let error = -Double(day) * 22 / 24
        drive.clock = (error, error)
      }),
    Mixture(
      "the receiver is 31 days ahead, and the clock 40", leaving: 29, lie(31, clock: 40)),
    Mixture(
      "the clock is 45 days behind, then the receiver 31 days ahead", leaving: 0,
      daily(0..<26) { _, drive in drive.clock = (-45, -45) } + evening(25, off: 31)
        + daily(26..<56)),
    Mixture("the files are copied", leaving: 29, daily(), [40: .copied]),
    Mixture("the files are renamed", leaving: 29, daily(), [40: .renamed]),
    Mixture(
      "the files are renamed, copied, and the receiver is 31 days ahead", leaving: 29, lie(31),
      [24: .renamed, 25: .copied]),
    Mixture(
      "one recording lasts a month", leaving: 31.5,
      [Drive(end: 31, length: 31), Drive(end: 31.5)] + daily(32..<63)),
    Mixture(
      "one recording lasts a month, with a fix in the first hour", leaving: 31,
      [Drive(end: 31, length: 31, fixes: 1.0 / 24), Drive(end: 31.5)] + daily(32..<61)),
    Mixture(
      "nothing is recorded for 200 days", leaving: 200,
      daily(0..<10) + [Drive(end: 200), Drive(end: 200.5)]),
    Mixture(
      "two receivers record at the same time, one 1,024 weeks behind", leaving: 29,
      daily().flatMap {
        [$0, Drive(end: $0.end + 0.01, receiver: -rollover)]
      }),
    Mixture(
      "a time stamp is wrong", leaving: 29, daily { day, drive in drive.jump = day == 40 ? 41 : 0 }),
    Mixture(
      "a time stamp is wrong in the last recording", leaving: 29,
      daily { day, drive in drive.jump = day == 59 ? 41 : 0 }),
    Mixture(
      "a time stamp is wrong, and the files are copied", leaving: 29,
      daily { day, drive in drive.jump = day == 40 ? 4000 : 0 }, [40: .copied]),
    Mixture(
      "a time stamp is wrong, and the receiver has no fix", leaving: 0,
      daily { day, drive in
        drive.receiver = nil
        drive.jump = day == 40 ? 41 : 0
      }),
    Mixture("a machine whose clock is 100 days behind records, too", leaving: 29, machines(-100)),
    Mixture("a machine whose clock is 400 days ahead records, too", leaving: 29, machines(400)),
    Mixture("a machine whose clock shows 1970 records, too", leaving: 29, machines(-20_000)),
    Mixture(
      "two receivers record all the time without a date", leaving: 30,
      daily().flatMap {
        [
          Drive(end: $0.end, length: 1, receiver: nil),
          Drive(end: $0.end + 0.01, length: 1, receiver: nil),
        ]
      }),
  ]

  private static func time(_ days: Double) -> Timestamp {
    Timestamp(secondsSince1970: 1_790_000_000 + Int64((days * day).rounded()))
  }

  /// The lines of a recording, with a fix every five minutes, or ten times if that is less often.
  private static func text(of drive: Drive) -> String {
    let length = drive.length * day
    return stride(from: 0, through: length, by: max(300, length / 600)).map { second in
      let jump = second + 300 > length ? Int(drive.jump * day) : 0
      let stamp = #"{"class":"LOCWATCH","t":\#(Int(second) + jump).000}"# + "\r\n"
      guard let error = drive.receiver, second <= drive.fixes * day else {
        return stamp + #"{"class":"TPV","device":"/dev/a","mode":1}"# + "\r\n"
      }
      let date = time(drive.end + error).advanced(by: .seconds(Int(second - length)))
      return stamp
        + #"{"class":"TPV","device":"/dev/a","mode":3,"time":"\#(date)","lat":1,"lon":2}"# + "\r\n"
    }.joined()
  }

  private func setModified(_ name: String, _ time: Timestamp) throws {
    let seconds = TimeInterval(time.secondsSince1970)
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: seconds)],
      ofItemAtPath: "\(path)/\(name)")
  }

  private func create(_ drive: Drive, number: Int) throws {
    let start = Self.time(drive.end - drive.length + drive.clock.start)
    let name = String(
      decoding: RecordingName(number: number, start: start).plain, as: UTF8.self)
    try Data(Self.text(of: drive).utf8).write(to: URL(filePath: "\(path)/\(name)"))
    try setModified(name, Self.time(drive.end + drive.clock.end))
  }

  private func meddle(_ meddling: Meddling, on day: Double) throws {
    for name in try names() {
      switch meddling {
      case .copied: try setModified(name, Self.time(day))
      case .renamed:
        let number = try #require(RecordingName.number(of: Array(name.utf8)))
        let other = RecordingName(number: number, start: Self.time(-500))
        try FileManager.default.moveItem(
          atPath: "\(path)/\(name)",
          toPath: "\(path)/\(String(decoding: other.compressed, as: UTF8.self))")
      }
    }
  }

  /// The indices of the recordings that are left.
  private func left() throws -> Set<Int> {
    Set(try names().map { (RecordingName.number(of: Array($0.utf8)) ?? 0) - 1 })
  }

  @Test(arguments: mixtures)
  func `No recent recording is removed, and old ones are as soon as that is certain`(
    mixture: Mixture
  ) throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    let spans = SpanCache()
    for (index, drive) in mixture.drives.enumerated() {
      try create(drive, number: index + 1)
      let upkeep = FolderUpkeep(
        folder: FilePath(path), limit: .age(.seconds(Self.kept * Self.day)), spans: spans)
      #expect(upkeep.run().problem == nil)
      let left = try left()
      for (other, earlier) in mixture.drives[...index].enumerated()
      where earlier.end > drive.end - Self.kept + 1e-6 {
        #expect(left.contains(other), "after \(drive.end) days: that of \(earlier.end)")
      }
      if let meddling = mixture.meddling[index] { try meddle(meddling, on: drive.end) }
    }
    let oldest = try left().map { mixture.drives[$0].end }.min()
    #expect(oldest == mixture.oldest)
  }
}
