import Glibc
import LocationCore
import LocwatchSystem

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
    /// gpsd may not open the receiver, or has it already.
    case refused
    /// There was no answer, or another one.
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
  init(for listener: Socket, in folder: String) throws(LocationError) {
    file = try listener.listen(in: folder) { (path) throws(LocationError) in
      let file = unsafe open(path, Self.pathOnly | O_CLOEXEC)
      guard file >= 0 else { throw .system(errno) }
      return file
    }
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

  /// Reads `OK` or `ERROR`; from gpsd 3.25 on, a report of the class ACK or ERROR.
  init(_ bytes: some Collection<UInt8>) {
    func says(_ word: String, _ name: String) -> Bool {
      bytes.starts(with: word.utf8) || bytes.starts(with: #"{"class":"\#(name)""#.utf8)
    }
    self = says("OK", "ACK") ? .done : says("ERROR", "ERROR") ? .refused : .failed
  }
}
