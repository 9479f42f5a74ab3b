/// A key that the view knows.
package enum ViewKey: Equatable, Sendable {
  case quit
  case help
  /// Space, and the letter p.
  case pause
  case tab, shiftTab
  case up, down, left, right
  case shiftLeft, shiftRight
  case pageUp, pageDown
  case plus, minus
  /// The letter n.
  case next
  /// 1 to 9.
  case number(Int)
  /// ctrl-L.
  case repaint
  /// Any other key.
  case unknown
}

/// Decodes the keys that a terminal sends. A read may return a part of a key.
package struct ViewKeyDecoder: Sendable {
  /// The part of a key that has been read.
  private enum Phase: Sendable {
    case none
    /// Escape.
    case escape
    /// `ESC O`, before the letter.
    case application
    /// `ESC [`, with the parameters so far.
    case sequence([UInt8])
    /// `ESC [ [`, which the Linux console sends for its function keys.
    case consoleFunction
  }

  /// The maximum number of parameters of a sequence. Known sequences have fewer.
  private static let maximumParameters = 16

  private var phase = Phase.none

  package init() {}

  /// Returns the complete keys. An escape without anything after it is a key.
  package mutating func keys(in bytes: some Sequence<UInt8>) -> [ViewKey] {
    var keys = bytes.compactMap { key(with: $0) }
    if case .escape = phase { keys.append(.unknown) }
    return keys
  }

  private mutating func key(with byte: UInt8) -> ViewKey? {
    switch (phase, byte) {
    case (.escape, UInt8(ascii: "[")): phase = .sequence([])
    case (.escape, UInt8(ascii: "O")): phase = .application
    case (.sequence([]), UInt8(ascii: "[")): phase = .consoleFunction
    case (.sequence(let parameters), 0x20...0x3f):
      phase = .sequence((parameters + [byte]).suffix(Self.maximumParameters))
    case (.sequence(let parameters), 0x40...0x7e):
      phase = .none
      return Self.key(of: parameters, byte)
    case (.application, 0x40...0x7e):
      phase = .none
      return Self.key(of: [], byte)
    case (.consoleFunction, 0x40...0x7e):
      phase = .none
      return .unknown
    // A character that is not part of a sequence ends the sequence.
    case (_, _): return plainKey(byte)
    }
    return nil
  }

  private mutating func plainKey(_ byte: UInt8) -> ViewKey? {
    phase = byte == 0x1b ? .escape : .none
    switch byte {
    case 0x1b: return nil
    case UInt8(ascii: "q"), UInt8(ascii: "Q"): return .quit
    case UInt8(ascii: "?"): return .help
    case UInt8(ascii: " "), UInt8(ascii: "p"), UInt8(ascii: "P"): return .pause
    case UInt8(ascii: "n"), UInt8(ascii: "N"): return .next
    // Some keyboards have another character on the same key, without shift.
    case UInt8(ascii: "+"), UInt8(ascii: "="): return .plus
    case UInt8(ascii: "-"), UInt8(ascii: "_"): return .minus
    case UInt8(ascii: "\t"): return .tab
    case UInt8(ascii: "1")...UInt8(ascii: "9"): return .number(Int(byte) - 0x30)
    case 0x0c: return .repaint
    // Only the first byte of a character counts.
    case 0x80...0xbf: return nil
    default: return .unknown
    }
  }

  /// Returns the key of a control sequence.
  private static func key(of parameters: [UInt8], _ final: UInt8) -> ViewKey {
    let parameters = String(decoding: parameters, as: UTF8.self)
    let isShifted = parameters == "1;2"
    guard parameters.isEmpty || isShifted || final == UInt8(ascii: "~") else { return .unknown }
    return switch (final, parameters) {
    case (UInt8(ascii: "A"), ""): .up
    case (UInt8(ascii: "B"), ""): .down
    case (UInt8(ascii: "C"), _): isShifted ? .shiftRight : .right
    case (UInt8(ascii: "D"), _): isShifted ? .shiftLeft : .left
    case (UInt8(ascii: "Z"), ""): .shiftTab
    // The sequence of rxvt.
    case (UInt8(ascii: "c"), ""): .shiftRight
    case (UInt8(ascii: "d"), ""): .shiftLeft
    case (UInt8(ascii: "~"), "5"): .pageUp
    case (UInt8(ascii: "~"), "6"): .pageDown
    default: .unknown
    }
  }
}
