/// Splits bytes into lines. A line that gets longer than a maximum comes in pieces, so that one without an end takes
/// no memory.
///
/// `LineFramer` does this for gpsd's reports: many lines at a time, without those that are too long.
package struct LineSplitter: Equatable {
  package struct Piece {
    /// With the line feed, if the line ends here.
    package let bytes: ArraySlice<UInt8>
    /// Whether a line begins here.
    package let isBeginning: Bool
  }

  private let maximum: Int
  private var buffer: [UInt8] = []
  /// The index of the first byte that was not returned, and the one up to which there is no line end.
  private var start = 0
  private var searched = 0
  private var isWithinLine = false

  /// - Parameter maximum: How many bytes of a line wait for its end.
  package init(maximum: Int) { self.maximum = maximum }

  package mutating func append(_ bytes: some Collection<UInt8>) {
    buffer.removeFirst(start)
    searched -= start
    start = 0
    buffer += bytes
  }

  /// Returns the next line, or a piece of one that is too long; `nil` if more bytes are needed.
  package mutating func next() -> Piece? {
    let lineEnd = buffer[searched...].firstIndex(of: UInt8(ascii: "\n"))
    let end = lineEnd.map { $0 + 1 } ?? buffer.count
    searched = end
    guard lineEnd != nil || end - start > maximum else { return nil }
    defer {
      start = end
      isWithinLine = lineEnd == nil
    }
    return Piece(bytes: buffer[start..<end], isBeginning: !isWithinLine)
  }
}
