/// A number with up to nine decimal places.
struct Decimal {
  /// The most bytes that are stored for one: sign, nineteen digits, point and nine digits.
  static var longest: Int { 32 }

  let isNegative: Bool
  /// What stands before the point.
  let whole: UInt64
  /// The first eight places, and the ninth.
  let fraction: EightDigits
  let ninth: UInt8
  /// How many of the nine places are shown.
  let places: Int

  /// A number that was multiplied by ten to the power of `places`, which are no more than nine.
  ///
  /// - Parameter fewestPlaces: Zeros at the end are left out down to so many places.
  init(scaled: Int64, places: Int, fewestPlaces: Int) {
    let (whole, rest) = scaled.magnitude.quotientAndRemainder(dividingBy: powersOfTen[places])
    self.init(
      isNegative: scaled < 0, whole: whole, billionths: rest * powersOfTen[9 - places],
      fewestPlaces: fewestPlaces)
  }

  /// The shortest decimal that reads back as `number`, where nine places are enough for it.
  @inline(__always)
  init?(exactly number: Double) {
    // Below 4 million a billionth is wider than the gap between two doubles, so that a decimal of
    // nine places that reads back is the only one, and its trailing zeros can go.
    let magnitude = number.magnitude
    guard magnitude < 4_000_000 else { return nil }
    guard let scaled = magnitude.scaled(by: 1e9) else { return nil }
    self.init(
      isNegative: number.sign == .minus, whole: scaled / 1_000_000_000,
      billionths: scaled % 1_000_000_000, fewestPlaces: 1)
  }

  @inline(__always)
  private init(isNegative: Bool, whole: UInt64, billionths: UInt64, fewestPlaces: Int) {
    self.isNegative = isNegative
    self.whole = whole
    fraction = EightDigits(billionths / 10)
    ninth = UInt8(truncatingIfNeeded: billionths % 10)
    places = ninth == 0 ? max(8 - fraction.trailingZeros, fewestPlaces) : 9
  }
}

extension Double {
  /// The whole number nearest to `self * scale`, which is less than 2^52, if it leads back to
  /// `self`.
  @inline(__always)
  func scaled(by scale: Double) -> UInt64? {
    // The last bit of a double from 2^52 on is a one: the sum has no fraction any more.
    let sum = self * scale + 0x1p52
    guard (sum - 0x1p52) / scale == self else { return nil }
    return sum.bitPattern & 0xf_ffff_ffff_ffff
  }
}

/// 10 to the power of 0 to 9.
private let powersOfTen: InlineArray<10, UInt64> = [
  1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000,
]
