import GPSDLocation
import Glibc

/// The control socket of a private gpsd, through which receivers are added and removed.
///
/// The socket's file is created in a private folder and removed at once, so that no other process
/// can find it and nothing is left behind. Connections use the open file's path in /proc.
@safe final class ControlSocket: Sendable {
  /// The connection on which gpsd answers one command.
  typealias Exchange = Socket

  /// gpsd's answer to a command.
  enum Answer: Equatable {
    case done
    case failed
  }

  enum Command: String {
    case add = "+"
    case remove = "-"
  }

  /// O_PATH, which Swift does not import.
  private static let pathOnly: CInt = 0o10_000_000
  /// gpsd truncates longer paths.
  private static let maximumPathLength = 127

  private let file: CInt

  /// - Parameters:
  ///   - listener: The socket on which gpsd will listen. It is bound to the file.
  ///   - folder: A folder in which a temporary folder can be created.
  init(for listener: Socket, in folder: String) throws(GPSDError) {
    var template = Array("\(folder)/locwatch-XXXXXX".utf8CString)
    guard unsafe mkdtemp(&template) != nil else { throw .cannotStart(errno) }
    let own = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    let path = "\(own)/control"
    defer {
      _ = unsafe unlink(path)
      _ = unsafe rmdir(own)
    }
    try listener.bind(to: path)
    try listener.listen()
    file = unsafe open(path, Self.pathOnly | O_CLOEXEC)
    guard file >= 0 else { throw .cannotStart(errno) }
  }

  deinit { _ = close(file) }

  /// Whether commands can be sent, which needs /proc.
  static var isAvailable: Bool { unsafe access("/proc/self/fd", X_OK) == 0 }

  /// Whether gpsd accepts a path in a command: it must be short and without spaces.
  static func takes(_ path: String) -> Bool {
    path.utf8.count <= maximumPathLength && path.utf8.allSatisfy { (0x21...0x7e).contains($0) }
  }

  /// Sends a command without waiting.
  ///
  /// - Returns: The connection on which gpsd answers; `nil` if gpsd cannot be reached.
  func send(_ command: Command, _ path: String) -> Exchange? {
    guard let socket = try? Socket(AF_UNIX, options: SOCK_NONBLOCK.rawValue),
      socket.connect(to: "/proc/self/fd/\(file)")
    else { return nil }
    let bytes = Array("\(command.rawValue)\(path)\r\n".utf8)
    let count = unsafe Glibc.send(
      socket.descriptor, bytes, bytes.count, CInt(MSG_NOSIGNAL))
    // gpsd reads until the end of the stream and is blocked until then.
    guard count == bytes.count, shutdown(socket.descriptor, CInt(SHUT_WR)) == 0 else { return nil }
    return socket
  }
}

extension ControlSocket.Answer {
  /// Reads the answer to a command without waiting; `nil` if there is none yet.
  init?(from exchange: ControlSocket.Exchange) {
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = unsafe recv(
      exchange.descriptor, &bytes, bytes.count, CInt(MSG_DONTWAIT))
    if count < 0, errno == EAGAIN || errno == EINTR { return nil }
    self.init(bytes[..<max(0, count)])
  }

  /// Reads `OK` or, from gpsd 3.25 on, a report of the class ACK. Anything else is a failure.
  init(_ bytes: some Collection<UInt8>) {
    let isDone = bytes.starts(with: "OK".utf8) || bytes.starts(with: #"{"class":"ACK""#.utf8)
    self = isDone ? .done : .failed
  }
}

/// A stream socket that is closed at the end of its lifetime, and is not inherited by child
/// processes.
final class Socket: Sendable {
  let descriptor: CInt

  /// - Parameter options: Such as SOCK_NONBLOCK.
  init(_ family: CInt, options: UInt32 = 0) throws(GPSDError) {
    descriptor = socket(family, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | options), 0)
    guard descriptor >= 0 else { throw .cannotStart(errno) }
  }

  deinit { _ = close(descriptor) }

  /// Returns a socket that listens on a free port of the loopback interface, and its port.
  static func listeningOnLoopback() throws(GPSDError) -> (socket: Socket, port: UInt16) {
    let socket = try Socket(AF_INET)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let code = unsafe withUnsafeMutablePointer(to: &address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        guard unsafe Glibc.bind(socket.descriptor, address, length) == 0 else { return errno }
        return unsafe getsockname(socket.descriptor, address, &length) == 0 ? 0 : errno
      }
    }
    guard code == 0 else { throw .cannotStart(code) }
    try socket.listen()
    return (socket, UInt16(bigEndian: address.sin_port))
  }

  /// Binds the socket to a path in the file system.
  func bind(to path: String) throws(GPSDError) {
    let code = unsafe Self.withAddress(path) { unsafe Glibc.bind(descriptor, $0, $1) }
    guard code == 0 else { throw .cannotStart(errno) }
  }

  /// Connects to a socket in the file system.
  ///
  /// - Returns: Whether the connection was made.
  func connect(to path: String) -> Bool {
    unsafe Self.withAddress(path) { unsafe Glibc.connect(descriptor, $0, $1) } == 0
  }

  /// Connects to a port of the loopback interface.
  ///
  /// - Returns: Whether the connection was made.
  func connect(toLoopbackPort port: UInt16) -> Bool {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    address.sin_port = port.bigEndian
    return unsafe withUnsafePointer(to: address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
  }

  /// Sends a short text. Returns whether that was possible.
  func send(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    return unsafe Glibc.send(descriptor, bytes, bytes.count, CInt(MSG_NOSIGNAL)) == bytes.count
  }

  func listen() throws(GPSDError) {
    guard Glibc.listen(descriptor, 16) == 0 else { throw .cannotStart(errno) }
  }

  private static func withAddress(
    _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> CInt
  ) -> CInt {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let fits = unsafe withUnsafeMutableBytes(of: &address.sun_path) { room in
      guard path.utf8.count < room.count else { return false }
      unsafe room.copyBytes(from: path.utf8)
      return true
    }
    guard fits else {
      errno = ENAMETOOLONG
      return -1
    }
    return unsafe withUnsafePointer(to: address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }
}

extension GPSDError {
  /// Returns the error for a system call that failed while starting gpsd.
  static func cannotStart(_ number: CInt) -> GPSDError {
    GPSDError(
      .cannotConnect, systemError: .errno(number), "cannot start gpsd: \(systemText(number))")
  }
}
