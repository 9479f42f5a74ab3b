import Glibc
package import LocationCore

/// The names of what a folder contains.
package struct FolderEntries {
  /// The bytes of each name, which need not be UTF-8.
  package let names: [[UInt8]]

  /// The names as texts.
  package var all: [String] { names.map { String(decoding: $0, as: UTF8.self) } }

  /// `nil` if the folder cannot be read.
  package init?(of path: FilePath) {
    guard let directory = unsafe path.withCString({ unsafe opendir($0) }) else { return nil }
    defer { unsafe closedir(directory) }
    var names: [[UInt8]] = []
    while let entry = unsafe readdir(directory) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) {
        unsafe Array($0.prefix { $0 != 0 })
      }
      if ![".", ".."].contains(where: { $0.utf8.elementsEqual(name) }) { names.append(name) }
    }
    self.names = names
  }

  /// `nil` if the folder cannot be read.
  package init?(of path: String) { self.init(of: FilePath(path)) }
}

enum SymbolicLink {
  /// Returns where a link leads, up to the length of a path; `nil` if it cannot be read.
  static func destination(of path: String) -> String? {
    var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe bytes.withUnsafeMutableBytes { bytes in
      unsafe readlink(path, bytes.baseAddress!.assumingMemoryBound(to: CChar.self), bytes.count)
    }
    return count >= 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
  }
}
