package import Glibc

/// The files of a machine that show its devices and processes.
///
/// Paths are the machine's. A folder can stand for a machine, as its root.
package struct Machine: Sendable {
  /// The machine that the program runs on.
  package static let this = Machine(root: "")

  /// The longest text that is read, in bytes.
  package static let maximumText = 1 << 18

  private let root: String

  /// - Parameter root: The folder that stands for the root of the machine; empty for the root itself.
  package init(root: String) { self.root = root }

  /// Returns whether there is a file, folder or device at a path.
  package func exists(_ path: String) -> Bool { unsafe access(file(path), F_OK) == 0 }

  /// Returns whether there is a regular file at a path, and not a device or folder.
  package func isFile(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(file(path), &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// Returns the sorted names in a folder; none if it cannot be read.
  package func names(in folder: String) -> [String] { readableNames(in: folder) ?? [] }

  /// Returns the sorted names in a folder; `nil` if it cannot be read.
  package func readableNames(in folder: String) -> [String]? {
    FolderEntries(of: file(folder))?.all.sorted()
  }

  /// Returns where a link leads; `nil` if there is none, or it cannot be read.
  func destination(of link: String) -> String? { SymbolicLink.destination(of: file(link)) }

  /// Returns the text of a file; `nil` if it cannot be read.
  package func text(of path: String) -> String? {
    bytes(of: path).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Returns the bytes of a file, ``maximumText`` and a few more at most; `nil` if it cannot be read.
  package func bytes(of path: String) -> [UInt8]? {
    let descriptor = unsafe open(file(path), O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { _ = close(descriptor) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 4096)
    while bytes.count < Self.maximumText {
      let count = unsafe read(descriptor, &piece, piece.count)
      guard count >= 0 else { return nil }
      if count == 0 { break }
      bytes += piece[..<count]
    }
    return bytes
  }

  /// Returns a path with links resolved; `nil` if it does not exist.
  package func realPath(of path: String) -> String? {
    guard let real = SerialDevice.realPath(of: file(path)) else { return nil }
    guard !root.isEmpty, let top = SerialDevice.realPath(of: root), real.hasPrefix(top) else {
      return real
    }
    return String(real.dropFirst(top.count))
  }

  /// Returns the name of the subsystem of a character device, such as `tty`; `nil` if the kernel does
  /// not show it, as for a pseudo-terminal.
  func subsystem(ofDevice number: dev_t) -> String? {
    let number = Number(number)
    let link = "/sys/dev/char/\(number.major):\(number.minor)/subsystem"
    return SymbolicLink.destination(of: file(link))?.split(separator: "/").last.map(String.init)
  }

  /// The number of a device.
  package struct Device: Equatable {
    private var number: dev_t
    /// Where the number counts; `nil` for everywhere.
    private var fileSystem: dev_t?

    fileprivate init(_ number: dev_t, on fileSystem: dev_t? = nil) {
      self.number = number
      self.fileSystem = fileSystem
    }
  }

  /// Returns the device at a path, whatever links lead to it; `nil` if there is none.
  package func device(at path: String) -> Device? {
    var status = stat()
    guard unsafe stat(file(path), &status) == 0 else { return nil }
    switch status.st_mode & S_IFMT {
    case S_IFCHR:
      // A pseudo-terminal has its number only within its file system.
      let isPseudoTerminal = (136...143).contains(status.st_rdev >> 8 & 0xfff)
      return Device(status.st_rdev, on: isPseudoTerminal ? status.st_dev : nil)
    // Only root can make a device, so a file stands for it in a folder that stands for a machine.
    case S_IFREG where !root.isEmpty: return Device(status.st_ino, on: status.st_dev)
    default: return nil
    }
  }

  /// What the kernel adds to the path of an open file that was removed.
  private static let mark = " (deleted)"

  /// Returns the device that a process has open; `nil` if it is none, or was unplugged since.
  ///
  /// - Parameter link: One of `/proc/PID/fd`.
  package func device(openedAs link: String) -> Device? {
    // A file elsewhere can be on a server that does not answer.
    guard let path = destination(of: link), path.hasPrefix("/dev/"), !path.hasSuffix(Self.mark)
    else { return nil }
    return device(at: root.isEmpty ? link : path)
  }

  /// Returns the path that a device had which a process still has open, although it was unplugged; `nil` if there is
  /// none.
  ///
  /// - Parameter link: One of `/proc/PID/fd`.
  func unpluggedDevice(openedAs link: String) -> String? {
    guard let path = destination(of: link), path.hasPrefix("/dev/"), path.hasSuffix(Self.mark),
      !path.hasPrefix("/dev/shm/")
    else { return nil }
    return String(path.dropLast(Self.mark.count))
  }

  /// The two numbers of a device, such as 188:0.
  package struct Number: Equatable {
    var major: UInt64
    var minor: UInt64

    fileprivate init(_ number: dev_t) {
      major = UInt64(number) >> 8 & 0xfff | UInt64(number) >> 32 & 0xffff_f000
      minor = UInt64(number) & 0xff | UInt64(number) >> 12 & 0xffff_ff00
    }

    /// Reads `188:0`.
    fileprivate init?(_ text: some StringProtocol) {
      let parts = text.split(separator: ":").map { UInt64($0) }
      guard parts.count == 2, let major = parts[0], let minor = parts[1] else { return nil }
      (self.major, self.minor) = (major, minor)
    }

    /// Whether it is the console of screen and keyboard, or stands for the terminal of the process that opens it.
    var isOfConsole: Bool { major == 5 || major == 4 && minor < 64 }
  }

  /// Returns the numbers of a device; `nil` if the kernel does not show it.
  ///
  /// - Parameters:
  ///   - name: The name in /dev.
  ///   - kind: The class to which the device belongs, such as `tty`.
  package func number(ofDevice name: some StringProtocol, class kind: String) -> Number? {
    guard !name.contains("/") else { return nil }
    return text(of: "/sys/class/\(kind)/\(name)/dev").flatMap {
      Number($0.prefix { !$0.isNewline })
    }
  }

  /// Returns the kernel's class of a character device, such as `tty`, and its numbers; `nil` if there is none, or if
  /// the kernel does not show it.
  package func kind(ofDevice path: String) -> (class: String, number: Number)? {
    var status = stat()
    guard unsafe stat(file(path), &status) == 0 else { return nil }
    switch status.st_mode & S_IFMT {
    case S_IFCHR:
      return subsystem(ofDevice: status.st_rdev).map { ($0, Number(status.st_rdev)) }
    // See ``device(at:)``.
    case S_IFREG where !root.isEmpty:
      let name = path.split(separator: "/").last ?? ""
      for kind in ["tty", "gnss"] {
        if let number = number(ofDevice: name, class: kind) { return (kind, number) }
      }
      return nil
    default: return nil
    }
  }

  /// Returns whether nobody but root can change a file.
  func isRoots(_ path: String) -> Bool {
    var status = stat()
    guard unsafe stat(file(path), &status) == 0 else { return false }
    // A folder that stands for a machine belongs to whoever made it.
    return root.isEmpty
      ? status.st_uid == 0 && status.st_mode & 0o022 == 0 : status.st_mode & 0o002 == 0
  }

  /// The users who may use a file.
  package struct Permissions: Equatable {
    /// As in `0o660`.
    package var mode: mode_t
    package var user: uid_t
    package var group: gid_t
  }

  /// Returns who may use a file; `nil` if there is none.
  package func permissions(of path: String) -> Permissions? {
    var status = stat()
    guard unsafe stat(file(path), &status) == 0 else { return nil }
    return Permissions(mode: status.st_mode & 0o777, user: status.st_uid, group: status.st_gid)
  }

  private func file(_ path: String) -> String {
    root.isEmpty || path.hasPrefix("/") ? root + path : "\(root)/\(path)"
  }
}

extension Machine {
  /// A serial device that is plugged in.
  package struct SerialPort: Equatable, CustomStringConvertible {
    package var path: String
    /// What is plugged in, as udev names it; `nil` if it does not.
    package var name: String?

    /// `/dev/ttyUSB0 (usb-FTDI_FT232R-if00-port0)`
    package var description: String { name.map { "\(path) (\($0))" } ?? path }
  }

  /// The serial devices that are plugged in, each once.
  package var serialPorts: [SerialPort] {
    let folder = "/dev/serial/by-id"
    var ports: [SerialPort] = []
    for name in names(in: folder) {
      guard let path = realPath(of: "\(folder)/\(name)") else { continue }
      ports.append(SerialPort(path: path, name: name))
    }
    for name in names(in: "/dev") where name.hasPrefix("ttyACM") || name.hasPrefix("ttyUSB") {
      ports.append(SerialPort(path: "/dev/\(name)"))
    }
    var paths: Set<String> = []
    return ports.filter { paths.insert($0.path).inserted }
  }
}
