import Glibc
import LocwatchSystem

/// A local gpsd that root or the user of this process started.
///
/// Any user can run a program with that name and with arguments of their choice, and can have `sudo` run under
/// that name as root.
struct GPSDProcess: Equatable {
  let id: pid_t
  let arguments: GPSDArguments

  /// `nil` if the process is not a gpsd, or another user's.
  init?(_ process: Machine.Process, on machine: Machine) {
    guard process.name == "gpsd", let identity = machine.identity(ofProcess: "\(process.id)"),
      machine.trusts(identity.user), machine.trusts(identity.realUser),
      machine.program(ofProcess: process.id).map(Self.isProgram) ?? true
    else { return nil }
    id = process.id
    arguments = GPSDArguments(process.arguments.dropFirst())
  }

  /// A program that was replaced while it runs has ` (deleted)` after its path.
  private static func isProgram(_ path: String) -> Bool {
    path.split(separator: "/").last?.split(separator: " ").first == "gpsd"
  }
}

extension Machine {
  /// All gpsds that run, private ones included.
  var daemons: [GPSDProcess] { processes.compactMap { GPSDProcess($0, on: self) } }

  /// Whether a user is root, that of this process, or the one to which gpsd changes after root has started it.
  func trusts(_ user: uid_t) -> Bool {
    let own = identity(ofProcess: "self")?.user ?? geteuid()
    return user == 0 || user == own || user == self.user(named: "gpsd")
  }
}
