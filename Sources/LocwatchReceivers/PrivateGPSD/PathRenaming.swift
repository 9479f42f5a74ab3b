import GPSDLocation
import LocationText

/// Replaces the path of a receiver in gpsd's reports by its name.
struct PathRenaming: Sendable {
  /// Both as they are in JSON, with their quotation marks.
  private let path: [UInt8]
  private let name: [UInt8]

  init(_ path: String, to name: String) {
    self.path = Array("\"\(path)\"".utf8)
    var text = TextBuffer()
    text.append(json: name)
    self.name = Array(text.bytes)
  }

  /// Returns the lines with the name instead of the path.
  ///
  /// `Collection.replacing(_:with:)` would link the regular expression library.
  func callAsFunction(_ lines: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var result: [UInt8] = []
    result.reserveCapacity(lines.count)
    var index = lines.startIndex
    while index < lines.endIndex {
      if lines[index] == path.first, lines[index...].starts(with: path) {
        result += name
        index += path.count
      } else {
        result.append(lines[index])
        index += 1
      }
    }
    return result[...]
  }
}

extension GPSDLines {
  /// Returns the lines with the name of a receiver instead of its path.
  func renamed(by renaming: PathRenaming) -> GPSDLines {
    GPSDLines(bytes: renaming(bytes), received: received, discardedBytes: discardedBytes)
  }
}
