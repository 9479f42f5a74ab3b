import LocationCore

extension TextBuffer {
  /// Appends the time, such as `2026-11-20T07:05:12.000Z`, with 3, 6 or 9 decimal places as needed,
  /// like `Timestamp.appendISO8601(to:)`.
  mutating func append(time: Timestamp) { append(time, isExact: true) }

  /// Appends the time, truncated to the millisecond.
  mutating func append(milliseconds time: Timestamp) { append(time, isExact: false) }

  /// - Parameter key: Includes the quotation mark before the time.
  mutating func append(jsonTime time: Timestamp, after key: ShortText) {
    append(time, after: key, isExact: true, isQuoted: true)
  }

  /// - Parameter key: Includes the quotation mark before the time.
  mutating func append(jsonMilliseconds time: Timestamp, after key: ShortText) {
    append(time, after: key, isExact: false, isQuoted: true)
  }

  private mutating func append(
    _ time: Timestamp, after key: ShortText = .none, isExact: Bool, isQuoted: Bool = false
  ) {
    let (second, fraction) = time.nanosecondsSince1970.dividedDown(by: 1_000_000_000)
    let nanoseconds = UInt32(truncatingIfNeeded: fraction)
    let (day, secondOfDay) = second.dividedDown(by: 86_400)
    let date = date(ofDay: Int(day))
    append(upTo: 2 * ShortText.maximumLength + 32) { bytes, end in
      store(key, in: &bytes, at: &end)
      store(date, in: &bytes, at: &end)
      store(clockOf: UInt32(truncatingIfNeeded: secondOfDay), in: &bytes, at: &end)
      store(EightDigits(nanoseconds / 10).ascii, length: 8, in: &bytes, at: &end)
      if !isExact || nanoseconds % 1_000_000 == 0 {
        end -= 5
      } else if nanoseconds % 1000 == 0 {
        end -= 2
      } else {
        bytes[end] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: nanoseconds % 10)
        end += 1
      }
      store("Z", in: &bytes, at: &end)
      store("\"", in: &bytes, at: &end)
      if !isQuoted { end -= 1 }
    }
  }
}

/// Stores `07:05:12.`
@inline(__always)
private func store(
  clockOf second: UInt32, in bytes: inout MutableSpan<UInt8>, at end: inout Int
) {
  let minute = second / 60
  let digits = EightDigits(minute / 60 &* 10_000 &+ minute % 60 &* 100 &+ second % 60).ascii
  precondition(end >= 0 && end <= bytes.count - 9)
  bytes[end] = UInt8(truncatingIfNeeded: digits &>> 16)
  bytes[end &+ 1] = UInt8(truncatingIfNeeded: digits &>> 24)
  bytes[end &+ 2] = UInt8(ascii: ":")
  bytes[end &+ 3] = UInt8(truncatingIfNeeded: digits &>> 32)
  bytes[end &+ 4] = UInt8(truncatingIfNeeded: digits &>> 40)
  bytes[end &+ 5] = UInt8(ascii: ":")
  bytes[end &+ 6] = UInt8(truncatingIfNeeded: digits &>> 48)
  bytes[end &+ 7] = UInt8(truncatingIfNeeded: digits &>> 56)
  bytes[end &+ 8] = UInt8(ascii: ".")
  end &+= 9
}

/// A day as text, `2026-11-20T`. It is cached, because nearly all records are of the same day.
struct DateText: Sendable {
  /// Days since 1970-01-01.
  let day: Int
  let text: ShortText

  init(day: Int) {
    self.day = day
    let date = CivilDate(daysSince1970: day)
    var text = TextBuffer()
    text.append(integer: date.year, digits: 4)
    text.append(character: "-")
    text.append(integer: date.month, digits: 2)
    text.append(character: "-")
    text.append(integer: date.day, digits: 2)
    text.append(character: "T")
    self.text = ShortText(text.bytes)
  }
}
