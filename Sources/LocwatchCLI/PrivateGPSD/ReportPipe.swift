import Glibc
import LocationFormats

/// Passes gpsd's reports on to a pipe, and keeps them while its reader is slow.
package struct ReportPipe {
  /// This end of the pipe, which never blocks.
  let output: CInt
  /// The receiver's path as it is in the reports, and what takes its place.
  private let path: [UInt8]
  private let name: [UInt8]
  /// What the pipe has no room for, from ``written`` on.
  private var waiting: [UInt8] = []
  private var written = 0

  package init(to output: CInt, renaming path: String, to name: String) {
    self.output = output
    self.path = Array("\"\(path)\"".utf8)
    var text = TextBuffer()
    text.append(json: name)
    self.name = Array(text.bytes)
  }

  /// How many bytes wait for the reader.
  var waitingCount: Int { waiting.count - written }

  mutating func append(_ line: ArraySlice<UInt8>) {
    waiting += line.replacing(path, with: name)
  }

  /// Writes what there is room for, without waiting.
  ///
  /// - Returns: `false` if nobody reads the pipe any more.
  mutating func flush() -> Bool {
    while waitingCount > 0 {
      let count = unsafe waiting[written...].withUnsafeBytes {
        unsafe Glibc.write(output, $0.baseAddress, $0.count)
      }
      if count < 0 {
        if errno == EINTR { continue }
        return errno == EAGAIN
      }
      written += count
    }
    waiting.removeAll(keepingCapacity: true)
    written = 0
    return true
  }
}

extension ArraySlice<UInt8> {
  /// `Collection.replacing(_:with:)` would link the regular expression library, which takes 2 MB.
  fileprivate func replacing(_ text: [UInt8], with other: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(count)
    var index = startIndex
    while index < endIndex {
      if self[index] == text.first, self[index...].starts(with: text) {
        result += other
        index += text.count
      } else {
        result.append(self[index])
        index += 1
      }
    }
    return result
  }
}
