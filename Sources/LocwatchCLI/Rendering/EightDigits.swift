/// Eight decimal digits, one in each byte, the first in the lowest.
struct EightDigits {
  private let digits: UInt64

  /// - Parameter number: From 0 to 99,999,999.
  @inline(__always)
  init(_ number: some BinaryInteger) {
    // All halves, then all pairs, then all digits are parted at once, in lanes that their
    // quotients by 100 and 10 (as multiplication by 10486 / 2^20 and 103 / 2^10) never leave.
    let number = UInt64(truncatingIfNeeded: number)
    let halves = number / 10_000 | (number % 10_000) &<< 32
    let hundreds = (halves &* 10_486) &>> 20 & 0x7f_0000_007f
    let pairs = hundreds | (halves &- 100 &* hundreds) &<< 16
    let tens = (pairs &* 103) &>> 10 & 0x000f_000f_000f_000f
    digits = tens | (pairs &- 10 &* tens) &<< 8
  }

  /// The digits as characters.
  var ascii: UInt64 { digits | 0x3030_3030_3030_3030 }

  /// How many zeros stand before the first other digit: eight, if there is none.
  var leadingZeros: Int { digits.trailingZeroBitCount &>> 3 }
  /// How many zeros stand behind the last other digit: eight, if there is none.
  var trailingZeros: Int { digits.leadingZeroBitCount &>> 3 }

  /// The digits as characters, but for the first ones.
  func ascii(without first: Int) -> UInt64 { ascii &>> UInt64(truncatingIfNeeded: first &* 8) }
}
