extension String {
  /// How many columns of a terminal the text takes.
  var displayWidth: Int { unicodeScalars.reduce(0) { $0 + $1.displayWidth } }

  /// The beginning of the text that takes no more than so many columns.
  func cut(toDisplayWidth width: Int) -> String {
    var result = String.UnicodeScalarView()
    var room = width
    for scalar in unicodeScalars {
      room -= scalar.displayWidth
      if room < 0 { break }
      result.append(scalar)
    }
    return String(result)
  }
}

extension Unicode.Scalar {
  /// 0 for marks that go onto the character before them, 2 for the wide ones of East Asia and
  /// emoji, 1 for the rest.
  fileprivate var displayWidth: Int {
    if value < 0x300 { return 1 }
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark: return 0
    default: break
    }
    switch value {
    // The halves of a flag: each of them takes one.
    case 0x1f1e6...0x1f1ff: return 1
    case 0x1100...0x115f, 0x2e80...0x303e, 0x3041...0xa4cf, 0xa960...0xa97f, 0xac00...0xd7a3,
      0xf900...0xfaff, 0xfe30...0xfe6f, 0xff00...0xff60, 0xffe0...0xffe6, 0x20000...0x3fffd:
      return 2
    default: return properties.isEmojiPresentation ? 2 : 1
    }
  }
}
