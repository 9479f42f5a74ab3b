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
    for position in 0..<digits {
      // One character stays the point.
      index -= position == decimal.places && position > 0 ? 2 : 1
      characters[index] = rest.takeLastDigit()
    }
  }
}

extension UInt64 {
  fileprivate var digitCount: Int {
    var count = 1
    var limit: UInt64 = 10
    while self >= limit, count < 19 {
      limit &*= 10
      count += 1
    }
    return self >= 10_000_000_000_000_000_000 ? 20 : count
  }

  fileprivate mutating func takeLastDigit() -> UInt8 {
    let digit = UInt8(truncatingIfNeeded: self % 10)
    self /= 10
    return digit + 0x30
  }
}
