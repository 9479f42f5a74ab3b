import LocationCore

extension [UInt8] {
  /// Appends `2026-11-20T07:05:12.000Z`: to the millisecond, and further where there is more.
  mutating func append(time: Timestamp) {
    appendTime(time, showsNanoseconds: time.nanosecondsSince1970 % 1_000_000 != 0)
  }

  /// Appends the time to the millisecond; what is below it is cut off.
  mutating func append(milliseconds time: Timestamp) {
    appendTime(time, showsNanoseconds: false)
  }

  private mutating func appendTime(_ time: Timestamp, showsNanoseconds: Bool) {
    let (days, withinDay) = floorDivide(
      Int(time.nanosecondsSince1970), by: 86_400_000_000_000)
    let (year, month, day) = civilDate(daysSince1970: days)
    let (seconds, nanoseconds) = floorDivide(withinDay, by: 1_000_000_000)
    append(addingCapacity: 30) { output in
      output.append(year, digits: 4)
      output.append(twoDigits: month, after: "-")
      output.append(twoDigits: day, after: "-")
      output.append(twoDigits: seconds / 3600, after: "T")
      output.append(twoDigits: seconds / 60 % 60, after: ":")
      output.append(twoDigits: seconds % 60, after: ":")
      output.append(UInt8(ascii: "."))
      if showsNanoseconds {
        output.append(nanoseconds, digits: 9)
      } else {
        output.append(nanoseconds / 1_000_000, digits: 3)
      }
      output.append(UInt8(ascii: "Z"))
    }
  }
}

extension OutputSpan<UInt8> {
  fileprivate mutating func append(twoDigits number: Int, after separator: Unicode.Scalar) {
    append(UInt8(ascii: separator))
    append(UInt8(truncatingIfNeeded: number / 10) + 0x30)
    append(UInt8(truncatingIfNeeded: number % 10) + 0x30)
  }
}

private func floorDivide(_ number: Int, by divisor: Int) -> (quotient: Int, remainder: Int) {
  let (quotient, remainder) = number.quotientAndRemainder(dividingBy: divisor)
  return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
}

/// The date of the Gregorian calendar, counted in eras of 400 years that begin in March, so that
/// the leap day is the last of its year.
private func civilDate(daysSince1970: Int) -> (year: Int, month: Int, day: Int) {
  let (era, dayOfEra) = floorDivide(daysSince1970 + 719_468, by: 146_097)
  let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
  let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
  let monthFromMarch = (5 * dayOfYear + 2) / 153
  let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
  let year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
  return (year, month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
}
