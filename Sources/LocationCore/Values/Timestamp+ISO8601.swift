extension Timestamp {
  /// The instant that `text` names as `YYYY-MM-DDTHH:MM:SS[.fraction]Z`. Digits beyond the
  /// nanosecond are cut off; second 60 is the one after 59.
  ///
  /// `nil` for anything else, and for an instant that 64 bits of nanoseconds cannot hold.
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
    // The whole second below the earliest instant is out of range, the instant itself is not.
    if seconds < 0, fraction > 0 {
      seconds += 1
      fraction -= 1_000_000_000
    }
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, carried) = product.addingReportingOverflow(fraction)
    if overflow || carried { return nil }
    self.init(nanosecondsSince1970: sum)
  }

  /// Appends the instant as `2026-11-20T07:05:12.000Z`: with milliseconds, or with 6 or 9 digits
  /// where there are finer ones.
  package func appendISO8601(to bytes: inout [UInt8]) {
    let (second, fraction) = nanosecondsSince1970.dividedDown(by: 1_000_000_000)
    let (day, time) = second.dividedDown(by: 86_400)
    let date = CivilDate(daysSince1970: Int(day))
    bytes.append(addingCapacity: 30) { text in
      text.append(decimal: date.year, digits: 4)
      text.append(UInt8(ascii: "-"))
      text.append(decimal: date.month, digits: 2)
      text.append(UInt8(ascii: "-"))
      text.append(decimal: date.day, digits: 2)
      text.append(UInt8(ascii: "T"))
      text.append(decimal: Int(time) / 3600, digits: 2)
      text.append(UInt8(ascii: ":"))
      text.append(decimal: Int(time) / 60 % 60, digits: 2)
      text.append(UInt8(ascii: ":"))
      text.append(decimal: Int(time) % 60, digits: 2)
      text.append(UInt8(ascii: "."))
      if fraction % 1_000_000 == 0 {
        text.append(decimal: Int(fraction) / 1_000_000, digits: 3)
      } else if fraction % 1000 == 0 {
        text.append(decimal: Int(fraction) / 1000, digits: 6)
      } else {
        text.append(decimal: Int(fraction), digits: 9)
      }
      text.append(UInt8(ascii: "Z"))
    }
  }
}

extension Span where Element == UInt8 {
  /// The number that the digits at `range` make, `nil` where one is none.
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

  /// The fraction of a second at `range`, `.283` or nothing.
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

extension OutputSpan where Element == UInt8 {
  fileprivate mutating func append(decimal value: Int, digits: Int) {
    var unit = 1
    for _ in 1..<digits { unit *= 10 }
    while unit > 0 {
      append(UInt8(ascii: "0") + UInt8(value / unit % 10))
      unit /= 10
    }
  }
}

extension Int64 {
  /// The quotient rounded down, and what is left of it: 0 or positive.
  fileprivate func dividedDown(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}
