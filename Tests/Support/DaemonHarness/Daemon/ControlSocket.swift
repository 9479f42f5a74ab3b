import Glibc
import SimulatedReceiver

/// The socket through which devices are added to gpsd and removed.
package struct ControlSocket {
  private let folder: String

  init() throws(SystemError) {
    var template = Array("/tmp/gpsd-control-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw SystemError("mkdtemp") }
    folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  var path: String { "\(folder)/control" }

  func remove() {
    unlink(path)
    rmdir(folder)
  }

  /// Whether gpsd's answer says that a command was done: `OK`, or from 3.25 on a report of the class ACK.
  package static func isDone(_ answer: some Collection<UInt8>) -> Bool {
    answer.starts(with: "OK".utf8) || answer.starts(with: #"{"class":"ACK""#.utf8)
  }

  /// Sends one command and waits until gpsd has done it.
  func send(_ command: String) async throws {
    try await BackgroundThread.run { try exchange(command) }
  }

  private func exchange(_ command: String) throws(SystemError) {
    let socket = OwnedDescriptor(
      owning: socket(AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0))
    // gpsd opens a device before it answers.
    var patience = timeval(tv_sec: 10, tv_usec: 0)
    setsockopt(
      socket.number, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let status = withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket.number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard status == 0 else { throw SystemError("connect \(path)") }
    let bytes = Array("\(command)\r\n".utf8)
    guard Glibc.send(socket.number, bytes, bytes.count, CInt(MSG_NOSIGNAL)) == bytes.count
    else { throw SystemError("send to \(path)") }
    // gpsd reads to the end, and does nothing else until that comes.
    shutdown(socket.number, CInt(SHUT_WR))
    var answer = [UInt8](repeating: 0, count: 256)
    let count = recv(socket.number, &answer, answer.count, 0)
    guard count >= 0 else { throw SystemError("receive from \(path)") }
    guard Self.isDone(answer[..<count]) else {
      let words = String(decoding: answer[..<count], as: UTF8.self)
      throw SystemError("\(command): gpsd answered '\(words)'", code: EINVAL)
    }
  }
}
