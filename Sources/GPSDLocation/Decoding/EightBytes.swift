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
    UInt64(marks(of: byte).trailingZeroBitCount) & ~7
  }

  /// The highest bit of each byte that is no digit.
  @inline(__always)
  var marksOfOtherThanDigits: UInt64 {
    let highest: UInt64 = 0x8080_8080_8080_8080
    let values = self ^ 0x3030_3030_3030_3030
    // A byte from 10 on reaches its highest bit with 0x76 more, and never the next byte.
    return (values | ((values & ~highest) &+ 0x7676_7676_7676_7676)) & highest
  }

  /// The number that eight digits are, the first lowest; zero bytes before them count as zeros.
  @inline(__always)
  var numberOfEightDigits: UInt64 {
    // Neighbours are joined, to pairs, to fours, to eight: each multiplication adds the upper to ten,
    // a hundred, ten thousand times the lower.
    let pairs = ((self & 0x0F0F_0F0F_0F0F_0F0F) &* 2561) &>> 8
    let fours = ((pairs & 0x00FF_00FF_00FF_00FF) &* 6_553_601) &>> 16
    return ((fours & 0x0000_FFFF_0000_FFFF) &* 42_949_672_960_001) &>> 32
  }

  /// The highest bit of the lowest byte that is `byte`, and perhaps of higher bytes; 0 where none is.
  @inline(__always)
  func marks(of byte: UInt8) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    // A byte that is zero borrows when one is taken from it; the lowest that did is one for sure.
    let difference = self ^ (ones &* UInt64(byte))
    return (difference &- ones) & ~difference & (ones &<< 7)
  }
}
