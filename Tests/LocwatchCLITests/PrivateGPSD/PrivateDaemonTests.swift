import Foundation
import GPSDLocation
import Glibc
import LocationCore
import LocationTestKit
import Synchronization
import Testing

@testable import LocwatchCLI

/// A private gpsd whose program is another one, and a session with it that is scripted.
@Suite struct `A private gpsd's session` {
  private static let reset = GPSDError(
    .cannotRead, systemError: .errno(ECONNRESET), "Connection reset by peer")
  private static let version = #"{"class":"VERSION","release":"3.22"}"#

  /// A folder with a program gpsd, which ends at once.
  private final class Programs {
    let path = NSTemporaryDirectory() + "locwatch-\(UUID())"

    init() throws {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
      try FileManager.default.createSymbolicLink(
        atPath: path + "/gpsd", withDestinationPath: "/bin/false")
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
  }

  private let programs: Programs
  private let daemon: PrivateDaemon

  init() throws {
    programs = try Programs()
    daemon = try PrivateDaemon(
      for: PrivateDaemon.Receiver(path: "/dev/ttyNONE", options: ["-b"]),
      environment: ["PATH": programs.path + ":/usr/bin:/bin"])
  }

  private var notStarted: String {
    "gpsd does not start: try '\(programs.path)/gpsd -N -n -D 1 /dev/ttyNONE'"
  }

  /// A session with reads that give lines, and then the error of a connection that was reset.
  private func session(
    reading lines: [String?] = [], open: FailingSession.Open? = { _ in }
  ) -> PrivateDaemonSession<FailingSession> {
    let rest = Mutex(lines[...])
    let base = FailingSession(
      open: open, send: { _ throws(GPSDError) in throw Self.reset },
      read: { _ throws(GPSDError) in
        guard let line = rest.withLock({ $0.popFirst() }), let line else { throw Self.reset }
        return .value(
          GPSDLines(bytes: Array("\(line)\r\n".utf8)[...], received: .past), at: .past)
      }, close: {})
    return PrivateDaemonSession(base, daemon: daemon, clock: .live)
  }

  /// Returns the message of the error that a call throws.
  private func detail(of call: () async throws -> Void) async -> String? {
    do {
      try await call()
      return nil
    } catch {
      return (error as? GPSDError)?.detail
    }
  }

  @Test func `says that gpsd does not start if gpsd has sent nothing`() async throws {
    let session = session()
    try await session.open(GPSDEndpoint())
    #expect(await detail { _ = try await session.read(until: nil) } == notStarted)
    #expect(await detail { try await session.send(.watch) } == notStarted)
    daemon.stop()
  }

  @Test func `says why the connection ended if gpsd has sent its greeting`() async throws {
    let session = session(reading: [Self.version])
    try await session.open(GPSDEndpoint())
    #expect(await detail { _ = try await session.read(until: nil) } == nil)
    #expect(await detail { _ = try await session.read(until: nil) } == Self.reset.detail)
    #expect(await detail { try await session.send(.watch) } == Self.reset.detail)
    daemon.stop()
  }

  @Test func `says that gpsd does not start if no connection is made`() async throws {
    let session = session(open: { _ throws(GPSDError) in throw Self.reset })
    #expect(await detail { try await session.open(GPSDEndpoint()) } == notStarted)
    daemon.stop()
  }

  @Test func `forgets at a restart what the gpsd before has sent`() async throws {
    let session = session(reading: [Self.version, nil])
    try await session.open(GPSDEndpoint())
    _ = try await session.read(until: nil)
    try await session.open(GPSDEndpoint())
    #expect(await detail { _ = try await session.read(until: nil) } == notStarted)
    daemon.stop()
  }

  @Test func `says nothing else if it is cancelled`() async throws {
    _ = try await daemon.restart(by: .live)
    let error = GPSDError(.cancelled, "cancelled while connecting")
    #expect(daemon.reason(of: error).detail == error.detail)
    daemon.stop()
  }

  @Test func `connects to the port of the gpsd that was started, each time another`() async throws {
    let endpoints = Mutex<[GPSDEndpoint]>([])
    let session = session(open: { endpoint in endpoints.withLock { $0.append(endpoint) } })
    try await session.open(GPSDEndpoint())
    try await session.open(GPSDEndpoint())
    let used = endpoints.withLock(\.self)
    #expect(used.map(\.host) == ["127.0.0.1", "127.0.0.1"])
    #expect(!used.map(\.port).contains(GPSDEndpoint.defaultPort))
    daemon.stop()
  }

  @Test func `believes no peer before gpsd is started, nor one that is not connected`() async throws
  {
    #expect(!daemon.isPeer(SocketAddress(port: 1), connectedTo: 2))
    _ = try await daemon.restart(by: .live)
    #expect(!daemon.isPeer(SocketAddress(port: 1), connectedTo: 2))
    // This process is not the gpsd, although its user is the same.
    let listener = try LogListener()
    let socket = try Socket(AF_INET)
    #expect(socket.connect(toLoopbackPort: listener.port))
    var accepted: (socket: Socket, peer: SocketAddress)?
    while accepted == nil { accepted = try listener.socket.accept() }
    let peer = try #require(accepted?.peer)
    let port = SocketAddress(port: listener.port)
    #expect(TCPTable().owner(of: peer, connectedTo: port)?.user == geteuid())
    #expect(!daemon.isPeer(peer, connectedTo: listener.port))
    daemon.stop()
    #expect(daemon.deadline == nil)
  }

  @Test func `can bring a receiver back by the paths that gpsd takes`() throws {
    #expect(daemon.bringsReceiverBack)
    let other = try PrivateDaemon(
      for: PrivateDaemon.Receiver(path: "/dev/my gps"),
      environment: ["PATH": programs.path])
    #expect(!other.bringsReceiverBack)
  }
}
