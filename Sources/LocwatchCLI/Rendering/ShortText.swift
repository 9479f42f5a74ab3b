/// Up to sixteen bytes of text, such as the key of a member, which are stored in two strokes.
struct ShortText: Sendable {
  static var longest: Int { 16 }
  static let none = ShortText("")

  /// The first eight bytes, and the others.
  let first: UInt64
  let second: UInt64
  let length: Int

  init(first: UInt64, second: UInt64, length: Int) {
    self.first = first
    self.second = second
    self.length = length
  }

  init(_ text: String) { self.init(ArraySlice(text.utf8)) }

  private init(_ bytes: ArraySlice<UInt8>) {
    precondition(bytes.count <= Self.longest)
    first = Self.word(of: bytes.prefix(8))
    second = Self.word(of: bytes.dropFirst(8))
    length = bytes.count
  }

  /// Up to eight bytes, the first one lowest.
  private static func word(of bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// A text of any length, in pieces.
  static func pieces(of text: TextBuffer) -> [ShortText] {
    stride(from: 0, to: text.count, by: longest).map {
      ShortText(text.bytes.dropFirst($0).prefix(longest))
    }
  }
}
