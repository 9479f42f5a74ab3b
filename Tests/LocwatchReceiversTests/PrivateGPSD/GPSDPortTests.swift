import EventLoop
import GPSDLocation
import Glibc
import LocationCore
import LocwatchTestSupport
import Testing

@testable import LocwatchReceivers
@testable import LocwatchSystem

/// Fault 83.
@Suite struct `The port from which gpsd reads a log` {
  private let listener: GPSDPort
  private let client: Socket
  /// gpsd's end of the connection of its client.
  private let served: Socket

  init() throws {
    listener = try GPSDPort()
    (client, served) = try Socket.pair()
  }

  private func accept(
    seconds: Int = 3600, isGPSD: GPSDPort.Check
  ) async throws -> Socket? {
    let now = LocationClock.live.now
    return try await listener.accept(
      beside: client, until: now.later(by: .seconds(seconds)),
      at: WaitPoint(on: try #require(EventLoop.shared)), isGPSD: isGPSD)
  }

  /// Returns a socket whose connection waits to be accepted: the kernel may have it wait only after it is made.
  private func connected() throws -> Socket {
    let count = waitingCount
    let socket = try Socket(AF_INET)
    try #require(socket.connect(toLoopbackPort: listener.port))
    while waitingCount == count { usleep(100) }
    return socket
  }

  /// How many connections wait to be accepted.
  private var waitingCount: UInt32 {
    var info = tcp_info()
    var length = socklen_t(MemoryLayout<tcp_info>.size)
    getsockopt(listener.socket.descriptor, CInt(IPPROTO_TCP), TCP_INFO, &info, &length)
    return info.tcpi_unacked
  }

  private func received(by socket: Socket, _ flags: CInt = 0) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 16)
    let count = recv(socket.descriptor, &bytes, bytes.count, flags)
    return Array(bytes.prefix(max(0, count)))
  }

  @Test func `refuses strangers who come first, and takes gpsd`() async throws {
    let strangers = [try connected(), try connected()]
    let gpsd = try connected()
    var peers: [SocketAddress] = []
    let accepted = try await accept { peer, port in
      #expect(port == listener.port)
      peers.append(peer)
      return peers.count == 3
    }
    let source = try #require(accepted)
    #expect(source.write([1, 2, 3]) == 3)
    #expect(received(by: gpsd) == [1, 2, 3])
    for stranger in strangers { #expect(received(by: stranger) == []) }
    #expect(Set(peers).count == 3 && peers.allSatisfy { $0.host == SocketAddress.loopback })
    #expect(listener.path == "tcp://127.0.0.1:\(listener.port)")
  }

  /// Fault 117.
  @Test func `looks up no peer that has closed the connection`() throws {
    var looks = 0
    let (socket, address) = try Socket.listeningLocally()
    let brief = try Socket(AF_UNIX)
    #expect(brief.connect(to: address))
    brief.hangUp()
    #expect(
      try GPSDPort(at: socket, port: 0).take { _, _ in
        looks += 1
        return nil
      } == nil)
    #expect(looks == 0)
    let stranger = try connected()
    #expect(
      try listener.take { _, _ in
        looks += 1
        return nil
      } == nil)
    #expect(looks == 5)
    withExtendedLifetime(stranger) {}
  }

  @Test func `takes gpsd although the table has it only at the fifth look`() throws {
    let gpsd = try connected()
    var looks = 0
    let source = try listener.take { _, _ in
      looks += 1
      return looks == 5 ? true : nil
    }
    #expect(source?.write([1]) == 1)
    #expect(received(by: gpsd) == [1])
  }

  @Test func `refuses a stranger at the first look`() throws {
    let stranger = try connected()
    var looks = 0
    let source = try listener.take { _, _ in
      looks += 1
      return false
    }
    #expect(source == nil && looks == 1)
    #expect(received(by: stranger) == [])
  }

  @Test func `is given up when gpsd has ended`() async throws {
    shutdown(served.descriptor, CInt(SHUT_RDWR))
    #expect(try await accept { _, _ in true } == nil)
    // Whoever connects then comes too late.
    let late = try connected()
    #expect(try await accept { _, _ in true } == nil)
    withExtendedLifetime(late) {}
  }

  @Test func `is given up at the deadline, whoever comes`() async throws {
    let stranger = try connected()
    #expect(try await accept(seconds: 0) { _, _ in true } == nil)
    withExtendedLifetime(stranger) {}
  }

  @Test func `has connections that never block, and are not inherited`() async throws {
    let gpsd = try connected()
    let source = try #require(try await accept { _, _ in true })
    #expect(fcntl(source.descriptor, F_GETFD) & FD_CLOEXEC != 0)
    #expect(fcntl(source.descriptor, F_GETFL) & O_NONBLOCK != 0)
    let piece = [UInt8](repeating: 7, count: 1 << 20)
    var count = 0
    while case let written? = source.write(piece[...]), written > 0 { count += written }
    #expect(count > 0 && source.unsentCount > 0)
    withExtendedLifetime(gpsd) {}
  }

  @Test func `has connections of which short pieces are sent at once, where that is asked for`()
    async
    throws
  {
    func option(_ option: CInt, of socket: Socket) -> CInt {
      var value: CInt = -1
      var length = socklen_t(MemoryLayout<CInt>.size)
      getsockopt(socket.descriptor, CInt(IPPROTO_TCP), option, &value, &length)
      return value
    }
    let gpsd = try connected()
    let source = try #require(try await accept { _, _ in true })
    #expect(option(TCP_NODELAY, of: gpsd) == 0)
    gpsd.sendAtOnce()
    #expect(option(TCP_NODELAY, of: gpsd) == 1)
    var ends: [CInt] = [-1, -1]
    try #require(pipe(&ends) == 0)
    let other = try connected()
    let client = try #require(try await accept { _, _ in true })
    _ = LogFeed(
      LogReader { () throws(LocationError) in [] }, to: source, reportingOn: client,
      into: ReportPipe(to: ends[1], renaming: "a", to: "b"))
    #expect(option(TCP_NODELAY, of: source) == 1 && option(TCP_NODELAY, of: client) == 1)
    #expect(received(by: other) == Array(#"?WATCH={"enable""#.utf8))
    for end in ends { close(end) }
  }

  @Test func `listens on the loopback interface alone`() throws {
    let listener = try GPSDPort()
    var address = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let code = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        getsockname(listener.socket.descriptor, $0, &length)
      }
    }
    #expect(code == 0 && address.sin_family == AF_INET)
    #expect(address.sin_addr.s_addr == in_addr_t(0x7f00_0001).bigEndian)
    #expect(listener.port != 0 && address.sin_port == listener.port.bigEndian)
    #expect(listener.path == "tcp://127.0.0.1:\(listener.port)")
  }

  @Test func `has no peer while none connects`() throws {
    #expect(try listener.socket.accept() == nil)
    let socket = try Socket(AF_INET)
    #expect(fcntl(socket.descriptor, F_GETFD) & FD_CLOEXEC != 0)
    #expect(fcntl(listener.socket.descriptor, F_GETFD) & FD_CLOEXEC != 0)
    #expect(throws: LocationError.system(EINVAL)) { try socket.accept() }
  }

  @Test func `names what needs a port if the system has none left`() {
    let failure = #expect(throws: Failure.self) {
      try GPSDPort(for: "x") { () throws(LocationError) in throw .system(EMFILE) }
    }
    #expect(failure?.status == .fault)
    #expect(failure.map { "\($0.message)" } == "x needs a free port: Too many open files")
  }

  @Test func `has a connection that says when its peer has gone`() async throws {
    var gpsd: Socket? = try connected()
    let source = try #require(try await accept { _, _ in true })
    #expect(source.unsentCount == 0)
    var abrupt = linger(l_onoff: 1, l_linger: 0)
    setsockopt(
      gpsd!.descriptor, SOL_SOCKET, SO_LINGER, &abrupt, socklen_t(MemoryLayout<linger>.size))
    gpsd = nil
    #expect(source.waitForEnd())
    #expect(source.write([1]) == nil)
  }
}
