import GPSDLocation
import Glibc

/// A serial device of this machine.
struct SerialDevice: Sendable {
  let path: String
  /// The path without links: gpsd may know the device by another name.
  let realPath: String

  /// - Throws: ``Failure`` with the status for an input that cannot be opened.
  init(path: String) throws(Failure) {
    self.path = path
    guard let resolved = unsafe realpath(path, nil) else {
      throw Self.failure(path, errno)
    }
    defer { unsafe free(resolved) }
    realPath = unsafe String(cString: resolved)
    var status = stat()
    guard unsafe stat(realPath, &status) == 0, status.st_mode & S_IFMT == S_IFCHR else {
      throw Failure(.noInput, "\(path) is not a serial device")
    }
    guard unsafe access(realPath, R_OK | W_OK) == 0 else {
      throw Self.failure(path, errno)
    }
  }

  /// What to tell gpsd of the line. A pseudo-terminal has no speed to find out, which would take gpsd
  /// six seconds.
  var lineSettings: [String] {
    realPath.hasPrefix("/dev/pts/") ? ["-b", "-s", "38400", "-f", "8N1"] : []
  }

  /// The device as it is now; `nil` while it is unplugged, or before udev has made it ours.
  var node: DeviceNode? {
    unsafe access(path, R_OK | W_OK) == 0 ? DeviceNode(path: path) : nil
  }

  /// Takes the number once: what is called to word it may set another.
  private static func failure(_ path: String, _ number: CInt) -> Failure {
    Failure(.noInput, "\(path): \(systemText(number))" + hint(number))
  }

  private static func hint(_ number: CInt) -> String {
    switch number {
    case EACCES: "\nSerial devices belong to the group dialout: 'sudo adduser $USER dialout'."
    case ENOENT: "\nIs the receiver plugged in? 'ls /dev/ttyACM* /dev/ttyUSB* /dev/serial*'"
    default: ""
    }
  }
}
