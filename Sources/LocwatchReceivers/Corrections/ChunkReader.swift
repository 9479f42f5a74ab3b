/// Takes the data out of the chunks of HTTP/1.1 (RFC 9112, section 7.1), wherever they are torn.
struct ChunkReader {
  private enum State {
    case size(Int?)
    /// The rest of the line with the size, which may have extensions.
    case extensions(Int)
    case data(Int)
    /// The line end after the data.
    case dataEnd
    case over
  }

  /// A longer chunk is damage.
  private static let maximumChunk = 1 << 30

  private var state = State.size(nil)
  /// Whether the data is not a chunk.
  private(set) var isDamaged = false
  /// Whether the last chunk has come.
  var isOver: Bool { if case .over = state { true } else { false } }

  /// Returns the data in bytes that have arrived.
  mutating func data(in bytes: [UInt8]) -> [UInt8] {
    var data: [UInt8] = []
    var index = 0
    while index < bytes.count, !isDamaged, !isOver {
      if case .data(let left) = state {
        let end = min(bytes.count, index + left)
        data += bytes[index..<end]
        state = end - index == left ? .dataEnd : .data(left - (end - index))
        index = end
      } else {
        handle(bytes[index])
        index += 1
      }
    }
    return data
  }

  /// Handles a byte between the data.
  private mutating func handle(_ byte: UInt8) {
    switch (state, byte) {
    case (.size(let size?), UInt8(ascii: "\n")), (.extensions(let size), UInt8(ascii: "\n")):
      state = size == 0 ? .over : .data(size)
    case (.size(let size?), UInt8(ascii: ";")), (.size(let size?), UInt8(ascii: "\r")),
      (.size(let size?), UInt8(ascii: " ")):
      state = .extensions(size)
    case (.size(let size), _):
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue,
        (size ?? 0) < Self.maximumChunk / 16
      else { return isDamaged = true }
      state = .size((size ?? 0) * 16 + digit)
    case (.dataEnd, UInt8(ascii: "\n")): state = .size(nil)
    case (.dataEnd, UInt8(ascii: "\r")), (.extensions, _), (.data, _), (.over, _): break
    case (.dataEnd, _): isDamaged = true
    }
  }
}
