import GPSDLocation
import Glibc

/// The socket over which a gpsd of ours is told of its receiver.
///
/// Its file, in a folder that is nobody else's, goes as soon as it was made: nobody finds it, and
/// nothing is left behind. What was opened of it leads there, by its name in /proc.
@safe final class ControlSocket: Sendable {
  /// Where gpsd's answer to one command comes.
  typealias Exchange = Socket

  /// What gpsd made of a command.
  enum Answer: Equatable {
    case done
    case failed
  }

  enum Command: String {
    case add = "+"
    case remove = "-"
  }

  /// O_PATH, which the header hides from Swift.
  private static let pathOnly: CInt = 0o10_000_000
  /// A longer path, or one with a space, gpsd would take for another one.
  private static let longestPath = 127

  private let file: CInt

  /// - Parameters:
  ///   - listener: A socket that gpsd is to listen at. It is given its file.
  ///   - folder: Where there is room for a folder, for a moment.
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

  /// Whether commands reach gpsd. Without /proc they do not.
  static var isAvailable: Bool { unsafe access("/proc/self/fd", X_OK) == 0 }

  /// Whether gpsd would understand a path.
  static func takes(_ path: String) -> Bool {
    path.utf8.count <= longestPath && path.utf8.allSatisfy { (0x21...0x7e).contains($0) }
  }

  /// Sends a command, without a wait.
  ///
  /// - Returns: Where the answer comes; `nil` where gpsd cannot be told.
  func send(_ command: Command, _ path: String) -> Exchange? {
    guard let socket = try? Socket(AF_UNIX, options: SOCK_NONBLOCK.rawValue),
      socket.connect(to: "/proc/self/fd/\(file)")
    else { return nil }
    let bytes = Array("\(command.rawValue)\(path)\r\n".utf8)
    let count = unsafe Glibc.send(
      socket.descriptor, bytes, bytes.count, CInt(MSG_NOSIGNAL))
    // gpsd reads to the end, and does nothing else until that comes.
    guard count == bytes.count, shutdown(socket.descriptor, CInt(SHUT_WR)) == 0 else { return nil }
    return socket
  }
}

extension ControlSocket.Answer {
  /// What came in answer to a command; `nil` where nothing has come yet. It does not wait.
  init?(from exchange: ControlSocket.Exchange) {
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = unsafe recv(
      exchange.descriptor, &bytes, bytes.count, CInt(MSG_DONTWAIT))
    if count < 0, errno == EAGAIN || errno == EINTR { return nil }
    self.init(bytes[..<max(0, count)])
  }

  /// `OK`, or from gpsd 3.25 on a report of the class ACK; anything else is a failure.
  init(_ bytes: some Collection<UInt8>) {
    let isDone = bytes.starts(with: "OK".utf8) || bytes.starts(with: #"{"class":"ACK""#.utf8)
    self = isDone ? .done : .failed
  }
}
