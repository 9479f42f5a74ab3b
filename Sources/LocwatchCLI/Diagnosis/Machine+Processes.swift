import Glibc

extension Machine {
  /// A process that runs.
  struct Process: Equatable {
    var id: pid_t
    /// The name of the program, at most 15 bytes.
    var name: String
    /// The command line; empty for a thread of the kernel.
    var arguments: [String]
  }

  /// The numbers of all processes in /proc, in order; none if it cannot be read.
  var processIDs: [pid_t] { names(in: "/proc").compactMap { pid_t($0) }.sorted() }

  /// All processes in /proc, in the order of their numbers.
  var processes: [Process] {
    processIDs.compactMap { id in
      // It may have ended.
      guard let name = name(ofProcess: id) else { return nil }
      let line = text(of: "/proc/\(id)/cmdline") ?? ""
      return Process(id: id, name: name, arguments: line.split(separator: "\0").map(String.init))
    }
  }

  /// Returns the name of the program that a process runs; `nil` if there is no such process.
  func name(ofProcess id: pid_t) -> String? {
    text(of: "/proc/\(id)/comm").map { String($0.prefix { !$0.isNewline }) }
  }

  /// Returns who a process is; `nil` if that cannot be read.
  ///
  /// - Parameter process: The name of its folder in /proc: its number, or `self`.
  func identity(ofProcess process: String) -> Identity? {
    text(of: "/proc/\(process)/status").flatMap(Identity.init(status:))
  }

  /// Returns the name of a user of this machine; `nil` if it is not in /etc/passwd.
  func name(ofUser user: uid_t) -> String? {
    accounts(in: "/etc/passwd").first { uid_t($0[2]) == user }.map { String($0[0]) }
  }

  /// Returns the name and the members of a group; `nil` if it is not in /etc/group.
  func group(_ group: gid_t) -> (name: String, members: [Substring])? {
    accounts(in: "/etc/group").first { gid_t($0[2]) == group }
      .map { (String($0[0]), $0[3].split(separator: ",")) }
  }

  /// Returns whether a process is in a group, or will be from the next login of its user on.
  func isMember(_ identity: Identity, ofGroup name: String) -> Bool {
    guard let row = accounts(in: "/etc/group").first(where: { $0[0] == name }) else { return false }
    let user = self.name(ofUser: identity.user) ?? ""
    return gid_t(row[2]).map(identity.groups.contains) ?? false
      || row[3].split(separator: ",").contains { $0 == user }
  }

  /// The lines of a table of accounts, with at least four fields each.
  private func accounts(in path: String) -> [[Substring]] {
    (text(of: path) ?? "").split(separator: "\n")
      .map { $0.split(separator: ":", omittingEmptySubsequences: false) }
      .filter { $0.count > 3 }
  }
}

/// Who a process is to the files that it opens.
struct Identity: Equatable {
  var user: uid_t
  var groups: Set<gid_t>

  init(user: uid_t, groups: Set<gid_t>) {
    self.user = user
    self.groups = groups
  }

  /// Reads /proc/PID/status.
  init?(status: String) {
    var numbers: [Substring: [UInt32]] = [:]
    for line in status.split(separator: "\n") {
      guard let colon = line.firstIndex(of: ":") else { continue }
      numbers[line[..<colon]] = line[colon...].dropFirst()
        .split { $0 == " " || $0 == "\t" }.compactMap { UInt32($0) }
    }
    // The real, the effective, the saved and the file system's.
    guard let users = numbers["Uid"], users.count == 4, let own = numbers["Gid"], own.count == 4
    else { return nil }
    user = users[1]
    groups = Set(numbers["Groups"] ?? []).union([own[1]])
  }

  /// Whether the process may read and write a file.
  func mayUse(_ file: Machine.Permissions) -> Bool {
    let bits: mode_t =
      if user == file.user {
        file.mode >> 6
      } else if groups.contains(file.group) {
        file.mode >> 3
      } else {
        file.mode
      }
    return user == 0 || bits & 0o6 == 0o6
  }
}
