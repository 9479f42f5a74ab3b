import GPSDProtocol
package import LocationCore

/// Lines that arrived from gpsd together, and when they were received.
///
/// gpsd includes user and password in the name of a source of corrections, `ntrip://user:password@host/mount`. No decoded
/// text has them; `withoutUserInfo` hides them in a line that is stored or passed on.
package struct GPSDLines: Hashable, Sendable {
  /// The lines as received, one after another. Each has its line end (LF or CRLF).
  package let bytes: ArraySlice<UInt8>
  /// When the lines were received; `nil` for a recording without receive times.
  package var received: Moment?
  /// The number of bytes discarded before these lines: cut off by the end of the stream, or part of a
  /// line longer than `LineFramer.maximumLineLength`. The first bytes of such a line, as many as
  /// that limit, are reported as soon as they arrive; the rest is reported when the line ends.
  package var discardedBytes: Int
  /// Whether they are before the replayed part of a recording, so that they are not counted.
  package var isBeforePart = false

  /// Creates lines that arrived together.
  ///
  /// - Parameters:
  ///   - bytes: Whole lines with their line ends.
  ///   - received: When the lines were received; `nil` if unknown.
  ///   - discardedBytes: The number of bytes discarded before these lines.
  package init(bytes: ArraySlice<UInt8>, received: Moment?, discardedBytes: Int = 0) {
    self.bytes = bytes
    self.received = received
    self.discardedBytes = discardedBytes
  }
}

extension GPSDLines: Sequence {
  /// Returns an iterator over the lines, each with its line end.
  package func makeIterator() -> Iterator { Iterator(rest: bytes) }

  /// An iterator over the lines.
  package struct Iterator: IteratorProtocol {
    fileprivate var rest: ArraySlice<UInt8>

    /// Returns the next line with its line end; `nil` after the last.
    package mutating func next() -> ArraySlice<UInt8>? {
      guard let line = rest.firstLine else { return nil }
      rest = rest[line.endIndex...]
      return line
    }
  }
}
