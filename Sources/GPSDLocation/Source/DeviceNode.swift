#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The identity of a serial device in the local file system.
///
/// Two equal values are the same device without an unplug in between: a device that is plugged in
/// again is a new file, even if its name is the same.
package struct DeviceNode: Hashable, Sendable {
  private var file: UInt64
  private var fileSystem: UInt64
  private var number: UInt64
  private var changed: Int64

  /// Creates the identity of a device for a test.
  ///
  /// - Parameters:
  ///   - number: The kernel's device number, also used as the file number.
  ///   - changed: When its file was created, or its owner or mode last changed, in nanoseconds.
  package init(number: UInt64, changed: Int64 = 0) {
    (file, fileSystem, self.number, self.changed) = (number, 0, number, changed)
  }

  /// Creates the identity of the device at a path; `nil` if there is none.
  package init?(path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFCHR else { return nil }
    file = UInt64(status.st_ino)
    // Signed on Darwin.
    fileSystem = UInt64(truncatingIfNeeded: status.st_dev)
    number = UInt64(truncatingIfNeeded: status.st_rdev)
    #if canImport(Darwin)
      let change = status.st_ctimespec
    #else
      let change = status.st_ctim
    #endif
    changed = Int64(change.tv_sec) &* 1_000_000_000 &+ Int64(change.tv_nsec)
  }

  /// Returns whether this is a different device or file. A change of owner or mode does not count.
  func isOther(than other: DeviceNode) -> Bool {
    (file, fileSystem, number) != (other.file, other.fileSystem, other.number)
  }
}

extension DeviceNode {
  /// Finds the device at a receiver's path; returns `nil` if it is not on this machine.
  package typealias Lookup = @Sendable (_ path: String) -> DeviceNode?

  /// Looks on this machine. Only absolute paths name a device.
  package static let onThisMachine: Lookup = { path in
    path.utf8.first == UInt8(ascii: "/") ? DeviceNode(path: path) : nil
  }

  /// Finds nothing, for receivers that are on another machine or in a recording.
  package static let elsewhere: Lookup = { _ in nil }
}
