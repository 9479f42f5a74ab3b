import GPSDLocation
import Glibc
import LocationCore
import LocationTestKit
import Testing

@testable import LocwatchReceivers
@testable import LocwatchSystem

/// A relay between a caster and a gpsd that the test plays.
final class CorrectionsScene {
  typealias Resolve = (_ host: String, _ port: UInt16) throws(GPSDError) -> [HostAddress]

  /// A table in which the mount point needs no position.
  static let table = "SOURCETABLE 200 OK\r\n\r\nSTR;NEAR;\r\nENDSOURCETABLE\r\n"

  let clock = ManualClock()
  let listener: LogListener
  /// The caster's host.
  var host: Socket?
  let port: UInt16
  var relay: CorrectionsRelay
  var receiverReports = true
  var position: String?
  /// The connections of the caster, the last one at the end.
  var casters: [Socket] = []
  var failures: [String] = []

  convenience init(
    isGPSD: Bool = true, sendsPosition: Bool = false, resolve: Resolve? = nil
  ) throws {
    try self.init(isGPSD, sendsPosition, resolve, startTLS: nil)
  }

  /// A caster with TLS, whose host is not looked up.
  convenience init(startTLS: @escaping TLSConnection.Start) throws {
    let resolve: Resolve = { (_, _) throws(GPSDError) in
      Issue.record("looks up the host")
      return []
    }
    try self.init(true, false, resolve, startTLS: startTLS)
  }

  private init(
    _ isGPSD: Bool, _ sendsPosition: Bool, _ resolve: Resolve?, startTLS: TLSConnection.Start?
  ) throws {
    listener = try LogListener()
    let (host, port) = try Socket.listeningOnLoopback()
    _ = fcntl(host.descriptor, F_SETFL, O_NONBLOCK)
    (self.host, self.port) = (host, port)
    let address = CasterAddress(
      host: "caster.example", port: 2101, mount: "NEAR", isSecure: startTLS != nil)
    var resolving: Resolve = { (host, _) throws(GPSDError) in
      try Self.loopback(port, for: host)
    }
    if let resolve { resolving = resolve }
    let link = CasterLink(
      to: address, as: nil, clock: clock.locationClock, retries: RetryPolicy(jitter: 0),
      startTLS: startTLS,
      lookUp: LookUp.atOnce { [resolving] address throws(GPSDError) in
        try resolving(address.host, address.port)
      })
    relay = CorrectionsRelay(
      from: link, named: "\(address)", to: listener, clock: clock.locationClock,
      alwaysSendsPosition: sendsPosition
    ) { _, _ in isGPSD }
  }

  static func loopback(_ port: UInt16, for host: String) throws(GPSDError) -> [HostAddress] {
    #expect(host == "caster.example")
    return try HostAddress.resolve(NetworkAddress(.tcp, host: "127.0.0.1", port: port))
  }

  /// Lets the relay work until nothing more happens. Returns what it told.
  ///
  /// - Parameters:
  ///   - turns: How often it works.
  ///   - milliseconds: How long it waits each time, if there is nothing to do.
  @discardableResult
  func work(turns: Int = 10, within milliseconds: CInt = 5) -> [Corrections] {
    var told: [Corrections] = []
    for _ in 0..<turns {
      let news = relay.turn(receiverReports: receiverReports) { position }
      if news == CorrectionsRelay.News() {
        _ = relay.sources(receiverReports: receiverReports).areReady(within: milliseconds)
      }
      told += news.corrections
      failures += news.failures
    }
    return told
  }

  /// Accepts a connection of the relay, and returns what it asked for.
  func accept() throws -> String {
    work()
    casters.append(try #require(try host?.accept()).socket)
    work()
    return text(of: casters.last)
  }

  /// Answers the request for the table, and accepts that for the corrections.
  func answerTable(_ table: String = table) throws {
    #expect(try accept().hasPrefix("GET / HTTP/1.1\r\n"))
    send(table)
    #expect(try accept().hasPrefix("GET /NEAR HTTP/1.1\r\n"))
  }

  func send(_ text: String) { send(Array(text.utf8)) }

  func send(_ bytes: [UInt8]) { #expect(casters.last?.write(bytes[...]) == bytes.count) }

  func hangUp() { casters.removeAll() }

  func connectGPSD() throws -> Socket {
    let gpsd = try Socket(AF_INET)
    #expect(gpsd.connect(toLoopbackPort: listener.port))
    return gpsd
  }

  func text(of socket: Socket?) -> String {
    String(decoding: bytes(of: socket) ?? [], as: UTF8.self)
  }

  /// What has arrived; `nil` after the end of the connection.
  func bytes(of socket: Socket?) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    guard let count = socket?.read(into: &bytes) else { return [] }
    return count == 0 ? nil : Array(bytes[..<count])
  }

  func advance(by duration: Duration) { clock.advance(by: duration) }

  /// How long it takes until the relay asks again, to the millisecond, up to a minute.
  func pause() throws -> Duration {
    for tenths in 0..<600 {
      work(turns: 2, within: 0)
      if let (socket, _) = try host?.accept() {
        casters.append(socket)
        return .milliseconds(tenths * 100)
      }
      advance(by: .milliseconds(100))
    }
    return .zero
  }
}
