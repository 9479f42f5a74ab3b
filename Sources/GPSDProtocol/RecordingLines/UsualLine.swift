/// A frequent line in the form in which gpsd and locwatch write it, recognised by its bytes without being decoded.
package enum UsualLine: Sendable {
  /// A time stamp with nothing but a time, in milliseconds.
  case time(Int64)
  /// A report of a receiver, which its next report of the same class replaces: a position, satellites, errors or an
  /// attitude. Its class and its receiver end before this index, and the mode of a position before `modeEnd`.
  case report(nameEnd: Int, isFix: Bool, modeEnd: Int?)

  /// The words of `{"class":"LOCWATCH","t":`, eight bytes each, with their first byte in the lowest place.
  private static let stamp: (UInt64, UInt64, UInt64) = (
    0x2273_7361_6C63_227B, 0x5441_5743_4F4C_223A, 0x3A22_7422_2C22_4843
  )
  /// The second words of `{"class":"TPV","device":"`, and of the same with `SKY`, `GST` and `ATT`.
  private static let position: UInt64 = 0x222C_2256_5054_223A
  private static let sky: UInt64 = 0x222C_2259_4B53_223A
  private static let errors: UInt64 = 0x222C_2254_5347_223A
  private static let attitude: UInt64 = 0x222C_2254_5441_223A
  /// `device":`
  private static let device: UInt64 = 0x3A22_6563_6976_6564
  /// `"mode":` and its mask.
  private static let mode: (UInt64, mask: UInt64) = (0x3A_2265_646F_6D22, mask: 0xFF_FFFF_FFFF_FFFF)
  /// How far a mode can be from the receiver before it.
  private static let maximumGap = 48

  /// Recognises the line from `start` to `end`, which includes its line end; `nil` for any other line.
  @inline(__always)
  package init?(_ bytes: Span<UInt8>, from start: Int, to end: Int) {
    guard bytes.eightBytes(at: start) == Self.stamp.0, let word = bytes.eightBytes(at: start + 8)
    else { return nil }
    if word == Self.stamp.1, bytes.eightBytes(at: start + 16) == Self.stamp.2 {
      self.init(timeIn: bytes, from: start + 24, to: end)
    } else if bytes.eightBytes(at: start + 16) == Self.device {
      self.init(reportIn: bytes, of: word, from: start + 24, to: end)
    } else {
      return nil
    }
  }

  /// Reads the rest of a time stamp: `12.345}` and a line end.
  private init?(timeIn bytes: Span<UInt8>, from start: Int, to end: Int) {
    var index = start
    guard let time = bytes.milliseconds(&index), bytes.lastBrace(before: end) == index else {
      return nil
    }
    self = .time(time)
  }

  /// Reads the rest of a report from the name of its receiver on.
  private init?(reportIn bytes: Span<UInt8>, of name: UInt64, from start: Int, to end: Int) {
    let quote = UInt8(ascii: "\"")
    guard bytes.byte(start) == quote, let nameEnd = bytes.index(of: quote, from: start + 1),
      nameEnd < end, bytes.byte(nameEnd - 1) != UInt8(ascii: "\\"),
      bytes.lastBrace(before: end) != nil
    else { return nil }
    guard name != Self.sky, name != Self.errors, name != Self.attitude else {
      self = .report(nameEnd: nameEnd, isFix: false, modeEnd: nil)
      return
    }
    guard name == Self.position else { return nil }
    for index in nameEnd..<min(nameEnd + Self.maximumGap, end) {
      guard let word = bytes.eightBytes(at: index), word & Self.mode.mask == Self.mode.0 else {
        continue
      }
      let mode = bytes.byte(index + 7)
      self = .report(
        nameEnd: nameEnd, isFix: mode == UInt8(ascii: "2") || mode == UInt8(ascii: "3"),
        modeEnd: index + 8)
      return
    }
    return nil
  }
}

extension Span<UInt8> {
  /// Reads a time in seconds with three decimals, such as `12.345`, and returns it in milliseconds; `nil` if there is
  /// none, or if it is longer than 136 years.
  package func milliseconds(_ index: inout Int) -> Int64? {
    var next = index
    var seconds: Int64 = 0
    while let digit = digit(at: next), seconds <= UInt32.max {
      seconds = seconds * 10 + digit
      next += 1
    }
    guard next > index, seconds <= UInt32.max, byte(next) == UInt8(ascii: "."),
      let tenths = digit(at: next + 1), let hundredths = digit(at: next + 2),
      let thousandths = digit(at: next + 3)
    else { return nil }
    index = next + 4
    return seconds * 1000 + tenths * 100 + hundredths * 10 + thousandths
  }

  /// Returns the index of the brace that ends a line with this end; `nil` if the line ends otherwise.
  fileprivate func lastBrace(before end: Int) -> Int? {
    guard byte(end - 1) == UInt8(ascii: "\n") else { return nil }
    let index = end - (byte(end - 2) == UInt8(ascii: "\r") ? 3 : 2)
    return byte(index) == UInt8(ascii: "}") ? index : nil
  }

  @inline(__always)
  private func digit(at index: Int) -> Int64? {
    let digit = byte(index) &- UInt8(ascii: "0")
    return digit < 10 ? Int64(digit) : nil
  }
}
