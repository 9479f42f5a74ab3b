import Glibc

/// A symbolic link to a device, as udev keeps one in /dev/serial/by-id.
package struct DeviceLink: Hashable, Sendable {
  package let path: String

  /// Points the link to `target`, at once for everybody who looks; makes its folder if need be.
  package func point(to target: String) throws(SystemError) {
    makeFolder(of: path)
    let fresh = "\(path).new"
    unlink(fresh)
    guard symlink(target, fresh) == 0 else { throw SystemError("symlink \(fresh)") }
    guard rename(fresh, path) == 0 else { throw SystemError("rename \(fresh)") }
  }

  package func remove() {
    unlink(path)
  }

  /// Every user may enter: gpsd looks after it has dropped its privileges.
  private func makeFolder(of path: String) {
    guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return }
    let folder = String(path[..<slash])
    guard access(folder, F_OK) != 0 else { return }
    makeFolder(of: folder)
    mkdir(folder, 0o755)
  }
}
