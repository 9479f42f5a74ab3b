import Glibc

/// A serial device as the file system of this machine has it.
///
/// Two that are equal are the same device, and it was not unplugged in between: one that is plugged in
/// again is a new file, even where it gets the old name.
package struct DeviceNode: Hashable, Sendable {
  private var file: UInt64
  private var fileSystem: UInt64
  private var number: UInt64
  private var changed: Int64

  /// - Parameters:
  ///   - number: Which one of the kernel's devices it is, and which file.
  ///   - changed: When its file was made, or got another owner or mode, in nanoseconds.
  package init(number: UInt64, changed: Int64 = 0) {
    (file, fileSystem, self.number, self.changed) = (number, 0, number, changed)
  }

  /// What a path leads to; `nil` where that is no device, or nothing.
  package init?(path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFCHR else { return nil }
    file = UInt64(status.st_ino)
    fileSystem = UInt64(status.st_dev)
    number = UInt64(status.st_rdev)
    changed = Int64(status.st_ctim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_ctim.tv_nsec)
  }

  /// Whether it is another device, or another file, than `other`; a change of the owner or mode is none.
  func isOther(than other: DeviceNode) -> Bool {
    (file, fileSystem, number) != (other.file, other.fileSystem, other.number)
  }
}

extension DeviceNode {
  /// Finds the device behind a receiver's path; `nil` where it is not on this machine.
  package typealias Lookup = @Sendable (_ path: String) -> DeviceNode?

  /// Looks on this machine. A path that is not absolute is no device's.
  package static let onThisMachine: Lookup = { path in
    path.utf8.first == UInt8(ascii: "/") ? DeviceNode(path: path) : nil
  }

  /// Finds nothing: the receivers are on another machine, or somebody else looks after them.
  package static let elsewhere: Lookup = { _ in nil }
}
