import LocationCore

extension TextBuffer {
  /// Appends `2026-11-20T07:05:12.000Z`: to the millisecond, and further where there is more.
  mutating func append(time: Timestamp) { append(time, isExact: true) }

  /// Appends the time to the millisecond; what is below it is cut off.
  mutating func append(milliseconds time: Timestamp) { append(time, isExact: false) }

  /// - Parameter key: With the quotation mark before the time.
  mutating func append(jsonTime time: Timestamp, after key: ShortText) {
    append(time, after: key, isExact: true, isQuoted: true)
  }

  /// - Parameter key: With the quotation mark before the time.
  mutating func append(jsonMilliseconds time: Timestamp, after key: ShortText) {
    append(time, after: key, isExact: false, isQuoted: true)
  }

  private mutating func append(
    _ time: Timestamp, after key: ShortText = .none, isExact: Bool, isQuoted: Bool = false
  ) {
    let (second, fraction) = floorDivide(Int(time.nanosecondsSince1970), by: 1_000_000_000)
    let nanoseconds = UInt32(truncatingIfNeeded: fraction)
    let (day, secondOfDay) = floorDivide(second, by: 86_400)
    let date = dateText(ofDay: day)
    append(upTo: 2 * ShortText.longest + 32) { bytes, end in
      bytes.store(key, at: &end)
      bytes.store(date, at: &end)
      bytes.store(clockOf: UInt32(truncatingIfNeeded: secondOfDay), at: &end)
      bytes.store(EightDigits(nanoseconds / 10).ascii, length: 8, at: &end)
      if isExact, nanoseconds % 1_000_000 != 0 {
        bytes[end] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: nanoseconds % 10)
        end += 1
      } else {
        end -= 5
      }
      bytes.store("Z", at: &end)
      bytes.store("\"", at: &end)
      if !isQuoted { end -= 1 }
    }
  }
}

extension MutableSpan<UInt8> {
  /// Stores `07:05:12.`
  @inline(__always)
  fileprivate mutating func store(clockOf second: UInt32, at end: inout Int) {
    let minute = second / 60
    let digits = EightDigits(minute / 60 &* 10_000 &+ minute % 60 &* 100 &+ second % 60).ascii
    precondition(end >= 0 && end <= count - 9)
    self[end] = UInt8(truncatingIfNeeded: digits &>> 16)
    self[end &+ 1] = UInt8(truncatingIfNeeded: digits &>> 24)
    self[end &+ 2] = UInt8(ascii: ":")
    self[end &+ 3] = UInt8(truncatingIfNeeded: digits &>> 32)
    self[end &+ 4] = UInt8(truncatingIfNeeded: digits &>> 40)
    self[end &+ 5] = UInt8(ascii: ":")
    self[end &+ 6] = UInt8(truncatingIfNeeded: digits &>> 48)
    self[end &+ 7] = UInt8(truncatingIfNeeded: digits &>> 56)
    self[end &+ 8] = UInt8(ascii: ".")
    end &+= 9
  }
}

@inline(__always)
private func floorDivide(_ number: Int, by divisor: Int) -> (quotient: Int, remainder: Int) {
  let (quotient, remainder) = number.quotientAndRemainder(dividingBy: divisor)
  return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
}
