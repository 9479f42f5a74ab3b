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

extension UInt64 {
  /// How many bits are below the lowest byte that is `byte`; 64 where none is.
  @inline(__always)
  func bits(before byte: UInt8) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    // A byte that is zero borrows when one is taken from it; the lowest that did is one for sure.
    let difference = self ^ (ones &* UInt64(byte))
    let marks = (difference &- ones) & ~difference & (ones &<< 7)
    return UInt64(marks.trailingZeroBitCount) & ~7
  }
}
