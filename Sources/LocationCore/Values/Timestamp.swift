/// A point in time in UTC, with nanosecond resolution, between the years 1677 and 2262.
public struct Timestamp: Hashable, Comparable, Sendable {
  /// Nanoseconds since 1970-01-01T00:00:00Z, without leap seconds (POSIX time).
  public var nanosecondsSince1970: Int64

  /// Creates a timestamp from nanoseconds since 1970-01-01T00:00:00Z, without leap seconds.
  @inlinable
  public init(nanosecondsSince1970: Int64) {
    self.nanosecondsSince1970 = nanosecondsSince1970
  }

  /// Creates a timestamp from seconds since 1970-01-01T00:00:00Z and additional nanoseconds. A result
  /// out of range is clamped.
  package init(secondsSince1970 seconds: Int64, nanoseconds: Int32 = 0) {
    let sum = Int128(seconds) * 1_000_000_000 + Int128(nanoseconds)
    nanosecondsSince1970 = Int64(clamping: sum)
  }

  /// Returns whether `lhs` is earlier than `rhs`.
  @inlinable
  public static func < (lhs: Timestamp, rhs: Timestamp) -> Bool {
    lhs.nanosecondsSince1970 < rhs.nanosecondsSince1970
  }

  /// Returns the timestamp that is `duration` later. A result out of range is clamped.
  public func advanced(by duration: Duration) -> Timestamp {
    later(by: Nanoseconds(duration))
  }

  /// Returns the time from this timestamp to `other`; negative if `other` is earlier. A result beyond 292 years is
  /// clamped.
  public func duration(to other: Timestamp) -> Duration {
    nanoseconds(to: other).duration
  }

  /// Like ``advanced(by:)``, without a conversion to `Duration`.
  package func later(by time: Nanoseconds) -> Timestamp {
    Timestamp(nanosecondsSince1970: nanosecondsSince1970.clampedSum(time.count))
  }

  /// Like ``duration(to:)``, without a conversion to `Duration`.
  package func nanoseconds(to other: Timestamp) -> Nanoseconds {
    Nanoseconds(other.nanosecondsSince1970.clampedDifference(nanosecondsSince1970))
  }
}

extension Duration {
  /// The whole nanoseconds, clamped to the range of `Int64` (292 years).
  package var nanoseconds: Int64 {
    // Not from `components`, which trap if an Int64 cannot hold the seconds.
    Int64(clamping: attoseconds / 1_000_000_000)
  }

  /// The duration as a number of seconds.
  package var inSeconds: Double {
    // Double's conversion of an Int128 takes twenty times as long. Only the longest durations need it;
    // for those, `components` would trap.
    let (seconds, rest) = attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000_000_000_000)
    let short = Int64(truncatingIfNeeded: seconds)
    let whole = Int128(short) == seconds ? Double(short) : Double(seconds)
    return whole + Double(Int64(truncatingIfNeeded: rest)) / 1e18
  }
}

extension Timestamp: CustomStringConvertible {
  /// The timestamp in ISO 8601, in UTC, such as `2026-11-20T07:05:12.000Z`.
  ///
  /// It has 3, 6 or 9 fractional digits, as many as the time needs. ``init(iso8601:)`` parses it.
  public var description: String {
    var bytes: [UInt8] = []
    appendISO8601(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension Timestamp {
  /// Parses bytes as ``init(iso8601:)`` for strings does.
  package init?(iso8601 text: Span<UInt8>) {
    let end = text.count - 1
    guard
      end >= 19, text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-"),
      text[10] == UInt8(ascii: "T"), text[13] == UInt8(ascii: ":"),
      text[16] == UInt8(ascii: ":"), text[end] == UInt8(ascii: "Z"),
      let year = text.decimal(at: 0..<4), let month = text.decimal(at: 5..<7),
      let day = text.decimal(at: 8..<10), let hour = text.decimal(at: 11..<13),
      let minute = text.decimal(at: 14..<16), let second = text.decimal(at: 17..<19),
      let nanoseconds = text.nanoseconds(at: 19..<end),
      1...12 ~= month, 1...CivilDate.days(inMonth: month, of: year) ~= day,
      hour < 24, minute < 60, second <= 60
    else { return nil }
    let days = CivilDate(year: year, month: month, day: day).daysSince1970
    var seconds = Int64(days) * 86_400 + Int64(hour * 3600 + minute * 60 + second)
    var fraction = Int64(nanoseconds)
    // Rounded up, because the whole second below the earliest timestamp is out of range.
    if seconds < 0, fraction > 0 {
      seconds += 1
      fraction -= 1_000_000_000
    }
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, carried) = product.addingReportingOverflow(fraction)
    if overflow || carried { return nil }
    self.init(nanosecondsSince1970: sum)
  }

  /// Creates a timestamp from ISO 8601 text of the form `YYYY-MM-DDTHH:MM:SS[.fraction]Z`.
  ///
  /// Returns `nil` if `text` has another form, or if the time is before 1677 or after 2262. Digits
  /// beyond nanoseconds are truncated. Second 60, a leap second, becomes second 0 of the next
  /// minute.
  public init?(iso8601 text: some StringProtocol) {
    let bytes = ContiguousArray(text.utf8)
    self.init(iso8601: bytes.span)
  }

  /// Appends the ``description`` as UTF-8.
  package func appendISO8601(to bytes: inout [UInt8]) {
    var text = ContiguousArray<UInt8>(repeating: 0, count: Self.maximumISO8601Length)
    var end = 0
    var span = text.mutableSpan
    storeISO8601(isExact: true, in: &span, at: &end)
    bytes += text[..<end]
  }

  /// The length of the longest ISO 8601 text.
  package static let maximumISO8601Length = 30

  /// Stores the time in ISO 8601 at `end`, and moves `end` past it.
  ///
  /// - Parameters:
  ///   - isExact: Whether to store 6 or 9 fractional digits if the time needs them. Otherwise it is
  ///     truncated to the millisecond.
  ///   - bytes: Has room for ``maximumISO8601Length`` bytes; those after the text are overwritten.
  package func storeISO8601(
    isExact: Bool, in bytes: inout MutableSpan<UInt8>, at end: inout Int
  ) {
    let (second, fraction) = nanosecondsSince1970.dividedDown(by: 1_000_000_000)
    let (day, secondOfDay) = second.dividedDown(by: 86_400)
    let date = CivilDate(daysSince1970: Int(day))
    let clock = Int(secondOfDay)
    // With one check of the bounds, the compiler removes those of each byte.
    precondition(end >= 0 && end <= bytes.count - Self.maximumISO8601Length)
    store(date.year, digits: 4, "-", in: &bytes, at: &end)
    store(date.month, digits: 2, "-", in: &bytes, at: &end)
    store(date.day, digits: 2, "T", in: &bytes, at: &end)
    store(clock / 3600, digits: 2, ":", in: &bytes, at: &end)
    store(clock / 60 % 60, digits: 2, ":", in: &bytes, at: &end)
    store(clock % 60, digits: 2, ".", in: &bytes, at: &end)
    let nanoseconds = Int(fraction)
    if !isExact || nanoseconds % 1_000_000 == 0 {
      store(nanoseconds / 1_000_000, digits: 3, "Z", in: &bytes, at: &end)
    } else if nanoseconds % 1000 == 0 {
      store(nanoseconds / 1000, digits: 6, "Z", in: &bytes, at: &end)
    } else {
      store(nanoseconds, digits: 9, "Z", in: &bytes, at: &end)
    }
  }
}

/// Stores a number with leading zeros, and a character after it.
@inline(__always)
private func store(
  _ value: Int, digits: Int, _ character: Unicode.Scalar, in bytes: inout MutableSpan<UInt8>,
  at end: inout Int
) {
  var rest = UInt32(truncatingIfNeeded: value)
  bytes[end + digits] = UInt8(ascii: character)
  for index in (end..<end + digits).reversed() {
    bytes[index] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest % 10)
    rest /= 10
  }
  end += digits + 1
}

extension Span where Element == UInt8 {
  /// Returns the decimal number at `range`; `nil` if a byte is not a digit.
  @inline(__always)
  fileprivate func decimal(at range: Range<Int>) -> Int? {
    var value = 0
    for index in range {
      let digit = self[index] &- UInt8(ascii: "0")
      guard digit <= 9 else { return nil }
      value = value &* 10 &+ Int(digit)
    }
    return value
  }

  /// Returns the nanoseconds of the fraction at `range`, such as `.283`; 0 for an empty range,
  /// `nil` for anything else.
  @inline(__always)
  fileprivate func nanoseconds(at range: Range<Int>) -> Int? {
    if range.isEmpty { return 0 }
    guard range.count > 1, self[range.lowerBound] == UInt8(ascii: ".") else { return nil }
    var value = 0
    var unit = 1_000_000_000
    for index in range.dropFirst() {
      let digit = self[index] &- UInt8(ascii: "0")
      guard digit <= 9 else { return nil }
      unit /= 10
      value &+= Int(digit) &* unit
    }
    return value
  }
}

extension Int64 {
  /// Returns the quotient rounded down, and a remainder that is not negative.
  @inlinable
  package func dividedDown(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}

/// A day of the proleptic Gregorian calendar.
package struct CivilDate: Hashable, Sendable {
  package var year: Int
  /// 1 to 12.
  package var month: Int
  /// 1 to 31.
  package var day: Int

  package init(year: Int, month: Int, day: Int) {
    self.year = year
    self.month = month
    self.day = day
  }

  // The conversions are those of Howard Hinnant's "chrono-Compatible Low-Level Date Algorithms".
  // Years begin on 1 March, so a leap day is the last day of its year; each era of 400 years has
  // 146,097 days.
  private static let daysInEra = 146_097
  private static let daysBefore1970 = 719_468

  package init(daysSince1970 days: Int) {
    let shifted = days + Self.daysBefore1970
    let era = (shifted >= 0 ? shifted : shifted - (Self.daysInEra - 1)) / Self.daysInEra
    let dayOfEra = shifted - era * Self.daysInEra
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / (Self.daysInEra - 1)) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  package var daysSince1970: Int {
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
    let yearOfEra = shiftedYear - era * 400
    let monthFromMarch = month > 2 ? month - 3 : month + 9
    let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * Self.daysInEra + dayOfEra - Self.daysBefore1970
  }

  /// Returns the number of days in a month.
  ///
  /// - Parameter month: 1 to 12.
  package static func days(inMonth month: Int, of year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}
