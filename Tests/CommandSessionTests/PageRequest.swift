import Glibc

/// A request of a browser for a page that a command serves.
struct PageRequest {
  struct Answer {
    let status: String
    let body: String
  }

  let path: String
  /// Where the body of the answer is kept; `nil` to show it.
  let file: String?
  private let connection: Connection

  init(of path: String, at port: UInt16, into file: String?) {
    self.path = path
    self.file = file
    connection = Connection(to: port)
    connection.send("GET \(path) HTTP/1.1\r\nHost: localhost:\(port)\r\n\r\n")
  }

  /// Returns the answer; `nil` until all of it has come. It waits 1 ms for more, because the system may deliver it
  /// later.
  func answer() -> Answer? {
    guard let text = connection.textAtEnd() else { return nil }
    let parts = text.split(separator: "\r\n\r\n", maxSplits: 1)
    let status = parts.first?.prefix { !$0.isNewline }.split(separator: " ").dropFirst() ?? []
    return Answer(
      status: status.joined(separator: " "), body: parts.count > 1 ? String(parts[1]) : "")
  }

  /// Returns a port at which nobody listens.
  static func freePort() throws -> UInt16 {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = loopback(0)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
      }
    }
    precondition(isBound)
    return UInt16(bigEndian: address.sin_port)
  }

  private static func loopback(_ port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
  }

  private final class Connection {
    private let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    private var bytes: [UInt8] = []

    init(to port: UInt16) {
      var address = PageRequest.loopback(port)
      withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          _ = connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
    }

    deinit { close(descriptor) }

    func send(_ text: String) { _ = write(descriptor, text, text.utf8.count) }

    /// Returns all that was received once nothing more can follow; `nil` before.
    func textAtEnd() -> String? {
      var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      while poll(&request, 1, 1) == 1 {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = read(descriptor, &buffer, buffer.count)
        guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
        bytes += buffer[..<count]
      }
      return nil
    }
  }
}
