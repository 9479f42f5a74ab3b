/// A short string in two machine words, so that names are compared and looked up without a loop.
struct JSONKey: Hashable, Sendable {
  /// The first eight bytes, the first of them lowest, and zeros where there are fewer.
  var head: UInt64 = 0
  /// The next eight.
  var tail: UInt64 = 0

  /// Any string that is empty, longer than sixteen bytes, or has a NUL inside: no name that gpsd
  /// uses. The bytes 0xFF that it is made of occur in no string.
  static let unknown = JSONKey(head: .max, tail: .max)

  @inline(__always)
  init(head: UInt64, tail: UInt64) {
    self.head = head
    self.tail = tail
  }

  init(_ bytes: Span<UInt8>) {
    guard 1...16 ~= bytes.count else {
      self = .unknown
      return
    }
    for index in bytes.indices {
      guard bytes[index] != 0 else {
        self = .unknown
        return
      }
      let byte = UInt64(bytes[index]) &<< UInt64(index % 8 * 8)
      if index < 8 { head |= byte } else { tail |= byte }
    }
  }
}

extension Span where Element == UInt8 {
  /// The string of 1 to 15 bytes that begins there with a quote, and where it ends.
  ///
  /// It is not checked: an escape, or a byte that may not be in a string, makes a key that is in no
  /// table. `nil` also for a string too near to the end of the line, and for one that is empty or
  /// ends with a NUL: as a key it would be an empty place in a table, or the string without the NUL.
  @inline(__always)
  func shortKey(at index: Int) -> (key: JSONKey, end: Int)? {
    guard index &+ 17 <= count, byte(index) == UInt8(ascii: "\"") else { return nil }
    let quote = UInt8(ascii: "\"")
    let head = eightBytes(at: index &+ 1)
    let headBits = head.bits(before: quote)
    let key: JSONKey
    let end: Int
    if headBits < 64 {
      key = JSONKey(head: head & ((1 &<< headBits) &- 1), tail: 0)
      end = index &+ 2 &+ Int(headBits &>> 3)
    } else {
      let tail = eightBytes(at: index &+ 9)
      let tailBits = tail.bits(before: quote)
      guard tailBits < 64 else { return nil }
      key = JSONKey(head: head, tail: tail & ((1 &<< tailBits) &- 1))
      end = index &+ 10 &+ Int(tailBits &>> 3)
    }
    // The byte before the closing quote is the opening one where the string is empty. No name ends
    // with a byte as low.
    guard byte(end &- 2) > quote else { return nil }
    return (key, end)
  }
}
