import LocationCore
import LocationText
import LocwatchSystem

/// The dates in the NMEA of a log, with which gpsd's dates are corrected.
///
/// gpsd assumes that no receiver is much older than its own release, and dates a log from before 2017 by 1,024 weeks too
/// late. The log itself has the date, in RMC and ZDA. A date of gpsd that is later than a recent date of the log by
/// exactly a multiple of 1,024 weeks is set back by that multiple. So are dates that follow and of which the log says
/// nothing.
struct LogDates {
  /// NMEA 0183 allows 82 bytes, and a logger may write a time before them.
  static let maximumLineLength = 256
  /// How many dates are compared. A log can contain midnight, and gpsd lags behind by some lines.
  private static let maximumCount = 4
  /// The length of `2026-11-20`.
  private static let dateLength = 10
  private static let key = Array(#""time":""#.utf8)
  private static let day = 86_400
  /// 1,024 weeks, in days.
  private static let turn = 7168

  private var lines = LineSplitter(maximum: maximumLineLength)
  /// The recent dates of the log, in days since 1970.
  private var days: [Int] = []
  /// The latest date of the log, as it is written there.
  private var latest = ""
  /// How many times 1,024 weeks gpsd's dates are too late.
  private var turns = 0
  /// Whether a date was set back.
  private(set) var hasCorrected = false

  /// Reads a part of the log.
  mutating func read(_ bytes: ArraySlice<UInt8>) {
    lines.append(bytes)
    while let line = lines.next() {
      guard let start = line.bytes.lastIndex(of: UInt8(ascii: "$")),
        let date = ReceivedSentence(line.bytes[start...])?.date, date != latest
      else { continue }
      latest = date
      guard let day = Self.day(of: Array(date.utf8)) else { continue }
      days.removeAll { $0 == day }
      days.append(day)
      if days.count > Self.maximumCount { days.removeFirst() }
    }
  }

  /// Returns one of gpsd's reports, with the date of the log.
  mutating func correct(_ report: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard !days.isEmpty, let key = report.firstIndex(ofPart: Self.key) else { return report }
    let start = key + Self.key.count
    guard let day = Self.day(of: Array(report[start...].prefix(Self.dateLength)))
    else { return report }
    let turns = days.lazy.map { day - $0 }
      .filter { $0 >= 0 && $0 % Self.turn == 0 }.map { $0 / Self.turn }
    self.turns = turns.min() ?? self.turns
    guard self.turns > 0 else { return report }
    hasCorrected = true
    let corrected = Timestamp(
      secondsSince1970: Int64(day - self.turns * Self.turn) * Int64(Self.day))
    var report = report
    report.replaceSubrange(
      start..<(start + Self.dateLength), with: "\(corrected)".utf8.prefix(Self.dateLength))
    return report
  }

  /// Returns the number of a day such as `2026-11-20`, counted from 1970.
  private static func day(of date: [UInt8]) -> Int? {
    let midnight = date + Array("T00:00:00Z".utf8)
    return Timestamp(iso8601: midnight.span).map { Int($0.secondsSince1970) / day }
  }
}

extension ReceivedSentence {
  /// The date, such as `2026-11-20`, of RMC or ZDA.
  fileprivate var date: String? {
    switch formatter {
    case "RMC":
      guard let digits = self[9], digits.utf8.count == 6 else { return nil }
      let year = digits.suffix(2)
      // GPS began in 1980.
      return "\(year < "80" ? 20 : 19)\(year)-\(digits.dropFirst(2).prefix(2))-\(digits.prefix(2))"
    case "ZDA":
      guard let day = self[2], let month = self[3], let year = self[4] else { return nil }
      return "\(year)-\(month)-\(day)"
    default: return nil
    }
  }
}
