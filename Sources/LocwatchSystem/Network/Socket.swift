import CLinux
package import EventLoop
package import Glibc
package import LocationCore

/// A socket that is closed at the end of its lifetime, and is not inherited by child processes.
package final class Socket: Sendable {
  package let descriptor: CInt

  /// - Parameters:
  ///   - kind: SOCK_STREAM or SOCK_DGRAM.
  ///   - options: Such as SOCK_NONBLOCK.
  package init(
    _ family: CInt, _ kind: __socket_type = SOCK_STREAM, options: UInt32 = 0
  ) throws(LocationError) {
    descriptor = socket(family, CInt(kind.rawValue | SOCK_CLOEXEC.rawValue | options), 0)
    guard descriptor >= 0 else { throw .system(errno) }
  }

  /// Takes an open socket.
  package init(taking descriptor: CInt) { self.descriptor = descriptor }

  deinit { _ = close(descriptor) }

  /// Returns two sockets that are connected to each other.
  package static func pair() throws(LocationError) -> (Socket, Socket) {
    var ends: [CInt] = [-1, -1]
    let kind = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw .system(errno) }
    return (Socket(taking: ends[0]), Socket(taking: ends[1]))
  }

  /// Returns a socket that listens on a free port of the loopback interface, and its port.
  package static func listeningOnLoopback() throws(LocationError) -> (socket: Socket, port: UInt16)
  {
    let (socket, port) = try boundToLoopback()
    try socket.listen(backlog: 128)
    return (socket, port)
  }

  /// Returns a socket that listens at an address and never blocks. A run that ended a moment ago does not keep the
  /// port.
  package static func listening(at address: HostAddress) throws(LocationError) -> Socket {
    let socket = try Socket(address.family, options: SOCK_NONBLOCK.rawValue)
    socket.setOption(SO_REUSEADDR, of: SOL_SOCKET)
    guard socket.bind(to: address) else { throw .system(errno) }
    try socket.listen(backlog: 128)
    return socket
  }

  /// The address to which the socket is bound; `nil` if there is none.
  package var address: HostAddress? {
    unsafe HostAddress { address, length in
      unsafe getsockname(descriptor, address, &length) == 0 ? () : nil
    }
  }

  /// Returns the two sockets of a connection over the loopback interface: one that is connected, and one that
  /// listens, where the connection waits to be accepted.
  ///
  /// No other connection can be made to the listening one: the system drops the packets of all others. It needs no
  /// privilege, but not every kernel can do that. (Socket filters do it, too, but since 2026 kernels leave those of TCP
  /// to root.)
  package static func soleConnection() throws(LocationError) -> (
    client: Socket, listener: Socket, port: UInt16
  ) {
    let client = try Socket(AF_INET)
    let (listener, port) = try boundToLoopback()
    guard lw_share_secret(client.descriptor, listener.descriptor) == 0 else {
      throw .system(errno)
    }
    try listener.listen(backlog: 1)
    guard client.connect(toLoopbackPort: port) else { throw .system(errno) }
    return (client, listener, port)
  }

  /// Returns the two sockets of such a connection in the file system, to which every kernel makes no other. It keeps
  /// less for a client that does not read: 200 KiB.
  ///
  /// - Parameter folder: A folder in which a temporary folder can be created.
  package static func soleConnection(
    in folder: String
  ) throws(LocationError) -> (client: Socket, listener: Socket) {
    let (client, listener) = (try Socket(AF_UNIX), try Socket(AF_UNIX))
    try listener.listen(in: folder) { (path) throws(LocationError) in
      guard client.connect(to: path) else { throw .system(errno) }
    }
    return (client, listener)
  }

  /// Has the socket listen at a path that no other user can reach, and that is gone afterwards.
  ///
  /// - Parameters:
  ///   - folder: A folder in which a temporary folder can be created.
  ///   - body: Uses the path while it is there.
  package func listen<Result>(
    in folder: String, _ body: (_ path: String) throws(LocationError) -> Result
  ) throws(LocationError) -> Result {
    var template = Array("\(folder)/locwatch-XXXXXX".utf8CString)
    guard unsafe mkdtemp(&template) != nil else { throw .system(errno) }
    let own = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    let path = "\(own)/socket"
    defer {
      _ = unsafe unlink(path)
      _ = unsafe rmdir(own)
    }
    try bind(to: path)
    try listen()
    return try body(path)
  }

  /// Returns a socket with a free port of the loopback interface, and that port.
  private static func boundToLoopback() throws(LocationError) -> (socket: Socket, port: UInt16) {
    let socket = try Socket(AF_INET)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = SocketAddress.loopback
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let code = unsafe withUnsafeMutablePointer(to: &address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        guard unsafe Glibc.bind(socket.descriptor, address, length) == 0 else { return errno }
        return unsafe getsockname(socket.descriptor, address, &length) == 0 ? 0 : errno
      }
    }
    guard code == 0 else { throw .system(code) }
    return (socket, UInt16(bigEndian: address.sin_port))
  }

  /// Binds the socket to a path in the file system.
  package func bind(to path: String) throws(LocationError) {
    let code = unsafe Self.withAddress(path) { unsafe Glibc.bind(descriptor, $0, $1) }
    guard code == 0 else { throw .system(errno) }
  }

  /// Connects to a socket in the file system.
  ///
  /// - Returns: Whether the connection was made.
  package func connect(to path: String) -> Bool {
    unsafe Self.withAddress(path) { unsafe Glibc.connect(descriptor, $0, $1) } == 0
  }

  /// Connects to a port of the loopback interface.
  ///
  /// - Returns: Whether the connection was made.
  package func connect(toLoopbackPort port: UInt16) -> Bool {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = SocketAddress.loopback
    address.sin_port = port.bigEndian
    return unsafe withUnsafePointer(to: address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
  }

  /// Connects to an address.
  ///
  /// - Returns: Whether the connection was made. If it is being made, `errno` is EINPROGRESS.
  package func connect(to address: HostAddress) -> Bool {
    unsafe address.withSocketAddress { unsafe Glibc.connect(descriptor, $0, $1) } == 0
  }

  /// Binds the socket to an address; one of IPv6 that stands for all to those of IPv4, too.
  ///
  /// - Returns: Whether that was possible.
  package func bind(to address: HostAddress) -> Bool {
    var off: CInt = 0
    let length = socklen_t(MemoryLayout<CInt>.size)
    _ = unsafe setsockopt(descriptor, CInt(IPPROTO_IPV6), IPV6_V6ONLY, &off, length)
    return unsafe address.withSocketAddress { unsafe Glibc.bind(descriptor, $0, $1) } == 0
  }

  /// Reads what has arrived, without waiting.
  ///
  /// - Returns: The number of bytes, 0 at the end of the connection; `nil` with the reason in `errno`.
  package func read(into bytes: inout [UInt8]) -> Int? {
    let count = unsafe recv(descriptor, &bytes, bytes.count, CInt(MSG_DONTWAIT))
    return count < 0 ? nil : count
  }

  /// Reads what has arrived, at most 4 KiB, without waiting.
  ///
  /// - Returns: The bytes; `nil` if the connection is over.
  package func takeArrived() -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 4096)
    guard let count = read(into: &bytes) else {
      return errno == EAGAIN || errno == EINTR ? [] : nil
    }
    return count == 0 ? nil : Array(bytes[..<count])
  }

  /// Whether the peer has closed its end.
  package var hasHungUp: Bool {
    Readiness.isReady(descriptor, for: Readiness.peerHasEnded)
  }

  /// Whether neither side can send anything more.
  package var isOver: Bool { Readiness.isReady(descriptor, for: 0) }

  /// Sends a short text. Returns whether that was possible.
  package func send(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    return unsafe Glibc.send(descriptor, bytes, bytes.count, CInt(MSG_NOSIGNAL)) == bytes.count
  }

  /// - Parameter backlog: How many connections may wait to be accepted.
  package func listen(backlog: CInt = 16) throws(LocationError) {
    guard Glibc.listen(descriptor, backlog) == 0 else { throw .system(errno) }
  }

  /// Accepts a connection, whose socket never blocks.
  ///
  /// - Returns: `nil` if none is waiting any more.
  package func accept() throws(LocationError) -> (socket: Socket, peer: HostAddress)? {
    var accepted: CInt = -1
    let peer = unsafe HostAddress { address, length in
      accepted = unsafe lw_accept(descriptor, address, &length)
      return accepted >= 0 ? () : nil
    }
    guard let peer else {
      if [EAGAIN, EINTR, ECONNABORTED].contains(errno) { return nil }
      throw .system(errno)
    }
    return (Socket(taking: accepted), peer)
  }

  /// Writes as many bytes as there is room for, without waiting.
  ///
  /// - Returns: Their number; `nil` if the connection is gone.
  package func write(_ bytes: ArraySlice<UInt8>) -> Int? {
    let count = unsafe bytes.withUnsafeBytes {
      unsafe Glibc.send(
        descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT))
    }
    return count >= 0 ? count : errno == EAGAIN || errno == EINTR ? 0 : nil
  }

  /// Has the system send short pieces without waiting for more of them.
  package func sendAtOnce() { setOption(TCP_NODELAY) }

  /// Has the system acknowledge what arrives next without waiting for something to send: until then, the
  /// peer may hold its next short piece back, for 40 ms. The system forgets it after a while.
  package func acknowledgeAtOnce() { setOption(TCP_QUICKACK) }

  private func setOption(_ option: CInt, of level: CInt = CInt(IPPROTO_TCP)) {
    var value: CInt = 1
    _ = unsafe setsockopt(
      descriptor, level, option, &value, socklen_t(MemoryLayout<CInt>.size))
  }

  /// How many bytes the peer's system has not received.
  package var unsentCount: Int {
    var count: CInt = 0
    return unsafe ioctl(descriptor, UInt(TIOCOUTQ), &count) == 0 ? Int(count) : 0
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

/// One end of a connection of IPv4.
package struct SocketAddress: Hashable, Sendable {
  /// 127.0.0.1 in the order of the network, as in `in_addr`.
  package static let loopback = UInt32(0x7f00_0001).bigEndian

  /// In the order of the network.
  package var host = Self.loopback
  package var port: UInt16

  package init(host: UInt32 = Self.loopback, port: UInt16) {
    self.host = host
    self.port = port
  }

  /// Returns the address of IPv4, or an address that no connection has.
  package init(_ address: HostAddress) {
    guard address.family == AF_INET else {
      self.init(host: 0, port: 0)
      return
    }
    self = unsafe address.withSocketAddress { address, _ in
      unsafe address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { address in
        unsafe SocketAddress(
          host: address.pointee.sin_addr.s_addr, port: UInt16(bigEndian: address.pointee.sin_port))
      }
    }
  }
}

extension AwaitedDescriptor {
  /// Returns what to wait for at a socket; `nil` for nothing.
  package init?(_ socket: Socket, reading isToRead: Bool, writing isToWrite: Bool) {
    guard isToRead || isToWrite else { return nil }
    let interest: WaitPoint.Interest =
      isToRead ? isToWrite ? .readingAndWriting : .reading : .writing
    self.init(socket.descriptor, for: interest)
  }
}
