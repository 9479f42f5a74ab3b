import Glibc

/// Passes gpsd's reports on to a pipe, and keeps them while its reader is slow.
package struct ReportPipe {
  /// This end of the pipe, which never blocks.
  let output: CInt
  private let renaming: DeviceRenaming
  /// What the pipe has no room for, from ``written`` on.
  private var waiting: [UInt8] = []
  private var written = 0

  package init(to output: CInt, renaming path: String, to name: String) {
    self.output = output
    renaming = DeviceRenaming(path, to: name)
  }

  /// How many bytes wait for the reader.
  var waitingCount: Int { waiting.count - written }

  mutating func append(_ line: ArraySlice<UInt8>) {
    waiting += renaming(line)
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
