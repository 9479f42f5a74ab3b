extension TextBuffer {
  /// Appends the integer.
  ///
  /// - Parameter key: The text before the integer.
  package mutating func append(integer: Int, after key: ShortText = .none) {
    append(upTo: ShortText.maximumLength + 24) { bytes, end in
      store(key, in: &bytes, at: &end)
      store(integer: integer, in: &bytes, at: &end)
    }
  }

  /// Appends an integer that is not negative, with leading zeros, in exactly `digits` digits, at
  /// most 8.
  package mutating func append(integer: Int, digits: Int) {
    append(upTo: 8) {
      store(EightDigits(integer).ascii(without: 8 - digits), length: digits, in: &$0, at: &$1)
    }
  }

  /// Appends a character and such an integer.
  package mutating func append(_ character: Unicode.Scalar, integer: Int, digits: Int) {
    append(upTo: 9) {
      store(character, in: &$0, at: &$1)
      store(EightDigits(integer).ascii(without: 8 - digits), length: digits, in: &$0, at: &$1)
    }
  }

  /// Appends the shortest decimal that reads back as the same number, with a decimal point and
  /// without an exponent: `7.0`, `0.00001`.
  ///
  /// - Parameter key: The text before the number.
  package mutating func append(number: Double, after key: ShortText = .none) {
    if let short = ShortDecimal(exactly: number) {
      return append(upTo: ShortText.maximumLength + Decimal.maximumLength) { bytes, end in
        store(key, in: &bytes, at: &end)
        store(short, in: &bytes, at: &end)
      }
    }
    guard let decimal = Decimal(exactly: number) else {
      append(key)
      return append(withoutExponent: number.description)
    }
    append(upTo: ShortText.maximumLength + Decimal.maximumLength) { bytes, end in
      store(key, in: &bytes, at: &end)
      store(decimal, in: &bytes, at: &end)
    }
  }

  /// Appends the number rounded to `places` decimal places, at most 9, without trailing zeros after
  /// the first place.
  package mutating func append(rounded number: Double, places: Int) {
    append(number, places: places, minimumPlaces: 1)
  }

  /// Appends the number with exactly `places` decimal places, from 0 to 9. A number with 18 or more digits before and
  /// after the point has as many places as ``append(number:)`` gives it.
  package mutating func append(_ number: Double, places: Int) {
    append(number, places: places, minimumPlaces: places)
  }

  private mutating func append(_ number: Double, places: Int, minimumPlaces: Int) {
    let scaled = (number * Double(powersOfTen[places])).rounded()
    guard scaled.magnitude < 1e18 else { return append(number: number) }
    let decimal = Decimal(
      scaled: Int64(scaled), places: places, minimumPlaces: minimumPlaces)
    append(upTo: Decimal.maximumLength) { store(decimal, in: &$0, at: &$1) }
  }

  /// Writes `-1.25e-07` as `-0.000000125` and `1.5e+20` as `150000000000000000000.0`.
  private mutating func append(withoutExponent description: String) {
    let bytes = Array(description.utf8)
    guard let mark = bytes.firstIndex(of: UInt8(ascii: "e")),
      let exponent = Int(description.dropFirst(mark + 1))
    else { return append(contentsOf: bytes) }
    var mantissa = bytes[..<mark]
    if mantissa.first == UInt8(ascii: "-") { append(mantissa.removeFirst()) }
    let digits = mantissa.filter { $0 != UInt8(ascii: ".") }
    if exponent < 0 {
      append(text: "0.")
      append(contentsOf: repeatElement(UInt8(ascii: "0"), count: -exponent - 1))
      append(contentsOf: digits)
    } else {
      // `description` has an exponent only if all digits are before the point.
      append(contentsOf: digits)
      append(contentsOf: repeatElement(UInt8(ascii: "0"), count: exponent + 1 - digits.count))
      append(text: ".0")
    }
  }
}

/// A number below 10,000 with up to four decimal places, like most numbers that receivers report.
struct ShortDecimal {
  let isNegative: Bool
  /// Four digits before the point, and four after it.
  let digits: EightDigits

  /// Creates the shortest decimal that reads back as `number`, as `Decimal` does; `nil` if it has more digits.
  @inline(__always)
  init?(exactly number: Double) {
    let magnitude = number.magnitude
    guard magnitude < 10_000 else { return nil }
    guard let scaled = magnitude.scaled(by: 10_000) else { return nil }
    isNegative = number.sign == .minus
    digits = EightDigits(scaled)
  }
}

/// A number with up to nine decimal places.
struct Decimal {
  /// The maximum number of bytes for one number: sign, 19 digits, point, 9 digits and padding.
  static var maximumLength: Int { 32 }

  let isNegative: Bool
  /// The digits before the point.
  let whole: UInt64
  /// The first eight decimal places, followed by the ninth.
  let fraction: EightDigits
  let ninth: UInt8
  /// How many decimal places are shown.
  let places: Int

  /// Creates a number that was multiplied by ten to the power of `places`, at most 9.
  ///
  /// - Parameter minimumPlaces: The places that are kept when trailing zeros are removed.
  init(scaled: Int64, places: Int, minimumPlaces: Int) {
    let (whole, rest) = scaled.magnitude.quotientAndRemainder(dividingBy: powersOfTen[places])
    self.init(
      isNegative: scaled < 0, whole: whole, billionths: rest * powersOfTen[9 - places],
      minimumPlaces: minimumPlaces)
  }

  /// Creates the shortest decimal that reads back as `number`; `nil` if it needs more than nine
  /// places.
  @inline(__always)
  init?(exactly number: Double) {
    // Below 4 million, a billionth is wider than the gap between two doubles. So only one decimal
    // of nine places reads back, and its trailing zeros can be removed.
    let magnitude = number.magnitude
    guard magnitude < 4_000_000 else { return nil }
    guard let scaled = magnitude.scaled(by: 1e9) else { return nil }
    self.init(
      isNegative: number.sign == .minus, whole: scaled / 1_000_000_000,
      billionths: scaled % 1_000_000_000, minimumPlaces: 1)
  }

  @inline(__always)
  private init(isNegative: Bool, whole: UInt64, billionths: UInt64, minimumPlaces: Int) {
    self.isNegative = isNegative
    self.whole = whole
    fraction = EightDigits(billionths / 10)
    ninth = UInt8(truncatingIfNeeded: billionths % 10)
    places = ninth == 0 ? max(8 - fraction.trailingZeros, minimumPlaces) : 9
  }
}

extension Double {
  /// Returns the product as an integer that gives the same number when divided by `factor`; `nil` if there is
  /// none. The number must not be negative, and the product must be below 2^52.
  @inline(__always)
  fileprivate func scaled(by factor: Double) -> UInt64? {
    // From 2^52 on, the last bit of a double is worth 1, so the sum is rounded to an integer.
    let sum = self * factor + 0x1p52
    guard (sum - 0x1p52) / factor == self else { return nil }
    return sum.bitPattern & 0xf_ffff_ffff_ffff
  }
}

/// 10 to the power of 0 to 9.
let powersOfTen: [UInt64] = [
  1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000,
]

/// Eight decimal digits, one in each byte, the first in the lowest.
struct EightDigits {
  private let digits: UInt64

  /// - Parameter number: From 0 to 99,999,999.
  @inline(__always)
  init(_ number: some BinaryInteger) {
    // Splits the number into halves, pairs and digits, all lanes at once. The divisions by 100 and
    // 10 are multiplications by 10486 / 2^20 and 103 / 2^10, which do not overflow a lane.
    let number = UInt64(truncatingIfNeeded: number)
    let halves = number / 10_000 | (number % 10_000) &<< 32
    let hundreds = (halves &* 10_486) &>> 20 & 0x7f_0000_007f
    let pairs = hundreds | (halves &- 100 &* hundreds) &<< 16
    let tens = (pairs &* 103) &>> 10 & 0x000f_000f_000f_000f
    digits = tens | (pairs &- 10 &* tens) &<< 8
  }

  /// The digits as characters.
  var ascii: UInt64 { digits | 0x3030_3030_3030_3030 }

  /// The number of leading zeros; eight for zero.
  var leadingZeros: Int { digits.trailingZeroBitCount &>> 3 }
  /// The number of trailing zeros; eight for zero.
  var trailingZeros: Int { digits.leadingZeroBitCount &>> 3 }

  /// Returns the digits as characters, without the first ones.
  func ascii(without first: Int) -> UInt64 { ascii &>> UInt64(truncatingIfNeeded: first &* 8) }
}

func store(integer: Int, in bytes: inout MutableSpan<UInt8>, at end: inout Int) {
  store("-", in: &bytes, at: &end)
  if integer >= 0 { end -= 1 }
  store(magnitude: UInt64(integer.magnitude), in: &bytes, at: &end)
}

@inline(__always)
private func store(magnitude: UInt64, in bytes: inout MutableSpan<UInt8>, at end: inout Int) {
  guard magnitude < 100_000_000 else {
    return store(longMagnitude: magnitude, in: &bytes, at: &end)
  }
  let digits = EightDigits(magnitude)
  let zeros = min(digits.leadingZeros, 7)
  store(digits.ascii(without: zeros), length: 8 - zeros, in: &bytes, at: &end)
}

@inline(never)
private func store(
  longMagnitude magnitude: UInt64, in bytes: inout MutableSpan<UInt8>, at end: inout Int
) {
  store(magnitude: magnitude / 100_000_000, in: &bytes, at: &end)
  store(EightDigits(magnitude % 100_000_000).ascii, length: 8, in: &bytes, at: &end)
}

@inline(__always)
func store(_ decimal: ShortDecimal, in bytes: inout MutableSpan<UInt8>, at end: inout Int) {
  if decimal.isNegative { store("-", in: &bytes, at: &end) }
  let zeros = min(decimal.digits.leadingZeros, 3)
  store(decimal.digits.ascii(without: zeros), length: 4 - zeros, in: &bytes, at: &end)
  store(".", in: &bytes, at: &end)
  let places = 4 - min(decimal.digits.trailingZeros, 3)
  store(decimal.digits.ascii(without: 4), length: places, in: &bytes, at: &end)
}

@inline(__always)
func store(_ decimal: Decimal, in bytes: inout MutableSpan<UInt8>, at end: inout Int) {
  if decimal.isNegative { store("-", in: &bytes, at: &end) }
  store(magnitude: decimal.whole, in: &bytes, at: &end)
  guard decimal.places > 0 else { return }
  store(".", in: &bytes, at: &end)
  guard decimal.places == 9 else {
    return store(decimal.fraction.ascii, length: decimal.places, in: &bytes, at: &end)
  }
  store(decimal.fraction.ascii, length: 8, in: &bytes, at: &end)
  bytes[end] = UInt8(ascii: "0") | decimal.ninth
  end &+= 1
}
