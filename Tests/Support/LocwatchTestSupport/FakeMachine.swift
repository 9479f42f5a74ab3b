import Foundation
package import Glibc
package import LocwatchSystem

extension Machine {
  /// A machine of which nothing is known.
  package static let empty = Machine(root: "/nowhere")
}

/// A folder that stands for a machine.
package final class FakeMachine: Sendable {
  private let folder: TemporaryFolder
  package let machine: Machine

  /// The folder.
  package var root: String { folder.path }

  package init() throws {
    folder = try TemporaryFolder(isInMemory: true)
    machine = Machine(root: folder.path)
  }

  /// Writes a file, and the folders above it.
  package func write(_ text: String = "", to path: String) throws {
    try makeFolders(above: path)
    try folder.write(text, to: path)
  }

  package func link(_ path: String, to target: String) throws {
    try makeFolders(above: path)
    try folder.link(path, to: target)
  }

  /// Removes a file, or a folder with all that is in it.
  package func remove(_ path: String) throws {
    try FileManager.default.removeItem(atPath: "\(root)/\(path)")
  }

  /// Changes who may use a file.
  package func protect(_ path: String, _ mode: mode_t, group: gid_t = FakeMachine.group) throws {
    let file = "\(root)/\(path)"
    let isDone = unsafe chown(file, .max, group) == 0 && chmod(file, mode) == 0
    precondition(isDone)
  }

  /// A group that the tests may give files to.
  package static let group = geteuid() == 0 ? 20 : getgid()

  private func makeFolders(above path: String) throws {
    try folder.makeFolder(path.split(separator: "/").dropLast().joined(separator: "/"))
  }

  /// Plugs in a serial device.
  ///
  /// - Parameter name: What udev makes of it; `nil` for no udev.
  package func plug(_ port: String, as name: String? = nil) throws {
    try write(to: "dev/\(port)")
    let number = port.unicodeScalars.reduce(0) { ($0 * 31 + Int($1.value)) % 1000 }
    try write("188:\(number)\n", to: "sys/class/tty/\(port)/dev")
    if let name { try link("dev/serial/by-id/\(name)", to: "../../\(port)") }
  }

  /// Has a process run.
  ///
  /// - Parameters:
  ///   - id: Its number.
  ///   - arguments: Its command line after the name.
  ///   - status: Its user, as in /proc/PID/status; `nil` for root.
  ///   - files: What it has open.
  package func run(
    _ name: String, as id: pid_t, _ arguments: String = "", status: String? = nil,
    opening files: String...
  ) throws {
    let folder = "proc/\(id)"
    try write(name + "\n", to: "\(folder)/comm")
    let words = ["/usr/sbin/\(name)"] + arguments.split(separator: " ").map(String.init)
    try write(words.map { $0 + "\0" }.joined(), to: "\(folder)/cmdline")
    try write(status ?? "Uid:\t0\t0\t0\t0\nGid:\t0\t0\t0\t0\n", to: "\(folder)/status")
    // What a process of that number had open before
    try? FileManager.default.removeItem(atPath: "\(root)/\(folder)/fd")
    try write(to: "\(folder)/fd/0")
    for (number, file) in files.enumerated() { try link("\(folder)/fd/\(number + 3)", to: file) }
  }

  /// Has a process end.
  package func end(_ process: pid_t) throws { try remove("proc/\(process)") }

  /// Has AppArmor enforce a profile of gpsd.
  package func enforce(_ profile: String = FakeMachine.profile) throws {
    try write(profile, to: "etc/apparmor.d/usr.sbin.gpsd")
    try write(
      "lsb_release (enforce)\n/usr/sbin/gpsd (enforce)\n",
      to: "sys/kernel/security/apparmor/profiles")
  }

  /// What Debian's profile says of devices.
  package static let profile = """
    # /dev/ttySC[0-9] rw,
    /usr/sbin/gpsd flags=(attach_disconnected) {
      # own binary
      /usr/sbin/gpsd rmix,
      # common serial paths to GPS devices
      /dev/tty{,S,USB,AMA,ACM}[0-9]*    rw,
      /sys/dev/char     r,
      /dev/rfcomm* rw,
      owner /dev/rfcomm* w,
      /dev/gpsd[0-9] rw,
      /dev/gnss9 r,
      /dev/gnss8 w,
      deny /dev/ttymxc[0-9] rw,
      /dev/ r,
      /{,var/}run/gpsd.sock rw,
      #include <local/usr.sbin.gpsd>
    }
    """
}
