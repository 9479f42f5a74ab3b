package import LocationCore
import LocwatchSystem

/// Reads a log piece by piece, without what is not the receiver's at its beginning: see ``LogHead``.
package struct LogReader {
  private let next: () throws(LocationError) -> [UInt8]?
  /// What to wait for when the next piece is not there yet; `nil` if it always is.
  let input: CInt?
  /// The line at the head whose end has not been read; `nil` once the contents have begun.
  private var head: [UInt8]? = []

  /// - Parameters:
  ///   - input: What to wait for when the next piece is not there yet.
  ///   - next: Returns the next piece of the file; an empty one at its end, and `nil` if it is not there
  ///     yet.
  package init(input: CInt? = nil, next: @escaping () throws(LocationError) -> [UInt8]?) {
    self.input = input
    self.next = next
  }

  /// Returns the next bytes for gpsd; none at the end of the log, and `nil` if they are not there yet.
  package mutating func read() throws(LocationError) -> ArraySlice<UInt8>? {
    while true {
      guard let piece = try next() else { return nil }
      guard let line = head else { return piece[...] }
      let start = LogHead(line + piece)
      head = start.isOver || piece.isEmpty ? nil : Array(start.rest)
      if piece.isEmpty { return start.isComment ? [] : start.contents }
      if start.isOver, !start.contents.isEmpty { return start.contents }
    }
  }
}
