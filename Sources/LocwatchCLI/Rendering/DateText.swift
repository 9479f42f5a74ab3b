/// A day of the Gregorian calendar as `2026-11-20T`.
struct DateText: Sendable {
  /// Since 1970-01-01.
  let day: Int
  let text: ShortText

  init(day: Int) {
    self.day = day
    let date = civilDate(daysSince1970: day)
    let digits = EightDigits(date.year * 10_000 + date.month * 100 + date.day).ascii
    let year = digits & 0xffff_ffff
    let month = digits &>> 32 & 0xffff
    text = ShortText(
      first: year | month &<< 40 | UInt64(UInt8(ascii: "-")) &* 0x0100_0001_0000_0000,
      second: digits &>> 48 | UInt64(UInt8(ascii: "T")) &<< 16, length: 11)
  }
}

/// The date of the Gregorian calendar, counted in eras of 400 years that begin in March, so that
/// the leap day is the last of its year.
private func civilDate(daysSince1970: Int) -> (year: Int, month: Int, day: Int) {
  let days = daysSince1970 + 719_468
  let era = (days >= 0 ? days : days - 146_096) / 146_097
  let dayOfEra = days - era * 146_097
  let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
  let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
  let monthFromMarch = (5 * dayOfYear + 2) / 153
  let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
  let year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
  return (year, month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
}
