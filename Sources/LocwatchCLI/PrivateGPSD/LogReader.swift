package import GPSDLocation

/// Reads a log piece by piece, without the comments that the logs of gpsd's own tests begin with.
package struct LogReader {
  private enum Place {
    case lineStart, comment, contents
  }

  private let next: () throws(GPSDError) -> [UInt8]
  private var place = Place.lineStart

  /// - Parameter next: Returns the next piece of the file; an empty one at its end.
  package init(next: @escaping () throws(GPSDError) -> [UInt8]) { self.next = next }

  /// Returns the next bytes for gpsd; none at the end of the log.
  package mutating func read() throws(GPSDError) -> ArraySlice<UInt8> {
    while true {
      let piece = try next()[...]
      guard !piece.isEmpty else { return [] }
      let rest = dropComments(of: piece)
      if !rest.isEmpty { return rest }
    }
  }

  private mutating func dropComments(of piece: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var rest = piece
    while let first = rest.first {
      switch place {
      case .contents:
        return rest
      case .lineStart:
        place = first == UInt8(ascii: "#") ? .comment : .contents
      case .comment:
        guard let end = rest.firstIndex(of: 0x0A) else { return [] }
        rest = rest[(end + 1)...]
        place = .lineStart
      }
    }
    return rest
  }
}
