/// A key that the view knows.
package enum ViewKey: Equatable, Sendable {
  case quit
  case next
  case previous
  /// 1 to 9.
  case number(Int)
  /// ctrl-L.
  case repaint

  /// Returns the keys in what a terminal sends.
  package static func keys(in bytes: ArraySlice<UInt8>) -> [ViewKey] {
    var keys: [ViewKey] = []
    var rest = bytes
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "q"), UInt8(ascii: "Q"): keys.append(.quit)
      case UInt8(ascii: "\t"): keys.append(.next)
      case UInt8(ascii: "1")...UInt8(ascii: "9"): keys.append(.number(Int(byte) - 0x30))
      case 0x0c: keys.append(.repaint)
      case 0x1b: if let key = sequence(in: &rest) { keys.append(key) }
      default: break
      }
    }
    return keys
  }

  /// Reads the rest of a control sequence, which ends at a letter or a tilde.
  private static func sequence(in rest: inout ArraySlice<UInt8>) -> ViewKey? {
    guard rest.first == UInt8(ascii: "[") || rest.first == UInt8(ascii: "O") else { return nil }
    rest.removeFirst()
    while let byte = rest.popFirst() {
      guard (0x40...0x7e).contains(byte) else { continue }
      switch byte {
      case UInt8(ascii: "B"), UInt8(ascii: "C"): return .next
      // The last is shift and Tab.
      case UInt8(ascii: "A"), UInt8(ascii: "D"), UInt8(ascii: "Z"): return .previous
      default: return nil
      }
    }
    return nil
  }
}
