public import LocationCore

/// Lines that arrived from gpsd together, and when they were received.
///
/// The user info of URLs is replaced by asterisks, so that nothing that is made of the lines contains
/// it. gpsd names a source of corrections with the password: `ntrip://user:password@host/mount`.
public struct GPSDLines: Hashable, Sendable {
  /// The lines as received except for the user info of URLs, one after another, each with its line end
  /// (LF or CRLF).
  public let bytes: ArraySlice<UInt8>
  /// When the lines were received; `nil` for a recording without receive times.
  public var received: Moment?
  /// The number of bytes discarded before these lines: cut off by the end of the stream, or part of a
  /// line longer than ``LineFramer/maximumLineLength``. The first bytes of such a line, as many as
  /// that limit, are reported as soon as they arrive; the rest is reported when the line ends.
  public var discardedBytes: Int
  /// Whether they are before the part of a recording that is replayed, so that they are not counted.
  package var isBeforePart = false

  /// Creates lines that arrived together.
  ///
  /// - Parameters:
  ///   - bytes: Whole lines with their line ends.
  ///   - received: When the lines were received; `nil` if unknown.
  ///   - discardedBytes: The number of bytes discarded before these lines.
  public init(bytes: ArraySlice<UInt8>, received: Moment?, discardedBytes: Int = 0) {
    var bytes = bytes
    bytes.hideUserInfo()
    self.bytes = bytes
    self.received = received
    self.discardedBytes = discardedBytes
  }
}

extension GPSDLines: Sequence {
  /// Returns an iterator over the lines, each with its line end.
  public func makeIterator() -> Iterator { Iterator(rest: bytes) }

  /// An iterator over the lines.
  public struct Iterator: IteratorProtocol {
    fileprivate var rest: ArraySlice<UInt8>

    /// Returns the next line with its line end; `nil` after the last.
    public mutating func next() -> ArraySlice<UInt8>? {
      guard let line = rest.firstLine else { return nil }
      rest = rest[line.endIndex...]
      return line
    }
  }
}

extension ArraySlice<UInt8> {
  /// The rest from the first line on that is not empty. There can be millions of empty lines before it.
  var withoutEmptyLinesAtFront: ArraySlice<UInt8> {
    let (lineFeed, carriageReturn) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))
    guard first == lineFeed || first == carriageReturn else { return self }
    let bytes = span
    var count = 0
    while count < bytes.count {
      if bytes[count] == lineFeed {
        count += 1
      } else if bytes[count] == carriageReturn, bytes.byte(count + 1) == lineFeed {
        count += 2
      } else {
        break
      }
    }
    return self[(startIndex + count)...]
  }

  /// The first line with its line end; `nil` if the slice is empty.
  var firstLine: ArraySlice<UInt8>? {
    isEmpty ? nil : prefix(span.lineEnd(from: 0) ?? count)
  }

  /// The first line with its line end, or all empty lines at the front; `nil` if the slice is empty.
  var firstLineOrEmptyLines: ArraySlice<UInt8>? {
    let rest = withoutEmptyLinesAtFront
    return rest.startIndex > startIndex ? self[..<rest.startIndex] : firstLine
  }
}
