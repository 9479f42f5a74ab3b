extension [UInt8] {
  mutating func append(text: String) { append(contentsOf: text.utf8) }

  mutating func append(character: Unicode.Scalar) { append(UInt8(ascii: character)) }

  mutating func append(integer: Int) {
    var digits = Digits()
    digits.prepend(UInt64(integer.magnitude), fewest: 1)
    if integer < 0 { digits.prepend("-") }
    append(digits)
  }

  /// Appends the integer with zeros before it, to so many digits at least.
  mutating func append(integer: Int, digits count: Int) {
    var digits = Digits()
    digits.prepend(UInt64(integer.magnitude), fewest: count)
    append(digits)
  }

  /// Appends the shortest decimal that reads back as the same number, with a point and without an
  /// exponent: `7.0`, `0.00001`.
  mutating func append(number: Double) {
    // Below 4 million a billionth is wider than the gap between two doubles, so that a decimal of
    // nine places that reads back is the only one, and its trailing zeros can go.
    if number.magnitude < 4_000_000 {
      let billionths = (number * 1e9).rounded()
      if billionths / 1e9 == number, billionths != 0 || number.sign == .plus {
        append(Digits(scaled: Int64(billionths), places: 9, fewestPlaces: 1))
        return
      }
    }
    append(withoutExponent: number.description)
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
    append(Digits(scaled: Int64(scaled), places: places, fewestPlaces: fewestPlaces))
  }

  private mutating func append(_ digits: Digits) {
    append(addingCapacity: digits.count) { output in
      for index in digits.start..<Digits.capacity { output.append(digits.bytes[index]) }
    }
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

/// The characters of one number, filled from its end.
private struct Digits {
  static let capacity = 24

  var bytes = InlineArray<24, UInt8>(repeating: 0)
  var start = Digits.capacity

  init() {}

  /// A number that was multiplied by ten to the power of `places`.
  init(scaled: Int64, places: Int, fewestPlaces: Int) {
    var rest = scaled.magnitude
    var places = places
    while places > fewestPlaces, rest % 10 == 0 {
      rest /= 10
      places -= 1
    }
    for _ in 0..<places {
      prepend(UInt8(truncatingIfNeeded: rest % 10) + 0x30)
      rest /= 10
    }
    if places > 0 { prepend(UInt8(ascii: ".")) }
    prepend(rest, fewest: 1)
    if scaled < 0 { prepend("-") }
  }

  var count: Int { Digits.capacity - start }

  mutating func prepend(_ byte: UInt8) {
    start -= 1
    bytes[start] = byte
  }

  mutating func prepend(_ character: Unicode.Scalar) { prepend(UInt8(ascii: character)) }

  mutating func prepend(_ number: UInt64, fewest: Int) {
    var rest = number
    var missing = fewest
    while rest > 0 || missing > 0 {
      prepend(UInt8(truncatingIfNeeded: rest % 10) + 0x30)
      rest /= 10
      missing -= 1
    }
  }
}
