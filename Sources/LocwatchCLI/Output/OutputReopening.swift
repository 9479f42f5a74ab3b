import Glibc
import LocationCore
import LocwatchSystem
import Synchronization

/// Reopens the file of an output on request, because the current file was renamed.
final class OutputReopening: Sendable {
  private let path: FilePath
  private let report: @Sendable (String) -> Void
  private let isAsked = Mutex(false)

  /// - Parameter report: Called if there is no other file to write to.
  init(of path: FilePath, report: @escaping @Sendable (String) -> Void) {
    self.path = path
    self.report = report
  }

  /// Whether reopening was requested.
  var isRequested: Bool { isAsked.withLock(\.self) }

  /// Requests that the file is reopened before the next record. This method can be called on any thread.
  func request() { isAsked.withLock { $0 = true } }

  /// Returns the file that has the name now; `nil` without a request, or if the output stays in the current
  /// file.
  ///
  /// - Parameter current: The file that is being written.
  func take(after current: Descriptor) -> Descriptor? {
    let isRequested = isAsked.withLock { isAsked in
      defer { isAsked = false }
      return isAsked
    }
    guard isRequested, FileIdentity(of: path) != FileIdentity(of: current.number) else {
      return nil
    }
    if let status = path.status, let obstacle = Self.obstacle(status) {
      report("\(path) is now \(obstacle); locwatch still writes to the file that had this name")
      return nil
    }
    do throws(OutputError) {
      let isNew = path.status == nil
      let output = try Descriptor(replacing: path)
      if isNew { output.takeMode(of: current) }
      return output
    } catch {
      report("\(error); locwatch still writes to the file that had this name")
      return nil
    }
  }

  /// Describes a file that has the name and cannot be used; `nil` for an empty file.
  private static func obstacle(_ status: stat) -> String? {
    switch status.st_mode & S_IFMT {
    case S_IFREG: status.st_size > 0 ? "another file, which is not empty" : nil
    case S_IFDIR: "a folder"
    case S_IFIFO: "a named pipe"
    case S_IFSOCK: "a socket"
    default: "a device"
    }
  }
}
