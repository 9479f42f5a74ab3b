import LocationCore

/// The powers of ten from 10^0 to 10^15.
private let powersOfTen: [Double] = [
  1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
]

extension Span where Element == UInt8 {
  /// Reads a number, with the same result as strtod; infinite if it is too large for a `Double`.
  func number(_ index: inout Int) throws(MalformedReport) -> Double {
    let (number, end) = signedPlainNumber(at: index)
    guard end > index else { return try longNumber(&index) }
    index = end
    return number
  }

  /// Reads a number in the most common form: without a sign or an exponent, and with at most 15
  /// digits. `end` equals `start` for any other number, and if there is none.
  ///
  /// An integer below 2^53 and a power of ten up to 10^22 are exact, so that their quotient is
  /// rounded only once, and so correctly. The method calls and throws nothing, so that it can use all
  /// registers.
  @inline(never)
  func plainNumber(at start: Int) -> (number: Double, end: Int) {
    if let short = shortNumber(at: start) { return short }
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

  /// Reads a plain number of at most 15 characters, followed by a comma or a brace, as nearly all
  /// are. It reads the bytes in a register, so that only every eighth one needs a check of bounds.
  @inline(__always)
  func shortNumber(at start: Int) -> (number: Double, end: Int)? {
    guard var (mantissa, text, digit, end) = shortWhole(at: start) else { return nil }
    var fraction = end
    if digit == UInt8(ascii: ".") &- UInt8(ascii: "0") {
      fraction &+= 1
      digit = text.nextDigit(&end)
      while true {
        while digit <= 9 {
          mantissa = mantissa &* 10 &+ UInt64(digit)
          digit = text.nextDigit(&end)
        }
        guard end == start &+ 8, let more = eightBytes(at: end) else { break }
        text = more
        digit = UInt8(truncatingIfNeeded: text) &- UInt8(ascii: "0")
        guard digit <= 9 else { break }
      }
      guard end > fraction else { return nil }
    }
    guard digit.isEndOfNumber else { return nil }
    return (Double(Int64(bitPattern: mantissa)) / powersOfTen[end &- fraction], end)
  }

  /// Reads a plain number that may have a sign. `end` equals `start` for any other number, and if there is none.
  @inline(never)
  func signedPlainNumber(at start: Int) -> (number: Double, end: Int) {
    guard byte(start) == UInt8(ascii: "-") else { return plainNumber(at: start) }
    let (magnitude, end) = plainNumber(at: start &+ 1)
    return end > start &+ 1 ? (-magnitude, end) : (0, start)
  }

  /// Reads an integer of at most seven digits, followed by a comma or a brace; `nil` for anything else.
  @inline(__always)
  func shortInteger(at start: Int) -> (integer: Int, end: Int)? {
    // Behind eight digits there is nothing but zeros.
    guard let (integer, _, next, end) = shortWhole(at: start), next.isEndOfNumber else {
      return nil
    }
    return (Int(truncatingIfNeeded: integer), end)
  }

  /// Reads the digits that a short number begins with, at most eight, and what follows them as a digit; `nil` if there
  /// are none, or several of which the first is a zero. `text` begins with that byte.
  @inline(__always)
  private func shortWhole(
    at start: Int
  ) -> (whole: UInt64, text: UInt64, next: UInt8, end: Int)? {
    guard var text = eightBytes(at: start) else { return nil }
    var end = start
    var digit = UInt8(truncatingIfNeeded: text) &- UInt8(ascii: "0")
    var whole = UInt64(digit)
    guard digit <= 9 else { return nil }
    digit = text.nextDigit(&end)
    if digit <= 9 {
      guard whole > 0 else { return nil }
      repeat {
        whole = whole &* 10 &+ UInt64(digit)
        digit = text.nextDigit(&end)
      } while digit <= 9
    }
    return (whole, text, digit, end)
  }

  /// Returns the end of a plain number of at most seven characters, followed by a comma or a brace,
  /// without reading the number; `start` for anything else.
  @inline(never)
  func endOfShortNumber(at start: Int) -> Int {
    guard let text = eightBytes(at: start) else { return start }
    let values = text ^ 0x3030_3030_3030_3030
    // The highest bit of each byte that is no digit.
    var others =
      ((values & 0x7F7F_7F7F_7F7F_7F7F) &+ 0x7676_7676_7676_7676 | values) & 0x8080_8080_8080_8080
    var end = others.trailingZeroBitCount & ~7
    guard end == 8 || (end > 8 && end < 64 && values & 0xFF != 0) else { return start }
    if text.byte(at: end) == UInt8(ascii: ".") {
      let point = end
      others &= others &- 1
      end = others.trailingZeroBitCount & ~7
      guard end > point &+ 8, end < 64 else { return start }
    }
    let next = text.byte(at: end)
    guard next == UInt8(ascii: ",") || next == UInt8(ascii: "}") else { return start }
    return start &+ end &>> 3
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

  /// Reads a number in any form; infinite if it is too large for a `Double`.
  @inline(never)
  private func longNumber(_ index: inout Int) throws(MalformedReport) -> Double {
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
    return number
  }

  private func skipDigits(_ index: inout Int) throws(MalformedReport) {
    let start = index
    _ = digits(&index, after: 0)
    guard index > start else { throw MalformedReport() }
  }
}

extension UInt8 {
  /// Whether a byte that was taken for a digit is a comma or a brace.
  @inline(__always)
  fileprivate var isEndOfNumber: Bool {
    self == UInt8(ascii: ",") &- UInt8(ascii: "0")
      || self == UInt8(ascii: "}") &- UInt8(ascii: "0")
  }
}

extension UInt64 {
  /// Drops the lowest byte, and returns the value of the next one as a digit; above 9 if it is none.
  @inline(__always)
  fileprivate mutating func nextDigit(_ index: inout Int) -> UInt8 {
    self &>>= 8
    index &+= 1
    return UInt8(truncatingIfNeeded: self) &- UInt8(ascii: "0")
  }

  @inline(__always)
  fileprivate func byte(at bit: Int) -> UInt8 {
    UInt8(truncatingIfNeeded: self &>> UInt64(truncatingIfNeeded: bit))
  }
}
