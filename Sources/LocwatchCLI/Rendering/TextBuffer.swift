/// Text that grows at its end, such as records on their way to a descriptor.
///
/// It is stored in words of eight characters, of which often fewer count: what lies behind the end
/// is there to be overwritten.
package struct TextBuffer: Sendable {
  private var storage: [UInt8] = []
  package private(set) var count = 0
  /// The dates that were written last: a fix is of one, and of another it was received.
  private var date: DateText?
  private var otherDate: DateText?

  package init() {}

  package var bytes: ArraySlice<UInt8> { storage[..<count] }

  var string: String { String(decoding: bytes, as: UTF8.self) }

  /// Removes all, and keeps the memory.
  package mutating func removeAll() { count = 0 }

  mutating func removeFirst(_ length: Int) {
    storage.removeSubrange(..<length)
    count -= length
  }

  /// Lets `write` store up to so many bytes at the end, and move the end.
  @inline(__always)
  mutating func append(upTo most: Int, _ write: (inout MutableSpan<UInt8>, inout Int) -> Void) {
    if storage.count - count < most { makeRoom(for: most) }
    var end = count
    var bytes = storage.mutableSpan
    write(&bytes, &end)
    count = end
  }

  @inline(never)
  private mutating func makeRoom(for more: Int) {
    storage.append(contentsOf: repeatElement(0, count: max(storage.count, more, 512)))
  }

  mutating func append(_ byte: UInt8) {
    append(upTo: 1) { bytes, end in
      bytes[end] = byte
      end += 1
    }
  }

  mutating func append(character: Unicode.Scalar) { append(UInt8(ascii: character)) }

  mutating func append(contentsOf more: some Sequence<UInt8>) {
    for byte in more { append(byte) }
  }

  mutating func append(_ text: ShortText) {
    append(upTo: ShortText.longest) { $0.store(text, at: &$1) }
  }

  /// Appends the pieces of a longer text.
  mutating func append(_ pieces: [ShortText]) {
    for piece in pieces { append(piece) }
  }

  package mutating func append(text: String) {
    let text = text.utf8.span
    append(upTo: text.count) { bytes, end in
      for index in text.indices {
        bytes[end] = text[index]
        end += 1
      }
    }
  }

  /// - Parameter day: Since 1970-01-01.
  mutating func dateText(ofDay day: Int) -> ShortText {
    if let date, date.day == day { return date.text }
    let new = if let otherDate, otherDate.day == day { otherDate } else { DateText(day: day) }
    otherDate = date
    date = new
    return new.text
  }
}
