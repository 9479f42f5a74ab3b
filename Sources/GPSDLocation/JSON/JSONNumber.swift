/// The powers of ten from 10^0 to 10^15.
private let powersOfTen: InlineArray<16, Double> = [
  1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
]

extension Span where Element == UInt8 {
  /// Reads a number, with the same result as strtod; `nil` if it is too large for a `Double`.
  func number(_ index: inout Int) throws(MalformedReport) -> Double? {
    let isNegative = byte(index) == UInt8(ascii: "-")
    let start = isNegative ? index &+ 1 : index
    let (magnitude, end) = plainNumber(at: start)
    guard end > start else { return try longNumber(&index) }
    index = end
    return isNegative ? -magnitude : magnitude
  }

  /// Reads a number in the most common form: without a sign or an exponent, and with at most 15
  /// digits. `end` equals `start` for any other number, and if there is none.
  ///
  /// An integer below 2^53 and a power of ten up to 10^22 are exact, so that their quotient is
  /// rounded only once, and so correctly. The method calls and throws nothing, so that it can use all
  /// registers.
  @inline(never)
  func plainNumber(at start: Int) -> (number: Double, end: Int) {
    var index = start
    var mantissa = digits(&index, after: 0)
    let whole = index &- start
    var decimals = 0
    if byte(index) == UInt8(ascii: ".") {
      index &+= 1
      let fraction = index
      mantissa = digits(&index, after: mantissa)
      decimals = index &- fraction
      guard decimals > 0 else { return (0, start) }
    }
    guard
      whole == 1 || (whole > 1 && byte(start) != UInt8(ascii: "0")),
      whole &+ decimals <= 15, byte(index) | 0x20 != UInt8(ascii: "e")
    else { return (0, start) }
    return (Double(Int64(bitPattern: mantissa)) / powersOfTen[decimals], index)
  }

  @inline(__always)
  private func digits(_ index: inout Int, after leading: UInt64) -> UInt64 {
    var value = leading
    var digit = byte(index) &- UInt8(ascii: "0")
    while digit <= 9 {
      value = value &* 10 &+ UInt64(digit)
      index &+= 1
      digit = byte(index) &- UInt8(ascii: "0")
    }
    return value
  }

  @inline(never)
  private func longNumber(_ index: inout Int) throws(MalformedReport) -> Double? {
    let start = index
    if byte(index) == UInt8(ascii: "-") { index += 1 }
    let whole = index
    try skipDigits(&index)
    guard byte(whole) != UInt8(ascii: "0") || index == whole + 1 else { throw MalformedReport() }
    if byte(index) == UInt8(ascii: ".") {
      index += 1
      try skipDigits(&index)
    }
    if byte(index) | 0x20 == UInt8(ascii: "e") {
      index += 1
      if byte(index) == UInt8(ascii: "+") || byte(index) == UInt8(ascii: "-") { index += 1 }
      try skipDigits(&index)
    }
    guard let number = Double(try text(at: start..<index)) else { throw MalformedReport() }
    return number.isFinite ? number : nil
  }

  private func skipDigits(_ index: inout Int) throws(MalformedReport) {
    let start = index
    _ = digits(&index, after: 0)
    guard index > start else { throw MalformedReport() }
  }
}
