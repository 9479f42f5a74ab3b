/// 10 to the power of 0 to 22: those that a `Double` holds exactly.
private let powersOfTen: InlineArray<23, Double> = [
  1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17,
  1e18, 1e19, 1e20, 1e21, 1e22,
]

extension Span where Element == UInt8 {
  /// Reads a number, to the same bits as strtod; `nil` where it is too large for a `Double`.
  ///
  /// Digits that make an integer up to 2^53, divided by an exact power of ten, are rounded once and
  /// so correctly. Everything else goes the slow way.
  @inline(__always)
  func number(_ index: inout Int) throws(NotJSON) -> Double? {
    let start = index
    let isNegative = byte(index) == UInt8(ascii: "-")
    if isNegative { index &+= 1 }
    let wholeStart = index
    var mantissa = digits(&index, after: 0)
    var count = index - wholeStart
    guard count > 0, byte(wholeStart) != UInt8(ascii: "0") || count == 1 else { throw NotJSON() }
    var decimals = 0
    if byte(index) == UInt8(ascii: ".") {
      index &+= 1
      let fractionStart = index
      mantissa = digits(&index, after: mantissa)
      decimals = index - fractionStart
      count += decimals
      guard decimals > 0 else { throw NotJSON() }
    }
    // 19 digits cannot overflow, and leave no more than 18 behind the point.
    guard byte(index) | 0x20 != UInt8(ascii: "e"), count <= 19, mantissa <= 1 << 53 else {
      let (number, end) = try longNumber(from: start, exponent: index)
      index = end
      return number
    }
    let magnitude = Double(mantissa) / powersOfTen[decimals]
    return isNegative ? -magnitude : magnitude
  }

  /// The integer of one to four digits that is there, and nothing but an integer.
  @inline(__always)
  func shortInteger(at start: Int) -> (integer: Int, end: Int)? {
    var index = start
    let value = digits(&index, after: 0)
    guard
      1...4 ~= index &- start, byte(index) == UInt8(ascii: ",") || byte(index) == UInt8(ascii: "}"),
      byte(start) != UInt8(ascii: "0") || index == start &+ 1
    else { return nil }
    return (Int(truncatingIfNeeded: value), index)
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

  /// - Parameter exponent: Where the digits end, and an exponent may follow.
  @inline(never)
  private func longNumber(
    from start: Int, exponent: Int
  ) throws(NotJSON) -> (Double?, end: Int) {
    var index = exponent
    if byte(index) | 0x20 == UInt8(ascii: "e") {
      index &+= 1
      if byte(index) == UInt8(ascii: "+") || byte(index) == UInt8(ascii: "-") { index += 1 }
      let exponentStart = index
      _ = digits(&index, after: 0)
      guard index > exponentStart else { throw NotJSON() }
    }
    guard let number = Double(try text(at: start..<index)) else { throw NotJSON() }
    return (number.isFinite ? number : nil, index)
  }
}
