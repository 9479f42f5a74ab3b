package import LocationCore

extension TextBuffer {
  /// Appends the time, such as `2026-11-20T07:05:12.000Z`, with 3, 6 or 9 decimal places as needed.
  package mutating func append(time: Timestamp) { append(time, isExact: true) }

  /// Appends the time, truncated to the millisecond.
  package mutating func append(milliseconds time: Timestamp) { append(time, isExact: false) }

  /// - Parameter key: Includes the quotation mark before the time.
  package mutating func append(jsonTime time: Timestamp, after key: ShortText) {
    append(key)
    append(time: time)
    append(character: "\"")
  }

  /// - Parameter key: Includes the quotation mark before the time.
  package mutating func append(jsonMilliseconds time: Timestamp, after key: ShortText) {
    append(key)
    append(milliseconds: time)
    append(character: "\"")
  }

  private mutating func append(_ time: Timestamp, isExact: Bool) {
    append(upTo: Timestamp.maximumISO8601Length) {
      time.storeISO8601(isExact: isExact, in: &$0, at: &$1)
    }
  }
}

extension Timestamp {
  /// The whole seconds since 1970, rounded down.
  package var secondsSince1970: Int64 {
    nanosecondsSince1970.dividedDown(by: 1_000_000_000).quotient
  }

  /// The whole milliseconds since 1970, rounded down.
  package var millisecondsSince1970: Int64 {
    nanosecondsSince1970.dividedDown(by: 1_000_000).quotient
  }
}
