import EventLoop
import GPSDLocation
import Glibc
import LocationCore
import LocationTestKit
import LocwatchTestSupport
import Synchronization
import Testing

@testable import LocwatchReceivers
@testable import LocwatchSystem

/// A relay between a receiver and a gpsd that the test plays, over sockets whose peers see each call at once.
/// Faults 70 and 71.
@Suite(.timeLimit(.minutes(5))) struct `What a receiver on the network sends` {
  private final class Scene {
    typealias Resolve = () throws(LocationError) -> [HostAddress]

    let clock = ManualClock()
    private let listener: GPSDPort
    /// Where gpsd connects.
    private let gpsdAddress: HostAddress
    private let isGPSD: Bool
    /// The receiver's host.
    var host: Socket
    let address: HostAddress
    private(set) var relay: NetworkRelay
    /// The connections of the receiver, the last one at the end.
    var receivers: [Socket] = []

    /// - Parameters:
    ///   - isGPSD: Whether who connects to the listener is gpsd.
    ///   - resolve: Returns the addresses of the host, if they are others than that of ``host``.
    init(
      _ transport: NetworkAddress.Transport = .tcp, isGPSD: Bool = true, isRetried: Bool = true,
      takesAnswers: Bool = false, resolve: Resolve? = nil
    ) throws {
      let (listening, gpsdAddress) = try Socket.listeningLocally()
      listener = GPSDPort(at: listening, port: 0)
      self.gpsdAddress = gpsdAddress
      self.isGPSD = isGPSD
      let (host, address) = try Socket.listeningLocally()
      (self.host, self.address) = (host, address)
      var resolving: Resolve = { () throws(LocationError) in [address] }
      if let resolve { resolving = resolve }
      relay = NetworkRelay(
        NetworkAddress(transport, host: "h", port: 1), to: listener, clock: clock.locationClock,
        retries: RetryPolicy(jitter: 0), isRetried: isRetried, takesAnswers: takesAnswers,
        lookUp: LookUp.atOnce { [resolving] _ throws(LocationError) in try resolving() }
      ) { _, _ in isGPSD }
    }

    /// Restarts the relay, with other addresses.
    func restart(
      with addresses: [HostAddress],
      retries: RetryPolicy = RetryPolicy(delays: NetworkRelay.pauses)
    ) {
      relay = NetworkRelay(
        NetworkAddress(.tcp, host: "h", port: 1), to: listener, clock: clock.locationClock,
        retries: retries, lookUp: LookUp.atOnce { _ in addresses }
      ) { [isGPSD] _, _ in isGPSD }
    }

    /// Lets the relay work until there is nothing left to do. Returns what it said.
    func work() -> [NetworkRelay.News] {
      var news: [NetworkRelay.News] = []
      for _ in 0..<100_000 {
        let next = relay.turn()
        if let next { news.append(next) }
        if next == nil, !hasWork { return news }
      }
      Issue.record("works without end")
      return news
    }

    private var hasWork: Bool {
      relay.deadline.map { $0 <= clock.locationClock.now } == true || relay.sources.areReady()
    }

    /// Connects the receiver.
    func connect() throws {
      let news = work()
      #expect(news == [.connected])
      receivers.append(try #require(try host.accept()).socket)
    }

    func connectGPSD() throws -> Socket {
      let gpsd = try Socket(AF_UNIX)
      #expect(gpsd.connect(to: gpsdAddress))
      return gpsd
    }

    /// Ends the connections of the receiver.
    func hangUp() {
      for receiver in receivers { receiver.hangUp() }
      receivers = []
    }

    /// Sends as the receiver does.
    func send(_ text: String) { #expect(receivers.last?.send(text) == true) }
  }

  /// Waits until the connection is over, and returns whether nothing else has arrived.
  private static func isOver(_ socket: Socket) -> Bool {
    socket.waitForEnd() && received(by: socket) == nil
  }

  /// What has arrived; `nil` after the end of the connection.
  private static func received(by gpsd: Socket) -> String? {
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    guard let count = gpsd.read(into: &bytes) else { return "" }
    return count == 0 ? nil : String(decoding: bytes[..<count], as: UTF8.self)
  }

  @Test func `is given to gpsd, also what came before gpsd did`() throws {
    let scene = try Scene()
    try scene.connect()
    #expect(scene.relay.isThere && scene.relay.arrivals == 1)
    scene.send("$A\r\n")
    #expect(scene.work() == [])
    let gpsd = try scene.connectGPSD()
    #expect(scene.work() == [])
    #expect(Self.received(by: gpsd) == "$A\r\n")
    scene.send("$B\r\n")
    #expect(scene.work() == [])
    #expect(Self.received(by: gpsd) == "$B\r\n")
    // What gpsd says is not for the receiver.
    #expect(gpsd.send("$PUBX\r\n"))
    #expect(scene.work() == [])
    #expect(Self.received(by: scene.receivers[0]) == "")
  }

  @Test func `is answered by gpsd where corrections come that way`() throws {
    let scene = try Scene(takesAnswers: true)
    try scene.connect()
    let gpsd = try scene.connectGPSD()
    #expect(scene.work() == [])
    #expect(gpsd.send("$PUBX\r\n"))
    #expect(scene.work() == [])
    #expect(Self.received(by: scene.receivers[0]) == "$PUBX\r\n")
  }

  @Test func `is not given to gpsd after the receiver has gone`() throws {
    let scene = try Scene()
    try scene.connect()
    scene.send("$A\r\n")
    #expect(scene.work() == [])
    scene.hangUp()
    #expect(scene.work() == [.failed("closed by the receiver")])
    scene.clock.jump(by: .seconds(1))
    try scene.connect()
    let gpsd = try scene.connectGPSD()
    scene.send("$B\r\n")
    #expect(scene.work() == [])
    #expect(Self.received(by: gpsd) == "$B\r\n")
  }

  @Test func `is over when the connection is reset`() throws {
    let scene = try Scene(takesAnswers: true)
    try scene.connect()
    let gpsd = try scene.connectGPSD()
    #expect(gpsd.send("$PUBX\r\n"))
    #expect(scene.work() == [])
    // It closes before it has read what it was sent.
    scene.receivers = []
    #expect(scene.relay.sources.areReady(within: 20_000))
    #expect(scene.work() == [.failed("Connection reset by peer")])
  }

  @Test func `ends for gpsd when the receiver goes away, and restarts when it is back`() throws {
    let scene = try Scene()
    try scene.connect()
    let gpsd = try scene.connectGPSD()
    scene.send("$A")
    #expect(scene.work() == [])
    #expect(Self.received(by: gpsd) == "$A")
    scene.send("half")
    scene.hangUp()
    #expect(scene.work() == [.failed("closed by the receiver")])
    #expect(!scene.relay.isThere)
    #expect(Self.received(by: gpsd) == "half" && Self.isOver(gpsd))
    // A gpsd that connects meanwhile finds no listener.
    let early = try scene.connectGPSD()
    #expect(scene.work() == [])
    #expect(Self.isOver(early))
    scene.clock.jump(by: .milliseconds(999))
    #expect(scene.work() == [])
    scene.clock.jump(by: .milliseconds(1))
    try scene.connect()
    #expect(scene.relay.isThere && scene.relay.arrivals == 2)
    let again = try scene.connectGPSD()
    scene.send("$B")
    #expect(scene.work() == [])
    #expect(Self.received(by: again) == "$B")
  }

  @Test(arguments: [true, false])
  func `is given to gpsd to its end, but after 3 s the receiver is gone anyway`(isRead: Bool)
    throws
  {
    let scene = try Scene()
    try scene.connect()
    let gpsd = try scene.connectGPSD()
    let piece = String(repeating: "A", count: NetworkRelay.share)
    var sent = ""
    // Until the socket of gpsd takes no more, so that a piece waits.
    for _ in 0..<1000
    where !scene.relay.sources.contains(where: { $0.interest == .readingAndWriting }) {
      scene.send(piece)
      sent += piece
      #expect(scene.work() == [])
    }
    scene.hangUp()
    #expect(scene.work() == [] && !scene.relay.isThere)
    scene.clock.jump(by: .milliseconds(2999))
    #expect(scene.work() == [])
    let beginning = try isRead ? #require(Self.received(by: gpsd)) : ""
    if !isRead { scene.clock.jump(by: .milliseconds(1)) }
    #expect(scene.work() == [.failed("closed by the receiver")])
    let rest = try #require(Self.received(by: gpsd))
    #expect((beginning + rest == sent) == isRead)
    #expect(Self.isOver(gpsd))
  }

  /// A fault: `--once` did not report the fix of a receiver that hangs up at once.
  @Test
  func `is given to gpsd after the end, which a second later is known, if it is the only one`()
    throws
  {
    let scene = try Scene(isRetried: false)
    try scene.connect()
    scene.send("$A\r\n")
    scene.hangUp()
    #expect(scene.work() == [])
    scene.clock.jump(by: .milliseconds(2500))
    let gpsd = try scene.connectGPSD()
    #expect(scene.work() == [])
    #expect(Self.received(by: gpsd) == "$A\r\n")
    scene.clock.jump(by: .milliseconds(499))
    #expect(scene.work() == [])
    scene.clock.jump(by: .milliseconds(1))
    #expect(scene.work() == [.failed("closed by the receiver")])
    #expect(Self.isOver(gpsd))
  }

  @Test(arguments: [(nil, 0), (400, 600), (999, 1), (1000, 0)])
  func `is over a second after its last bytes, or without any at once, if it is not awaited`(
    pause: Int?, rest: Int
  ) throws {
    let scene = try Scene(isRetried: false)
    try scene.connect()
    let gpsd = try scene.connectGPSD()
    #expect(scene.work() == [])
    if let pause {
      scene.send("$A\r\n")
      #expect(scene.work() == [])
      scene.clock.jump(by: .milliseconds(pause))
      scene.hangUp()
      if rest > 0 {
        #expect(scene.work() == [])
        #expect(
          scene.relay.deadline == scene.clock.locationClock.now.advanced(by: .milliseconds(rest)))
        scene.clock.jump(by: .milliseconds(rest))
      }
    } else {
      scene.hangUp()
    }
    #expect(scene.work() == [.failed("closed by the receiver")])
    #expect(Self.received(by: gpsd) == (pause == nil ? nil : "$A\r\n"))
  }

  @Test
  func `is given to gpsd after the last sentence of an earlier epoch, when the receiver is back`()
    throws
  {
    func sentence(_ text: String) -> String {
      "$\(text)*\(String(text.utf8.reduce(0, ^), radix: 16, uppercase: true))\r\n"
    }
    func gga(_ time: Int) -> String { sentence("GPGGA,12000\(time),x") }
    func rmc(_ time: Int) -> String { sentence("GPRMC,12000\(time),x") }
    let scene = try Scene()
    try scene.connect()
    var gpsd = try scene.connectGPSD()
    let lesson = (1...4).map { gga($0) + rmc($0) }.joined()
    scene.send(lesson)
    #expect(scene.work() == [])
    #expect(Self.received(by: gpsd) == lesson)
    scene.hangUp()
    #expect(scene.work() == [.failed("closed by the receiver")])
    scene.clock.jump(by: .seconds(1))
    try scene.connect()
    gpsd = try scene.connectGPSD()
    // With which sentence the receiver begins is not known yet.
    scene.send("$GPGSA,A,3\r\n")
    #expect(scene.work() == [])
    #expect(Self.received(by: gpsd) == "")
    scene.send(gga(8) + rmc(8))
    #expect(scene.work() == [])
    #expect(Self.received(by: gpsd) == rmc(3) + "$GPGSA,A,3\r\n" + gga(8) + rmc(8))
    scene.send(gga(9))
    #expect(scene.work() == [])
    #expect(Self.received(by: gpsd) == gga(9))
    // To another gpsd, everything is new.
    gpsd = try scene.connectGPSD()
    #expect(scene.work() == [])
    scene.send(rmc(9))
    #expect(scene.work() == [])
    #expect(Self.received(by: gpsd) == rmc(9))
  }

  @Test func `is asked for after 1, 2, 4 and then every 4 s`() throws {
    let scene = try Scene()
    scene.host.hangUp()
    scene.restart(with: [scene.address])
    #expect(scene.work() == [.failed("Connection refused")])
    for pause in [1, 2, 4, 4, 4] {
      // The pauses vary by a fifth.
      scene.clock.jump(by: .seconds(pause) * 0.8 - .milliseconds(1))
      #expect(scene.work() == [])
      scene.clock.jump(by: .seconds(pause) * 0.4 + .milliseconds(2))
      #expect(scene.work() == [.failed("Connection refused")])
    }
  }

  @Test func `is asked for after ever longer pauses, and soon again once it came`() throws {
    let scene = try Scene()
    let refused = NetworkRelay.News.failed("Connection refused")
    // Nobody listens there yet.
    let host = try Socket(AF_UNIX, options: SOCK_NONBLOCK.rawValue)
    let address = try host.bindToLocalAddress()
    scene.restart(
      with: [address], retries: RetryPolicy(delays: [.seconds(1), .seconds(4)], jitter: 0))
    scene.host = host
    #expect(scene.work() == [refused])
    for pause in [1, 4, 4] {
      scene.clock.jump(by: .seconds(pause) - .milliseconds(1))
      #expect(scene.work() == [])
      scene.clock.jump(by: .milliseconds(1))
      #expect(scene.work() == [refused])
    }
    try host.listen()
    scene.clock.jump(by: .seconds(4))
    try scene.connect()
    // A connection by itself is no sign that it will last.
    scene.hangUp()
    #expect(scene.work() == [.failed("closed by the receiver")])
    scene.clock.jump(by: .seconds(4))
    try scene.connect()
    scene.send("$A")
    #expect(scene.work() == [])
    scene.hangUp()
    #expect(scene.work() == [.failed("closed by the receiver")])
    scene.clock.jump(by: .seconds(1))
    try scene.connect()
  }

  @Test func `is over after 30 s of silence`() throws {
    let scene = try Scene()
    try scene.connect()
    let gpsd = try scene.connectGPSD()
    for _ in 0..<2 {
      scene.clock.jump(by: .seconds(10))
      scene.send("$A")
      #expect(scene.work() == [])
    }
    scene.clock.jump(by: .milliseconds(29_999))
    #expect(scene.work() == [])
    #expect(Self.received(by: gpsd) == "$A$A")
    scene.clock.jump(by: .milliseconds(1))
    #expect(scene.work() == [.failed("silent for 30 s")])
    #expect(Self.isOver(gpsd))
    #expect(Self.isOver(scene.receivers[0]))
  }

  /// A tracker on batteries. Until its interval is known, it is silent for longer than any other receiver.
  @Test(arguments: [(30, 1), (60, 1), (120, 2), (900, 2), (3600, 3)])
  func `is over after the silence that its interval allows`(interval: Int, unknown: Int) throws {
    let scene = try Scene()
    scene.restart(with: [scene.address], retries: RetryPolicy(delays: [.seconds(1)], jitter: 0))
    try scene.connect()
    for report in 1...6 {
      // The network cuts a report.
      scene.send("$A")
      #expect(scene.work() == [])
      scene.clock.jump(by: .seconds(2))
      scene.send("$B")
      #expect(scene.work() == [])
      let next = scene.clock.locationClock.now.advanced(by: .seconds(interval - 2))
      while report < unknown, let due = scene.relay.deadline, due < next {
        scene.clock.jump(by: scene.clock.locationClock.now.duration(to: due))
        if scene.relay.isThere {
          #expect(scene.work().count == 1)
        } else {
          try scene.connect()
        }
      }
      scene.clock.jump(by: scene.clock.locationClock.now.duration(to: next))
      #expect(scene.work() == [] && scene.relay.isThere)
    }
    scene.clock.jump(by: .seconds(2 * interval + 2) - .milliseconds(1))
    #expect(scene.work() == [])
    scene.clock.jump(by: .milliseconds(1))
    #expect(scene.work() == [.failed("silent for \(3 * interval) s")])
  }

  @Test func `is sent to nobody but gpsd`() throws {
    let scene = try Scene(isGPSD: false)
    try scene.connect()
    let stranger = try scene.connectGPSD()
    scene.send("$A")
    #expect(scene.work() == [])
    #expect(Self.isOver(stranger))
  }

  @Test func `goes to the gpsd that came last, after the one before has gone`() throws {
    let scene = try Scene()
    try scene.connect()
    let first = try scene.connectGPSD()
    scene.send("$A")
    #expect(scene.work() == [])
    #expect(Self.received(by: first) == "$A")
    first.hangUp()
    #expect(scene.work() == [])
    scene.send("$B")
    #expect(scene.work() == [])
    let second = try scene.connectGPSD()
    #expect(scene.work() == [])
    #expect(Self.received(by: second) == "$B")
    #expect(scene.relay.isThere)
  }

  @Test func `waits while gpsd reads nothing, and is not lost`() throws {
    let scene = try Scene()
    try scene.connect()
    let receiver = try #require(scene.receivers.last)
    let block = [UInt8](repeating: 0x41, count: 1 << 16)
    var sent = 0
    while case let count? = receiver.write(block[...]), count > 0 {
      sent += count
      #expect(scene.work() == [])
    }
    // Silence does not count while the relay does not read.
    scene.clock.jump(by: .seconds(60))
    #expect(scene.work() == [])
    let gpsd = try scene.connectGPSD()
    var count = 0
    repeat {
      #expect(scene.work() == [])
      guard case let text? = Self.received(by: gpsd), text != "" else { break }
      count += text.utf8.count
    } while true
    #expect(count == sent && sent > NetworkRelay.maximumWaitingCount)
  }

  @Test func `comes from the first address that answers`() throws {
    let scene = try Scene()
    // Nobody listens there.
    let closed = try Socket(AF_UNIX)
    scene.restart(with: [try closed.bindToLocalAddress(), scene.address])
    try scene.connect()
    #expect(scene.relay.isThere)
    withExtendedLifetime(closed) {}
  }

  @Test func `comes from the next address if one does not answer for 3 s`() throws {
    let scene = try Scene()
    let silent = try SilentHost()
    scene.restart(with: [silent.address, scene.address])
    #expect(scene.work() == [])
    scene.clock.jump(by: .seconds(3))
    try scene.connect()
    // The first address had its time.
    scene.clock.jump(by: .seconds(3))
    #expect(scene.work() == [] && scene.relay.isThere)
    withExtendedLifetime(silent) {}
  }

  @Test func `is given up at an address that does not answer, after 3 s`() throws {
    let scene = try Scene()
    let silent = try SilentHost()
    scene.restart(with: [silent.address])
    #expect(scene.work() == [])
    scene.clock.jump(by: .milliseconds(2999))
    #expect(scene.work() == [])
    scene.clock.jump(by: .milliseconds(1))
    #expect(scene.work() == [.failed("Connection timed out")])
    withExtendedLifetime(silent) {}
  }

  @Test func `is of a host whose name is known`() throws {
    let scene = try Scene { () throws(LocationError) in
      throw LocationError(.unknownHost, "Name or service not known")
    }
    #expect(scene.work() == [.failed("Name or service not known")])
    #expect(throws: LocationError.self) {
      try HostAddress.resolve(NetworkAddress(.tcp, host: "256.1.1.1.", port: 1))
    }
  }

  // MARK: Datagrams

  /// Returns an address for datagrams to which nothing is bound.
  private static func freeAddress() throws -> HostAddress {
    try Socket(AF_UNIX, SOCK_DGRAM).bindToLocalAddress()
  }

  /// Returns a relay of datagrams, and a socket that sends to it.
  private func datagrams() throws -> (scene: Scene, send: (String, Socket) throws -> Void) {
    let bound = try Self.freeAddress()
    let scene = try Scene(.udp) { [bound] }
    return (
      scene,
      { text, socket in
        let bytes = Array(text.utf8)
        let count = bound.withSocketAddress {
          sendto(socket.descriptor, bytes, bytes.count, 0, $0, $1)
        }
        #expect(count == bytes.count)
      }
    )
  }

  @Test func `comes in datagrams of one sender until that is silent for 30 s`() throws {
    let (scene, send) = try datagrams()
    #expect(scene.work() == [] && !scene.relay.isThere)
    let (phone, other) = (try Socket(AF_UNIX, SOCK_DGRAM), try Socket(AF_UNIX, SOCK_DGRAM))
    let (known, ignored) = (try phone.bindToLocalAddress(), try other.bindToLocalAddress())
    try send("$A", phone)
    #expect(scene.work() == [.connected])
    #expect(scene.relay.isThere && scene.relay.arrivals == 1)
    let gpsd = try scene.connectGPSD()
    scene.clock.jump(by: .seconds(10))
    try send("$X", other)
    try send("$B", phone)
    #expect(scene.work() == [.ignored(ignored, for: known)])
    // That is reported once.
    try send("$X", other)
    #expect(scene.work() == [])
    #expect(Self.received(by: gpsd) == "$A$B")
    scene.clock.jump(by: .milliseconds(29_999))
    #expect(scene.work() == [])
    scene.clock.jump(by: .milliseconds(1))
    #expect(scene.work() == [.failed("silent for 30 s")] && !scene.relay.isThere)
    #expect(Self.isOver(gpsd))
    // Whoever sends then is the receiver, without a pause.
    try send("$Y", other)
    #expect(scene.work() == [.connected] && scene.relay.arrivals == 2)
    let again = try scene.connectGPSD()
    #expect(scene.work() == [])
    #expect(Self.received(by: again) == "$Y")
    // And again of the next receiver.
    try send("$X", phone)
    #expect(scene.work() == [.ignored(known, for: ignored)])
  }

  @Test func `comes in whole datagrams, however much waits for gpsd`() throws {
    let (scene, send) = try datagrams()
    #expect(scene.work() == [])
    let phone = try Socket(AF_UNIX, SOCK_DGRAM)
    _ = try phone.bindToLocalAddress()
    let first = String(repeating: "A", count: NetworkRelay.maximumWaitingCount - 1)
    let largest = String(repeating: "B", count: 65_507)
    try send(first, phone)
    #expect(scene.work() == [.connected])
    try send(largest, phone)
    #expect(scene.work() == [])
    // No more is read, and it waits in the socket.
    try send("$C", phone)
    #expect(scene.work() == [])
    let gpsd = try scene.connectGPSD()
    var text = ""
    repeat {
      #expect(scene.work() == [])
      guard case let more? = Self.received(by: gpsd), more != "" else { break }
      text += more
    } while true
    #expect(text == first + largest + "$C")
  }

  /// Fault 119.
  @Test func `does not begin with an empty datagram, nor continue with one`() throws {
    let (scene, send) = try datagrams()
    _ = scene.work()
    let (phone, other) = (try Socket(AF_UNIX, SOCK_DGRAM), try Socket(AF_UNIX, SOCK_DGRAM))
    for socket in [phone, other] { _ = try socket.bindToLocalAddress() }
    try send("", other)
    #expect(scene.work() == [] && !scene.relay.isThere)
    try send("$A", phone)
    #expect(scene.work() == [.connected])
    scene.clock.jump(by: .seconds(10))
    try send("$A", phone)
    #expect(scene.work() == [])
    try send("", other)
    scene.clock.jump(by: .seconds(20))
    try send("", phone)
    #expect(scene.work() == [])
    scene.clock.jump(by: .seconds(10))
    #expect(scene.work() == [.failed("silent for 30 s")])
  }

  @Test func `needs a port that is free`() throws {
    let (scene, _) = try datagrams()
    #expect(scene.work() == [])
    var taken: HostAddress?
    let second = try Scene(.udp) { taken.map { [$0] } ?? [] }
    let socket = try Socket(AF_INET, SOCK_DGRAM)
    taken = try socket.bindToFreePort()
    #expect(second.work() == [.failed("Address already in use")])
    // A port of all addresses is one of IPv6 and IPv4.
    let all = try HostAddress.resolve(NetworkAddress(.udp, host: "", port: 9))
    #expect(all.first?.family == AF_INET6 || !all.contains { $0.family == AF_INET6 })
  }
}
