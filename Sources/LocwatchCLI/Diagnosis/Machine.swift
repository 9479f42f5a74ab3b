import Glibc

/// The files by which a machine shows what is connected to it.
///
/// Paths are those of the machine. A folder can stand for a machine, as its root.
struct Machine: Sendable {
  /// The machine that the program runs on.
  static let this = Machine(root: "")

  /// The longest text that is read, in bytes.
  private static let maximumText = 1 << 20

  private let root: String

  /// - Parameter root: The folder that stands for the root of the machine; empty for the root itself.
  init(root: String) { self.root = root }

  /// Returns whether there is a file, folder or device at a path.
  func exists(_ path: String) -> Bool { unsafe access(file(path), F_OK) == 0 }

  /// Returns whether there is a regular file at a path, and not a device or folder.
  func isFile(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(file(path), &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// Returns the sorted names in a folder; none if it cannot be read.
  func names(in folder: String) -> [String] {
    FolderEntries(of: file(folder))?.all.sorted() ?? []
  }

  /// Returns the text of a file; `nil` if it cannot be read.
  func text(of path: String) -> String? {
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
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns a path with links resolved; `nil` if it does not exist.
  func realPath(of path: String) -> String? {
    guard let real = SerialDevice.realPath(of: file(path)) else { return nil }
    guard !root.isEmpty, let top = SerialDevice.realPath(of: root), real.hasPrefix(top) else {
      return real
    }
    return String(real.dropFirst(top.count))
  }

  /// Returns the name of the subsystem of a character device, such as `tty`; `nil` if the kernel does
  /// not show it, as for a pseudo-terminal.
  func subsystem(ofDevice number: dev_t) -> String? {
    let major = number >> 8 & 0xfff | number >> 32 & 0xffff_f000
    let minor = number & 0xff | number >> 12 & 0xffff_ff00
    let link = "/sys/dev/char/\(major):\(minor)/subsystem"
    return SymbolicLink.destination(of: file(link))?.split(separator: "/").last.map(String.init)
  }

  private func file(_ path: String) -> String {
    root.isEmpty || path.hasPrefix("/") ? root + path : "\(root)/\(path)"
  }
}

extension Machine {
  /// A serial device that is plugged in.
  struct SerialPort: Equatable, CustomStringConvertible {
    var path: String
    /// What is plugged in, as udev names it; `nil` if it does not.
    var name: String?

    /// `/dev/ttyUSB0 (usb-FTDI_FT232R-if00-port0)`
    var description: String { name.map { "\(path) (\($0))" } ?? path }
  }

  /// The serial devices that are plugged in, each once.
  var serialPorts: [SerialPort] {
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
