/// 10 to the power of 0 to 15.
private let powersOfTen: InlineArray<16, Double> = [
  1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
]

extension Span where Element == UInt8 {
  /// Reads a number, to the same bits as strtod; `nil` where it is too large for a `Double`.
  func number(_ index: inout Int) throws(NotJSON) -> Double? {
    let isNegative = byte(index) == UInt8(ascii: "-")
    let start = isNegative ? index &+ 1 : index
    let (magnitude, end) = plainNumber(at: start)
    guard end > start else { return try longNumber(&index) }
    index = end
    return isNegative ? -magnitude : magnitude
  }

  /// The number there as nearly all are written: without a sign or an exponent, and with no more
  /// digits than a `Double` holds. `end` is `start` for any other, and where there is none.
  ///
  /// An integer below 2^53 and a power of ten up to 22 are exact, so that their quotient is rounded
  /// once, and so correctly. It calls nothing and throws nothing, and has all registers to itself.
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

  /// Where a number ends that is written plainly and has a member behind it, or the end of the
  /// object; `start` for any other, and where there is none.
  @inline(__always)
  func endOfPlainNumber(at start: Int) -> Int {
    var index = start
    let first = byte(index)
    var next = first
    while next &- UInt8(ascii: "0") <= 9 {
      index &+= 1
      next = byte(index)
    }
    if first == UInt8(ascii: "0"), index != start &+ 1 { return start }
    if next == UInt8(ascii: "."), index > start {
      index &+= 1
      next = byte(index)
      guard next &- UInt8(ascii: "0") <= 9 else { return start }
      while next &- UInt8(ascii: "0") <= 9 {
        index &+= 1
        next = byte(index)
      }
    }
    return next == UInt8(ascii: ",") || next == UInt8(ascii: "}") ? index : start
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

  @inline(never)
  private func longNumber(_ index: inout Int) throws(NotJSON) -> Double? {
    let start = index
    if byte(index) == UInt8(ascii: "-") { index += 1 }
    let whole = index
    try skipDigits(&index)
    guard byte(whole) != UInt8(ascii: "0") || index == whole + 1 else { throw NotJSON() }
    if byte(index) == UInt8(ascii: ".") {
      index += 1
      try skipDigits(&index)
    }
    if byte(index) | 0x20 == UInt8(ascii: "e") {
      index += 1
      if byte(index) == UInt8(ascii: "+") || byte(index) == UInt8(ascii: "-") { index += 1 }
      try skipDigits(&index)
    }
    guard let number = Double(try text(at: start..<index)) else { throw NotJSON() }
    return number.isFinite ? number : nil
  }

  private func skipDigits(_ index: inout Int) throws(NotJSON) {
    let start = index
    _ = digits(&index, after: 0)
    guard index > start else { throw NotJSON() }
  }
}
