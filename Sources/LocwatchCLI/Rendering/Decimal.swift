/// A decimal, as the whole number that it is without its point.
struct Decimal {
  private(set) var magnitude: UInt64
  private(set) var places = 0
  let isNegative: Bool

  init(_ integer: Int) {
    magnitude = UInt64(integer.magnitude)
    isNegative = integer < 0
  }

  /// A number that was multiplied by ten to the power of `places`; zeros at its end are taken off
  /// down to so many places.
  init(scaled: Int64, places: Int, fewestPlaces: Int) {
    magnitude = scaled.magnitude
    self.places = places
    isNegative = scaled < 0
    // Most of what a receiver says has four places at the most.
    if places == 9, fewestPlaces <= 4, magnitude % 100_000 == 0 {
      magnitude /= 100_000
      self.places = 4
    }
    while self.places > fewestPlaces, magnitude % 10 == 0 {
      magnitude /= 10
      self.places -= 1
    }
  }

  /// The shortest decimal that reads back as `number`, where nine places are enough for it.
  init?(exactly number: Double) {
    // Below 4 million a billionth is wider than the gap between two doubles, so that a decimal of
    // nine places that reads back is the only one, and its trailing zeros can go.
    guard number.magnitude < 4_000_000 else { return nil }
    let billionths = (number * 1e9).rounded()
    guard billionths / 1e9 == number, billionths != 0 || number.sign == .plus else { return nil }
    self.init(scaled: Int64(billionths), places: 9, fewestPlaces: 1)
  }
}

extension OutputSpan<UInt8> {
  /// Appends the number with zeros before it, to exactly so many digits.
  mutating func append(_ number: Int, digits: Int) {
    append(repeating: 0, count: digits)
    var rest = UInt64(number)
    var index = count
    var characters = mutableSpan
    for _ in 0..<digits {
      index -= 1
      characters[index] = rest.takeLastDigit()
    }
  }

  mutating func append(_ decimal: Decimal) {
    if decimal.isNegative { append(UInt8(ascii: "-")) }
    let digits = max(decimal.magnitude.digitCount, decimal.places + 1)
    append(repeating: UInt8(ascii: "."), count: decimal.places > 0 ? digits + 1 : digits)
    var rest = decimal.magnitude
    var index = count
    var characters = mutableSpan
    for _ in 0..<decimal.places {
      index -= 1
      characters[index] = rest.takeLastDigit()
    }
    // One character stays the point.
    if decimal.places > 0 { index -= 1 }
    for _ in decimal.places..<digits {
      index -= 1
      characters[index] = rest.takeLastDigit()
    }
  }
}

extension UInt64 {
  fileprivate var digitCount: Int {
    // 1233 / 4096 is the logarithm of 2 to the base of ten: right, or one too small.
    let least = ((64 - (self | 1).leadingZeroBitCount) * 1233) >> 12
    return least + (least < 20 && self >= powersOfTen[least] ? 1 : 0)
  }

  fileprivate mutating func takeLastDigit() -> UInt8 {
    let digit = UInt8(truncatingIfNeeded: self % 10)
    self /= 10
    return digit + 0x30
  }
}

/// 10 to the power of 0 to 19. Zero has a digit, too.
private let powersOfTen: InlineArray<20, UInt64> = [
  0, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000,
  10_000_000_000, 100_000_000_000, 1_000_000_000_000, 10_000_000_000_000, 100_000_000_000_000,
  1_000_000_000_000_000, 10_000_000_000_000_000, 100_000_000_000_000_000,
  1_000_000_000_000_000_000, 10_000_000_000_000_000_000,
]
