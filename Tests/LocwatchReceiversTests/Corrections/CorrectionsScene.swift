import GPSDLocation
import Glibc
import LocationCore
import LocationTestKit
import LocwatchTestSupport
import Testing

@testable import LocwatchReceivers
@testable import LocwatchSystem

/// A relay between a caster and a gpsd that the test plays, over sockets whose peers see each call at once.
final class CorrectionsScene {
  /// Returns the addresses of the caster.
  typealias Resolve = () throws(LocationError) -> [HostAddress]

  /// A table in which the mount point needs no position.
  static let table = "SOURCETABLE 200 OK\r\n\r\nSTR;NEAR;\r\nENDSOURCETABLE\r\n"

  let clock = ManualClock()
  /// Where gpsd connects.
  private let gpsdAddress: HostAddress
  /// The caster's host.
  let host: Socket
  let address: HostAddress
  var relay: CorrectionsRelay
  var receiverReports = true
  var position: String?
  /// The connections of the caster, the last one at the end.
  var casters: [Socket] = []
  var failures: [String] = []
  /// Why the caster is given the position, each time that the relay says so.
  var positionReasons: [String] = []

  convenience init(isGPSD: Bool = true, resolve: Resolve? = nil) throws {
    try self.init(isGPSD, resolve, startTLS: nil)
  }

  /// A caster with TLS.
  convenience init(resolve: Resolve? = nil, startTLS: @escaping TLSConnection.Start) throws {
    try self.init(true, resolve, startTLS: startTLS)
  }

  private init(
    _ isGPSD: Bool, _ resolve: Resolve?, startTLS: TLSConnection.Start?
  ) throws {
    let (listening, gpsdAddress) = try Socket.listeningLocally()
    self.gpsdAddress = gpsdAddress
    let (host, address) = try Socket.listeningLocally()
    (self.host, self.address) = (host, address)
    let caster = CasterAddress(
      host: "caster.example", port: 2101, mount: "NEAR", isSecure: startTLS != nil)
    var resolving: Resolve = { () throws(LocationError) in [address] }
    if let resolve { resolving = resolve }
    let link = CasterLink(
      to: caster, as: nil, clock: clock.locationClock, retries: RetryPolicy(jitter: 0),
      startTLS: startTLS,
      lookUp: LookUp.atOnce { [resolving] caster throws(LocationError) in
        #expect(caster.host == "caster.example")
        return try resolving()
      })
    relay = CorrectionsRelay(
      from: link, named: "\(caster)", to: GPSDPort(at: listening, port: 0),
      clock: clock.locationClock
    ) { _, _ in isGPSD }
  }

  /// Lets the relay work until there is nothing left to do. Returns what it reports of the corrections.
  @discardableResult
  func work() -> [Corrections] {
    var told: [Corrections] = []
    for _ in 0..<100_000 {
      let news = relay.turn(receiverReports: receiverReports) { position }
      told += news.corrections
      failures += news.failures
      if let reason = news.positionReason { positionReasons.append(reason) }
      if news == CorrectionsRelay.News(), !hasWork { return told }
    }
    Issue.record("works without end")
    return told
  }

  private var hasWork: Bool {
    let deadline = relay.deadline(hasPosition: position != nil)
    return deadline.map { $0 <= clock.locationClock.now } == true
      || relay.sources(receiverReports: receiverReports).areReady()
  }

  /// Accepts a connection of the relay, and returns what it asked for.
  func accept() throws -> String {
    work()
    casters.append(try #require(try host.accept()).socket)
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

  func hangUp() {
    for caster in casters { caster.hangUp() }
    casters.removeAll()
  }

  func connectGPSD() throws -> Socket {
    let gpsd = try Socket(AF_UNIX)
    #expect(gpsd.connect(to: gpsdAddress))
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

  func advance(by duration: Duration) { clock.jump(by: duration) }

  /// How long it takes until the relay asks again, to the millisecond, up to a minute.
  func pause() throws -> Duration {
    for tenths in 0..<600 {
      work()
      if let (socket, _) = try host.accept() {
        casters.append(socket)
        return .milliseconds(tenths * 100)
      }
      advance(by: .milliseconds(100))
    }
    return .zero
  }
}
