/// Words that a number should never become in an output.
enum OddWords {
  private static let words = ["inf", "nan", "infinity"].map { Array($0.utf8) }

  /// Returns the first such word; `nil` if there is none. A word is a run of ASCII letters.
  static func first(in text: some StringProtocol) -> String? {
    var word: [UInt8] = []
    for byte in text.utf8 {
      // The bit by which capital letters differ from small ones.
      let letter = byte | 0x20
      if (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(letter), byte < 0x80 {
        if word.count < 9 { word.append(letter) }
        continue
      }
      if !word.isEmpty, words.contains(word) { return String(decoding: word, as: UTF8.self) }
      word.removeAll(keepingCapacity: true)
    }
    return words.contains(word) ? String(decoding: word, as: UTF8.self) : nil
  }
}
