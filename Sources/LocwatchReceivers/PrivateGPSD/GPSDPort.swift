import EventLoop
import Glibc
import LocationCore
import LocwatchSystem

/// A port of the loopback interface from which one process reads what a receiver sent: gpsd.
///
/// Any local process can connect to it. A peer that is not gpsd is sent nothing, and does not keep gpsd
/// from being next.
struct GPSDPort {
  /// Decides whether the peer of a connection is gpsd; `nil` if that cannot be seen just now.
  typealias Check = (_ peer: SocketAddress, _ port: UInt16) -> Bool?

  /// How often a peer is looked at: the kernel's table may miss a connection while others come and go.
  private static let looks = 5

  let port: UInt16
  let socket: Socket

  init() throws(LocationError) {
    let (socket, port) = try Socket.listeningOnLoopback()
    _ = fcntl(socket.descriptor, F_SETFL, O_NONBLOCK)
    self.init(at: socket, port: port)
  }

  /// - Parameter socket: A socket that listens and never blocks.
  init(at socket: Socket, port: UInt16) {
    self.socket = socket
    self.port = port
  }

  /// - Parameters:
  ///   - use: What reads through the port, for a message.
  ///   - listen: Returns a port of the system.
  /// - Throws: ``Failure`` if nobody can say which process connects, or if the system has no port left.
  init(
    for use: String, listen: () throws(LocationError) -> GPSDPort = GPSDPort.init
  ) throws(Failure) {
    do throws(LocationError) {
      self = try listen()
    } catch {
      throw Failure(.fault, "\(use) needs a free port: \(error.detail)")
    }
    // After the port: without a descriptor, /proc seems to be missing.
    guard TCPTable().isReadable else { throw Failure(.unavailable, "\(use) needs /proc") }
  }

  /// The path by which gpsd names the port.
  var path: String { "tcp://127.0.0.1:\(port)" }

  /// Waits until gpsd connects.
  ///
  /// - Parameters:
  ///   - client: A connection to gpsd, which ends if gpsd does.
  ///   - deadline: When to give up.
  ///   - point: Where to wait.
  /// - Returns: The connection; `nil` if gpsd has ended or has not come in time.
  func accept(
    beside client: Socket, until deadline: Moment, at point: WaitPoint, isGPSD: Check
  ) async throws(LocationError) -> Socket? {
    let sources = [
      AwaitedDescriptor(socket.descriptor), AwaitedDescriptor(client.descriptor, for: .end),
    ]
    // A peer that was refused must not postpone the deadline.
    while LocationClock.live.now < deadline, !client.hasHungUp {
      if let connection = try take(isGPSD: isGPSD) { return connection }
      _ = await point.wait(for: sources, until: deadline)
    }
    return nil
  }

  /// Accepts the next connection; `nil` if there is none, or if it is not gpsd's.
  ///
  /// The peer of a closed connection is not looked up, so one that connects and closes at once costs little.
  func take(isGPSD: Check) throws(LocationError) -> Socket? {
    guard let (connection, address) = try socket.accept() else { return nil }
    let peer = SocketAddress(address)
    for _ in 0..<Self.looks where !connection.hasHungUp {
      if let isGPSD = isGPSD(peer, port) { return isGPSD ? connection : nil }
    }
    return nil
  }
}
