import LocationCore

/// A growing buffer of UTF-8 text, such as records on their way to a descriptor.
///
/// Text is stored in words of eight bytes, which often contain fewer bytes of text. The next text overwrites
/// the rest.
package struct TextBuffer: Sendable {
  private var storage: ContiguousArray<UInt8> = []
  package private(set) var count = 0

  package init() {}

  package var bytes: ArraySlice<UInt8> { storage[..<count] }

  package var string: String { String(decoding: bytes, as: UTF8.self) }

  /// Removes all text and keeps the memory.
  package mutating func removeAll() { count = 0 }

  /// Removes the end of the text.
  package mutating func removeLast(_ length: Int) { count -= length }

  package mutating func removeFirst(_ length: Int) {
    storage.removeSubrange(..<length)
    count -= length
  }

  /// Appends the bytes that `write` stores. `write` receives the storage and the end of the text, and may
  /// store up to `maximum` bytes.
  @inline(__always)
  package mutating func append(
    upTo maximum: Int, _ write: (inout MutableSpan<UInt8>, inout Int) -> Void
  ) {
    if storage.count - count < maximum { grow(toHold: maximum) }
    var end = count
    var bytes = storage.mutableSpan
    write(&bytes, &end)
    count = end
  }

  @inline(never)
  private mutating func grow(toHold more: Int) {
    storage.append(contentsOf: repeatElement(0, count: max(storage.count, more, 512)))
  }

  package mutating func append(_ byte: UInt8) {
    append(upTo: 1) { bytes, end in
      bytes[end] = byte
      end += 1
    }
  }

  package mutating func append(character: Unicode.Scalar) { append(UInt8(ascii: character)) }

  /// Appends the text of another buffer.
  package mutating func append(_ other: TextBuffer) {
    let text = other.storage.span.extracting(..<other.count)
    append(upTo: text.count) { bytes, end in
      for index in text.indices {
        bytes[end] = text[index]
        end += 1
      }
    }
  }

  // Not callable from other modules, where a generic function would be slow.
  mutating func append(contentsOf more: some Sequence<UInt8>) {
    for byte in more { append(byte) }
  }

  package mutating func append(_ text: ShortText) {
    append(upTo: ShortText.maximumLength) { store(text, in: &$0, at: &$1) }
  }

  /// Appends the pieces of a long text.
  package mutating func append(_ pieces: [ShortText]) {
    for piece in pieces { append(piece) }
  }

  package mutating func append(text: String) {
    text.withBytes { text in
      append(upTo: text.count) { bytes, end in
        for index in text.indices {
          bytes[end] = text[index]
          end += 1
        }
      }
    }
  }
}

/// Up to sixteen bytes of text, such as the key of a JSON member, stored with two word writes.
package struct ShortText: Sendable {
  static var maximumLength: Int { 16 }
  package static let none = ShortText("")

  /// The first eight bytes, followed by the others.
  let first: UInt64
  let second: UInt64
  let length: Int

  package init(_ text: String) { self.init(ArraySlice(text.utf8)) }

  /// - Parameter bytes: No more than ``maximumLength``.
  init(_ bytes: ArraySlice<UInt8>) {
    precondition(bytes.count <= Self.maximumLength)
    first = Self.word(of: bytes.prefix(8))
    second = Self.word(of: bytes.dropFirst(8))
    length = bytes.count
  }

  /// Returns up to eight bytes as a word, with the first byte lowest.
  private static func word(of bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Splits a text of any length into pieces.
  package static func pieces(of text: TextBuffer) -> [ShortText] {
    stride(from: 0, to: text.count, by: maximumLength).map {
      ShortText(text.bytes.dropFirst($0).prefix(maximumLength))
    }
  }
}

// These are functions because Swift 6.2 does not support mutating methods of spans.

/// Stores a word of eight bytes, of which the first `length` belong to the text.
@inline(__always)
func store(_ word: UInt64, length: Int, in bytes: inout MutableSpan<UInt8>, at end: inout Int) {
  // With one bounds check, the compiler merges these into one store.
  precondition(end >= 0 && end <= bytes.count - 8)
  bytes[end] = UInt8(truncatingIfNeeded: word)
  bytes[end &+ 1] = UInt8(truncatingIfNeeded: word &>> 8)
  bytes[end &+ 2] = UInt8(truncatingIfNeeded: word &>> 16)
  bytes[end &+ 3] = UInt8(truncatingIfNeeded: word &>> 24)
  bytes[end &+ 4] = UInt8(truncatingIfNeeded: word &>> 32)
  bytes[end &+ 5] = UInt8(truncatingIfNeeded: word &>> 40)
  bytes[end &+ 6] = UInt8(truncatingIfNeeded: word &>> 48)
  bytes[end &+ 7] = UInt8(truncatingIfNeeded: word &>> 56)
  end &+= length
}

@inline(__always)
func store(_ character: Unicode.Scalar, in bytes: inout MutableSpan<UInt8>, at end: inout Int) {
  bytes[end] = UInt8(ascii: character)
  end &+= 1
}

@inline(__always)
func store(_ text: ShortText, in bytes: inout MutableSpan<UInt8>, at end: inout Int) {
  store(text.first, length: 8, in: &bytes, at: &end)
  // For a text of less than eight bytes, the negative length moves the end back.
  store(text.second, length: text.length - 8, in: &bytes, at: &end)
}
