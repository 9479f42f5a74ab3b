import Foundation
package import Glibc
package import LocationCore
import LocwatchSystem

/// A folder of a test's own, which is removed with everything in it.
package final class TemporaryFolder: Sendable {
  package let path: String

  /// - Parameter isInMemory: Whether the folder is to be in memory, where there is a file system for that: a
  ///   disk takes most of the time of tests that write thousands of small files.
  package init(isInMemory: Bool = false) throws {
    let parent = isInMemory && access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
    path = "\(parent)/locwatch-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Returns the path of a file in the folder.
  package func path(_ name: String) -> FilePath { FilePath("\(path)/\(name)") }

  /// Writes a file, and returns its path.
  @discardableResult
  package func write(_ text: String, to name: String, mode: mode_t = 0o644) throws -> String {
    let file = "\(path)/\(name)"
    if mode & 0o111 == 0 {
      try Data(text.utf8).write(to: URL(filePath: file))
    } else {
      try writeProgram(text, to: file)
    }
    chmod(file, mode)
    return file
  }

  /// Has another process write a program. A child that this process starts meanwhile would have the file open
  /// for writing until it runs something else, and so long no program in it can be run.
  private func writeProgram(_ text: String, to file: String) throws {
    let writer = try Supervisor(
      ["/bin/sh", "-c", #"printf %s "$1" >"$0""#, file, text], environment: [], descriptors: [])
    while !writer.hasEnded { usleep(1000) }
    writer.end()
  }

  /// Makes a link, and returns its path.
  @discardableResult
  package func link(_ name: String, to target: String) throws -> String {
    try FileManager.default.createSymbolicLink(
      atPath: "\(path)/\(name)", withDestinationPath: target)
    return "\(path)/\(name)"
  }

  /// Makes a folder, and returns its path.
  @discardableResult
  package func makeFolder(_ name: String) throws -> String {
    try FileManager.default.createDirectory(
      atPath: "\(path)/\(name)", withIntermediateDirectories: true)
    return "\(path)/\(name)"
  }

  /// Makes a named pipe, and returns its path.
  package func makePipe(_ name: String) -> String {
    mkfifo("\(path)/\(name)", 0o600)
    return "\(path)/\(name)"
  }

  /// Returns the text of a file; `nil` if there is none.
  package func text(of name: String) -> String? {
    FileManager.default.contents(atPath: "\(path)/\(name)").map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  /// Returns the permissions of a file; `nil` if there is none.
  package func mode(of name: String) -> mode_t? {
    var status = stat()
    return lstat("\(path)/\(name)", &status) == 0 ? status.st_mode & 0o7777 : nil
  }

  /// Returns the owner and the group of a file; `nil` if there is none.
  package func owner(of name: String) -> [UInt32]? {
    var status = stat()
    return lstat("\(path)/\(name)", &status) == 0 ? [status.st_uid, status.st_gid] : nil
  }

  /// Returns whether a name is that of a link.
  package func isLink(_ name: String) -> Bool {
    var status = stat()
    return lstat("\(path)/\(name)", &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
  }

  /// The names in the folder, in order.
  package var names: [String] { names(".") }

  /// Returns the names in a folder of it, sorted.
  package func names(_ folder: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: "\(path)/\(folder)")) ?? []).sorted()
  }
}
