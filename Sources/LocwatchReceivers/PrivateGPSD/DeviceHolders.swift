package import Glibc
package import LocwatchSystem

/// Other processes that have a serial device open, as far as /proc shows them: root sees all, a user its
/// own.
///
/// What this process has started does not count, nor does the program at the other end of a pseudo-terminal.
///
/// Each byte of a receiver reaches only one of its readers. gpsd as root opens a device whoever else reads
/// it.
package struct DeviceHolders {
  package struct Holder: Equatable, CustomStringConvertible {
    package var process: pid_t
    package var name: String
    /// The locwatch that started it; `nil` if none did.
    package var locwatch: pid_t?

    /// `gpsd (process 91) of locwatch (process 90)`
    package var description: String {
      "\(name) (process \(process))" + (locwatch.map { " of locwatch (process \($0))" } ?? "")
    }
  }

  /// Ordered by their numbers.
  package let holders: [Holder]
  /// Whether all other processes could be looked at.
  package let isComplete: Bool

  /// - Parameter path: The device.
  package init(of path: String, on machine: Machine = .this) {
    guard let device = machine.device(at: path) else {
      (holders, isComplete) = ([], true)
      return
    }
    var holders: [Holder] = []
    var hidden = machine.processIDs.isEmpty ? 1 : 0
    for process in machine.processIDs where process != getpid() {
      let folder = "/proc/\(process)/fd"
      guard let names = machine.readableNames(in: folder) else {
        // It may have ended.
        if machine.exists(folder) { hidden += 1 }
        continue
      }
      if names.contains(where: { machine.device(openedAs: "\(folder)/\($0)") == device }),
        !machine.isMaster(of: path, process, descriptors: names),
        !machine.ancestors(ofProcess: "\(process)").contains(getpid())
      {
        holders.append(Holder(process, on: machine))
      }
    }
    self.holders = holders
    isComplete = hidden == 0
  }

  /// Those that are not gpsd.
  package var clients: [Holder] { holders.filter { $0.name != "gpsd" } }

  /// What to tell the user; `nil` if no other process has the device open.
  package func warning(for path: String) -> String? {
    guard !holders.isEmpty else { return nil }
    let names = holders.map(\.description).joined(separator: ", ")
    return "\(path) is already open in \(names): each reader gets only part of the data"
  }
}

extension DeviceHolders.Holder {
  package init(_ process: pid_t, on machine: Machine) {
    self.init(
      process: process, name: machine.name(ofProcess: process) ?? "?",
      locwatch: machine.locwatch(ofProcess: process))
  }
}
