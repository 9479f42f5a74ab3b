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
  /// Eight bytes as one word, the first lowest. One check covers them all, so that they are loaded
  /// at once.
  @inline(__always)
  func eightBytes(at index: Int) -> UInt64 {
    let bytes = extracting(index..<index &+ 8)
    let low =
      UInt64(bytes[0]) | UInt64(bytes[1]) &<< 8 | UInt64(bytes[2]) &<< 16
      | UInt64(bytes[3]) &<< 24
    let high =
      UInt64(bytes[4]) | UInt64(bytes[5]) &<< 8 | UInt64(bytes[6]) &<< 16
      | UInt64(bytes[7]) &<< 24
    return low | high &<< 32
  }
}
