extension MutableSpan<UInt8> {
  mutating func store(integer: Int, at end: inout Int) {
    store("-", at: &end)
    if integer >= 0 { end -= 1 }
    store(magnitude: UInt64(integer.magnitude), at: &end)
  }

  @inline(__always)
  private mutating func store(magnitude: UInt64, at end: inout Int) {
    guard magnitude < 100_000_000 else { return store(longMagnitude: magnitude, at: &end) }
    let digits = EightDigits(magnitude)
    let zeros = min(digits.leadingZeros, 7)
    store(digits.ascii(without: zeros), length: 8 - zeros, at: &end)
  }

  @inline(never)
  private mutating func store(longMagnitude magnitude: UInt64, at end: inout Int) {
    store(magnitude: magnitude / 100_000_000, at: &end)
    store(EightDigits(magnitude % 100_000_000).ascii, length: 8, at: &end)
  }

  @inline(__always)
  mutating func store(_ decimal: Decimal, at end: inout Int) {
    store("-", at: &end)
    if !decimal.isNegative { end -= 1 }
    store(magnitude: decimal.whole, at: &end)
    guard decimal.places > 0 else { return }
    store(".", at: &end)
    store(decimal.fraction.ascii, length: 8, at: &end)
    self[end] = UInt8(ascii: "0") | decimal.ninth
    end -= 8 - decimal.places
  }
}
