import Testing

@testable import LocwatchSystem

@Suite struct `A splitter of lines` {
  /// Returns what comes of texts that arrive one after another; `~` marks what is within a line.
  private static func pieces(_ texts: String..., maximum: Int = 4) -> [String] {
    var lines = LineSplitter(maximum: maximum)
    return texts.flatMap { text in
      var pieces: [String] = []
      lines.append(Array(text.utf8))
      while let piece = lines.next() {
        pieces.append(
          (piece.isBeginning ? "" : "~") + String(decoding: piece.bytes, as: UTF8.self))
      }
      return pieces
    }
  }

  @Test func `returns each line with its end`() {
    #expect(Self.pieces("a\nb\r\n\nc") == ["a\n", "b\r\n", "\n"])
    #expect(Self.pieces("a", "b", "\nc", "\n") == ["ab\n", "c\n"])
  }

  @Test func `returns a line that is too long in pieces`() {
    #expect(Self.pieces("abcd", "\n") == ["abcd\n"])
    #expect(Self.pieces("abcde", "f", "ghijk", "l\nm\n") == ["abcde", "~fghijk", "~l\n", "m\n"])
    #expect(Self.pieces("abcdefgh\n") == ["abcdefgh\n"])
  }

  @Test func `keeps no more of a line than the maximum`() {
    var lines = LineSplitter(maximum: 100)
    for count in 1...1000 {
      lines.append([0x78])
      #expect((lines.next()?.bytes.count == 101) == (count % 101 == 0))
    }
  }
}
