import Glibc
import LocwatchSystem

/// Passes gpsd's reports on to a pipe, and keeps them while its reader is slow.
package struct ReportPipe {
  /// This end of the pipe, which never blocks.
  let output: CInt
  private let renaming: PathRenaming
  /// What the pipe has no room for.
  private var waiting = PendingBytes()

  package init(to output: CInt, renaming path: String, to name: String) {
    self.output = output
    renaming = PathRenaming(path, to: name)
  }

  /// How many bytes wait for the reader.
  var waitingCount: Int { waiting.count }

  mutating func append(_ line: ArraySlice<UInt8>) {
    waiting.append(renaming(line))
  }

  /// Writes what there is room for, without waiting.
  ///
  /// - Returns: `false` if the pipe no longer has a reader.
  mutating func flush() -> Bool {
    waiting.write { [output] bytes in
      let count = unsafe bytes.withUnsafeBytes {
        unsafe Glibc.write(output, $0.baseAddress, $0.count)
      }
      return count >= 0 ? count : errno == EAGAIN || errno == EINTR ? 0 : nil
    }
  }
}
