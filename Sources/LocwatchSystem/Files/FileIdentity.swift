package import Glibc
package import LocationCore

/// Which file it is, however its path is written and through whichever links it leads.
package struct FileIdentity: Hashable {
  private let device: dev_t
  /// The file, or the folder of one that does not exist yet.
  private let inode: ino_t
  /// The name of a file that does not exist yet; `nil` for one that does.
  private let newName: [UInt8]?

  private init?(_ status: stat, newName: [UInt8]? = nil) {
    // A pipe or a device keeps nothing that could be lost.
    guard [S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT) else { return nil }
    device = status.st_dev
    inode = status.st_ino
    self.newName = newName
  }

  /// - Returns: `nil` for what is neither a file nor a folder, and for what cannot be created.
  package init?(of path: FilePath) {
    if let status = path.status {
      self.init(status)
    } else {
      let file = path.followingLinks
      guard let folder = file.folder.status else { return nil }
      self.init(folder, newName: file.lastComponent)
    }
  }

  /// - Returns: `nil` for a descriptor of neither a file nor a folder.
  package init?(of descriptor: CInt) {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }
}

extension FilePath {
  /// A longer chain of links leads nowhere, as in the kernel.
  private static let maximumLinks = 40
  private static let slash = UInt8(ascii: "/")

  /// The status of the file that the path leads to; `nil` if there is none, or none that can be seen.
  package var status: stat? {
    var status = stat()
    let isThere = unsafe withCString { unsafe stat($0, &status) == 0 }
    return isThere ? status : nil
  }

  /// The status of the file, or of the link that the path names; `nil` if there is none.
  package var ownStatus: stat? {
    var status = stat()
    let isThere = unsafe withCString { unsafe lstat($0, &status) == 0 }
    return isThere ? status : nil
  }

  /// The type of the file, such as `S_IFREG`; 0 if it does not exist.
  package var fileType: mode_t { (status?.st_mode ?? 0) & S_IFMT }

  /// The path that the links lead to which this path names, one after the other. What it names may not
  /// exist. A path whose links lead nowhere, or to what has no other name, is returned as it is.
  package var followingLinks: FilePath {
    var path = self
    for _ in 0..<Self.maximumLinks {
      guard let target = path.linkTarget else {
        // In /proc, the target of a link need not be a path.
        return path.status?.st_ino == status?.st_ino ? path : self
      }
      path = target.first == Self.slash ? FilePath(bytes: target) : path.sibling(target)
    }
    return self
  }

  /// What the link says that the path names; `nil` if the path names no link.
  private var linkTarget: [UInt8]? {
    let target = unsafe withCString { path in
      unsafe [UInt8](unsafeUninitializedCapacity: Int(PATH_MAX)) { buffer, used in
        guard let start = buffer.baseAddress else { return }
        used = max(0, unsafe readlink(path, start, buffer.count))
      }
    }
    return target.isEmpty ? nil : target
  }

  /// The folder that the file is in, or would be, with a slash at its end.
  package var folder: FilePath {
    let path = trimmed
    guard let end = path.lastIndex(of: Self.slash) else { return "./" }
    return FilePath(bytes: path[...end])
  }

  /// The name of the file in its folder.
  package var lastComponent: [UInt8] {
    trimmed.split(separator: Self.slash).last.map(Array.init) ?? []
  }

  /// Returns the path of another file in the same folder.
  func sibling(_ name: some Sequence<UInt8>) -> FilePath {
    FilePath(bytes: folder.bytes + name)
  }

  /// The path without the slashes at its end.
  private var trimmed: ArraySlice<UInt8> {
    var path = bytes[...]
    while path.last == Self.slash { path.removeLast() }
    return path
  }
}

extension stat {
  /// When the contents were last changed.
  package var modified: Timestamp {
    Timestamp(
      secondsSince1970: Int64(st_mtim.tv_sec), nanoseconds: Int32(clamping: st_mtim.tv_nsec))
  }
}
