extension TextBuffer {
  /// - Parameter key: What to write before it, in the same stroke.
  mutating func append(integer: Int, after key: ShortText = .none) {
    append(upTo: ShortText.longest + 24) { bytes, end in
      bytes.store(key, at: &end)
      bytes.store(integer: integer, at: &end)
    }
  }

  /// Appends the integer, which is not negative, with zeros before it to exactly so many digits.
  /// No more than 8 digits.
  mutating func append(integer: Int, digits: Int) {
    append(upTo: 8) {
      $0.store(EightDigits(integer).ascii(without: 8 - digits), length: digits, at: &$1)
    }
  }

  /// Appends the shortest decimal that reads back as the same number, with a point and without an
  /// exponent: `7.0`, `0.00001`.
  ///
  /// - Parameter key: What to write before it, in the same stroke.
  mutating func append(number: Double, after key: ShortText = .none) {
    guard let decimal = ShortDecimal(exactly: number) else {
      return append(longNumber: number, after: key)
    }
    append(upTo: ShortText.longest + Decimal.longest) { bytes, end in
      bytes.store(key, at: &end)
      bytes.store(decimal, at: &end)
    }
  }

  @inline(never)
  private mutating func append(longNumber number: Double, after key: ShortText) {
    guard let decimal = Decimal(exactly: number) else {
      append(key)
      return append(withoutExponent: number.description)
    }
    append(upTo: ShortText.longest + Decimal.longest) { bytes, end in
      bytes.store(key, at: &end)
      bytes.store(decimal, at: &end)
    }
  }

  /// Appends the number rounded to so many places, without zeros at its end but for the first
  /// place. No more than 9 places.
  mutating func append(rounded number: Double, places: Int) {
    append(number, places: places, fewestPlaces: 1)
  }

  /// Appends the number with exactly so many places, from 0 to 9.
  mutating func append(_ number: Double, places: Int) {
    append(number, places: places, fewestPlaces: places)
  }

  private mutating func append(_ number: Double, places: Int, fewestPlaces: Int) {
    let scaled = (number * powersOfTen[places]).rounded()
    guard scaled.magnitude < 1e18 else { return append(number: number) }
    let decimal = Decimal(
      scaled: Int64(scaled), places: places, fewestPlaces: fewestPlaces)
    append(upTo: Decimal.longest) { $0.store(decimal, at: &$1) }
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
      // `description` has an exponent only where the digits end before the point.
      append(contentsOf: digits)
      append(contentsOf: repeatElement(UInt8(ascii: "0"), count: exponent + 1 - digits.count))
      append(text: ".0")
    }
  }
}

private let powersOfTen: InlineArray<10, Double> = [
  1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9,
]
