package import GPSDLocation
import Glibc
import LocationCore

/// A local serial device.
package struct SerialDevice: Sendable {
  package let path: String
  /// The path with links resolved, since gpsd may know the device by another name.
  package let realPath: String

  /// The kernel's subsystems of devices that are not receivers.
  private static let otherSubsystems = ["mem", "misc", "input", "pps", "ptp", "rtc"]

  private let machine: Machine

  /// - Throws: ``Failure`` if the device does not exist, or is none that a receiver can have.
  package init(path: String, on machine: Machine = .this) throws(Failure) {
    self.path = path
    self.machine = machine
    guard let realPath = Self.realPath(of: path) else {
      throw Self.failure(path, errno, on: machine)
    }
    self.realPath = realPath
    var status = stat()
    guard unsafe stat(realPath, &status) == 0 else {
      throw Self.failure(path, errno, on: machine)
    }
    let kind = status.st_mode & S_IFMT
    let subsystem = machine.subsystem(ofDevice: status.st_rdev) ?? ""
    guard kind == S_IFCHR, !Self.otherSubsystems.contains(subsystem) else {
      let isRecording = kind == S_IFREG || kind == S_IFDIR
      throw Failure(
        .noInput,
        isRecording
          ? "\(path) is not a serial device\n\(Hint.replay(path))"
          : "\(path) is not a serial device")
    }
  }

  /// - Throws: ``Failure`` if this process may not open the device.
  package func checkAccess() throws(Failure) {
    guard unsafe access(realPath, R_OK | W_OK) == 0 else {
      throw Self.failure(path, errno, on: machine)
    }
  }

  /// Returns the path with links resolved; `nil` with the reason in `errno` if it does not exist.
  package static func realPath(of path: String) -> String? {
    guard let resolved = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }

  /// Returns gpsd's options for the line. They are set for a pseudo-terminal, on which gpsd would search
  /// for the speed for six seconds.
  ///
  /// - Parameter isWritten: Whether gpsd has to write to the receiver.
  package func lineSettings(isWritten: Bool = false) -> [String] {
    guard realPath.hasPrefix("/dev/pts/") else { return [] }
    return (isWritten ? [] : ["-b"]) + ["-s", "38400", "-f", "8N1"]
  }

  /// The device as it is now; `nil` while it is unplugged, or before udev has granted access.
  package var node: DeviceNode? {
    unsafe access(path, R_OK | W_OK) == 0 ? DeviceNode(path: path) : nil
  }

  /// - Parameter number: A copy of `errno`, which later calls may change.
  private static func failure(_ path: String, _ number: CInt, on machine: Machine) -> Failure {
    let reason: Message = "\(path): \(systemText(number))"
    return Failure(.noInput, hint(number, on: machine).map { "\(reason)\n\($0)" } ?? reason)
  }

  private static func hint(_ number: CInt, on machine: Machine) -> Message? {
    switch number {
    case EACCES: return "Serial devices belong to the group dialout: 'sudo adduser $USER dialout'."
    case ENOENT:
      let ports = machine.serialPorts
      return ports.isEmpty
        ? "Is the receiver plugged in? 'ls /dev/ttyACM* /dev/ttyUSB* /dev/serial*'"
        : Hint.otherPorts(ports, on: machine)
    default: return nil
    }
  }
}
