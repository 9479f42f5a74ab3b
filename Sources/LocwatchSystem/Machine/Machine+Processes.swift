package import Glibc

extension Machine {
  /// A process that runs.
  package struct Process: Equatable {
    package var id: pid_t
    /// The name of the program, at most 15 bytes.
    package var name: String
    /// The command line; empty for a thread of the kernel.
    package var arguments: [String]
  }

  /// The numbers of all processes in /proc, in order; none if it cannot be read.
  package var processIDs: [pid_t] { names(in: "/proc").compactMap { pid_t($0) }.sorted() }

  /// All processes in /proc, in the order of their numbers.
  package var processes: [Process] {
    processIDs.compactMap { id in
      // It may have ended.
      guard let name = name(ofProcess: id) else { return nil }
      let line = text(of: "/proc/\(id)/cmdline") ?? ""
      return Process(id: id, name: name, arguments: line.split(separator: "\0").map(String.init))
    }
  }

  /// Returns the name of the program that a process runs; `nil` if there is no such process.
  package func name(ofProcess id: pid_t) -> String? {
    text(of: "/proc/\(id)/comm").map { String($0.prefix { !$0.isNewline }) }
  }

  /// Returns whether a process has a device open, as far as that can be seen.
  package func process(_ id: pid_t, hasOpen path: String) -> Bool {
    guard let device = device(at: path) else { return false }
    let folder = "/proc/\(id)/fd"
    return names(in: folder).contains { self.device(openedAs: "\(folder)/\($0)") == device }
  }

  /// Returns the paths that devices had which a process still has open, although they were unplugged. There are none if
  /// its descriptors cannot be read.
  package func unpluggedDevices(of id: pid_t) -> [String] {
    let folder = "/proc/\(id)/fd"
    return names(in: folder).compactMap { unpluggedDevice(openedAs: "\(folder)/\($0)") }
  }

  /// Returns the process that started a process, the one that started that, and so on.
  ///
  /// - Parameter process: The name of its folder in /proc: its number, or `self`.
  package func ancestors(ofProcess process: String) -> [pid_t] {
    var ancestors: [pid_t] = []
    var process = process
    while let parent = parent(ofProcess: process), parent > 0, !ancestors.contains(parent) {
      ancestors.append(parent)
      process = "\(parent)"
    }
    return ancestors
  }

  /// Returns the locwatch that started a process, as its private gpsd; `nil` if none did.
  package func locwatch(ofProcess id: pid_t) -> pid_t? {
    ancestors(ofProcess: "\(id)").first { name(ofProcess: $0) == "locwatch" }
  }

  /// Returns whether a process has the other end of a pseudo-terminal open.
  ///
  /// - Parameter names: The numbers of its descriptors.
  package func isMaster(of path: String, _ process: pid_t, descriptors names: [String]) -> Bool {
    guard let real = realPath(of: path), real.hasPrefix("/dev/pts/") else { return false }
    let line = "tty-index:\t\(real.dropFirst("/dev/pts/".count))"
    return names.contains { name in
      text(of: "/proc/\(process)/fdinfo/\(name)")?.split(separator: "\n").contains { $0 == line }
        ?? false
    }
  }

  private func parent(ofProcess process: String) -> pid_t? {
    fields(ofProcess: process).flatMap { $0.count > 1 ? pid_t($0[1]) : nil }
  }

  /// Returns the fields of /proc/PID/stat after the name, which may contain anything.
  package func fields(ofProcess process: String) -> [Substring]? {
    guard let stat = text(of: "/proc/\(process)/stat"), let end = stat.lastIndex(of: ")") else {
      return nil
    }
    return stat[end...].dropFirst().split(separator: " ")
  }

  /// Returns the path of the program that a process runs; `nil` if that is hidden.
  package func program(ofProcess id: pid_t) -> String? { destination(of: "/proc/\(id)/exe") }

  /// Returns who a process is; `nil` if that cannot be read.
  ///
  /// - Parameter process: The name of its folder in /proc: its number, or `self`.
  package func identity(ofProcess process: String) -> Identity? {
    text(of: "/proc/\(process)/status").flatMap(Identity.init(status:))
  }

  /// Returns the user who has a name; `nil` if it is not in /etc/passwd.
  package func user(named name: String) -> uid_t? {
    accounts(in: "/etc/passwd").first { $0[0] == name }.flatMap { uid_t($0[2]) }
  }

  /// Returns the name of a local user; `nil` if it is not in /etc/passwd.
  package func name(ofUser user: uid_t) -> String? {
    accounts(in: "/etc/passwd").first { uid_t($0[2]) == user }.map { String($0[0]) }
  }

  /// Returns the name and the members of a group; `nil` if it is not in /etc/group.
  package func group(_ group: gid_t) -> (name: String, members: [Substring])? {
    accounts(in: "/etc/group").first { gid_t($0[2]) == group }
      .map { (String($0[0]), $0[3].split(separator: ",")) }
  }

  /// Returns whether a process is in a group, or will be from the next login of its user on.
  package func isMember(_ identity: Identity, ofGroup name: String) -> Bool {
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

/// The identity with which a process opens files.
package struct Identity: Equatable {
  package var user: uid_t
  /// The user who started the process, who is another one if its file is set-user-ID.
  package var realUser: uid_t
  package var groups: Set<gid_t>

  package init(user: uid_t, groups: Set<gid_t>) {
    self.user = user
    realUser = user
    self.groups = groups
  }

  /// Reads /proc/PID/status.
  package init?(status: String) {
    var numbers: [Substring: [UInt32]] = [:]
    for line in status.split(separator: "\n") {
      guard let colon = line.firstIndex(of: ":") else { continue }
      numbers[line[..<colon]] = line[colon...].dropFirst()
        .split { $0 == " " || $0 == "\t" }.compactMap { UInt32($0) }
    }
    // The real, the effective, the saved and the file system's.
    guard let users = numbers["Uid"], users.count == 4, let own = numbers["Gid"], own.count == 4
    else { return nil }
    (realUser, user) = (users[0], users[1])
    groups = Set(numbers["Groups"] ?? []).union([own[1]])
  }

  /// Whether the process may read and write a file.
  package func mayUse(_ file: Machine.Permissions) -> Bool {
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
