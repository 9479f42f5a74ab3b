package import Glibc

/// The processes of a group, and the sockets that they have open, as /proc shows them.
package struct ProcessGroup {
  private let identifier: pid_t
  private let folder: String
  private let groupOf: @Sendable (pid_t) -> pid_t

  /// - Parameters:
  ///   - identifier: The number of the group.
  ///   - folder: Where /proc is.
  ///   - groupOf: Returns the group of a process; -1 if there is no such process.
  package init(
    _ identifier: pid_t, in folder: String = "/proc",
    groupOf: @escaping @Sendable (pid_t) -> pid_t = { getpgid($0) }
  ) {
    self.identifier = identifier
    self.folder = folder
    self.groupOf = groupOf
  }

  /// Returns whether one of the processes has a socket open; `nil` if that cannot be seen of all of
  /// them, and none of the others has it.
  package func hasSocket(_ inode: UInt64) -> Bool? {
    let members = members
    var isKnown = !members.isEmpty
    for process in members {
      let descriptors = "\(folder)/\(process)/fd"
      guard let names = FolderEntries(of: descriptors) else {
        // One that has ended meanwhile has none.
        if groupOf(process) == identifier { isKnown = false }
        continue
      }
      for name in names.all
      where SymbolicLink.destination(of: "\(descriptors)/\(name)") == "socket:[\(inode)]" {
        return true
      }
    }
    return isKnown ? false : nil
  }

  /// The users that the processes run as.
  package var users: Set<uid_t> {
    var users: Set<uid_t> = []
    for process in members {
      var status = stat()
      if unsafe stat("\(folder)/\(process)", &status) == 0 { users.insert(status.st_uid) }
    }
    return users
  }

  private var members: [pid_t] {
    guard let names = FolderEntries(of: folder) else { return [] }
    return names.all.compactMap { pid_t($0) }.filter { groupOf($0) == identifier }
  }
}
