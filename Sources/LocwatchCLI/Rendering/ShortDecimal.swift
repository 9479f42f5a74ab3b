/// A decimal of up to four digits before the point and four behind it. Nearly all that a receiver
/// says is one, but for its position.
struct ShortDecimal {
  fileprivate let isNegative: Bool
  fileprivate let digits: EightDigits

  /// The shortest decimal that reads back as `number`, if it is a short one.
  @inline(__always)
  init?(exactly number: Double) {
    guard number.magnitude < 10_000, let scaled = number.magnitude.scaled(by: 1e4) else {
      return nil
    }
    isNegative = number.sign == .minus
    digits = EightDigits(scaled)
  }
}

extension MutableSpan<UInt8> {
  @inline(__always)
  mutating func store(_ decimal: ShortDecimal, at end: inout Int) {
    store("-", at: &end)
    if !decimal.isNegative { end -= 1 }
    let digits = decimal.digits.ascii
    let point = UInt64(UInt8(ascii: ".")) &<< 32
    let zeros = min(decimal.digits.leadingZeros, 3)
    let places = max(4 - decimal.digits.trailingZeros, 1)
    // All nine characters but for the last, less the zeros before them.
    let word = (digits & 0xffff_ffff | point | (digits &>> 32) &<< 40) &>> UInt64(zeros &* 8)
    store(word, length: 8 - zeros, at: &end)
    self[end] = UInt8(truncatingIfNeeded: digits &>> 56)
    end -= 3 - places
  }
}
