import Glibc

/// Other processes that have a serial device open, as far as /proc shows them: root sees all, a user its
/// own.
///
/// Each byte of a receiver reaches only one of its readers. gpsd as root opens a device whoever else reads
/// it.
struct DeviceHolders {
  struct Holder: Equatable, CustomStringConvertible {
    var process: pid_t
    var name: String

    var description: String { "\(name) (process \(process))" }
  }

  /// Ordered by their numbers.
  let holders: [Holder]

  /// - Parameters:
  ///   - path: The device.
  ///   - folder: Where /proc is.
  init(of path: String, in folder: String = "/proc") {
    guard let device = Self.device(at: path), let names = FolderEntries(of: folder) else {
      holders = []
      return
    }
    let processes = names.all.compactMap { pid_t($0) }.filter { $0 != getpid() }.sorted()
    holders = processes.filter { process in
      let descriptors = "\(folder)/\(process)/fd"
      return FolderEntries(of: descriptors)?.all.contains { name in
        let link = "\(descriptors)/\(name)"
        // A look at other files could wait for the network.
        guard SymbolicLink.destination(of: link)?.hasPrefix("/dev/") == true else { return false }
        return Self.device(at: link) == device
      } ?? false
    }.map { Holder(process: $0, name: Self.name(of: $0, in: folder)) }
  }

  /// What to tell the user; `nil` if nobody else has the device open.
  func warning(for path: String) -> String? {
    guard !holders.isEmpty else { return nil }
    let names = holders.map(\.description).joined(separator: ", ")
    return "\(path) is already open in \(names): each reader gets only a part of what is sent"
  }

  /// The number of a device. A pseudo-terminal has it only within its file system.
  private struct Device: Equatable {
    var number: dev_t
    var fileSystem: dev_t?
  }

  private static func device(at path: String) -> Device? {
    var status = stat()
    guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFCHR else { return nil }
    let isPseudoTerminal = (136...143).contains(status.st_rdev >> 8 & 0xfff)
    return Device(
      number: status.st_rdev, fileSystem: isPseudoTerminal ? status.st_dev : nil)
  }

  private static func name(of process: pid_t, in folder: String) -> String {
    let name = Machine(root: folder).text(of: "/\(process)/comm")
    return name.map { String($0.prefix { !$0.isNewline }) } ?? "?"
  }
}
