import CLinux
import Glibc

/// The descriptors of a new pipe.
///
/// A program that another thread starts at the same time inherits neither: it would keep the pipe open for
/// as long as it runs.
package struct PipeDescriptors: Sendable {
  package let reading: CInt
  package let writing: CInt

  /// - Parameter flags: `O_NONBLOCK` or nothing, for both ends and for a child's copies.
  /// - Returns: `nil` if the system has no pipe left; the reason is in `errno`.
  package init?(_ flags: CInt = 0) {
    var ends: [CInt] = [-1, -1]
    guard unsafe lw_pipe(&ends, O_CLOEXEC | flags) == 0 else { return nil }
    (reading, writing) = (ends[0], ends[1])
  }

  package func close() {
    for end in [reading, writing] { _ = Glibc.close(end) }
  }
}
