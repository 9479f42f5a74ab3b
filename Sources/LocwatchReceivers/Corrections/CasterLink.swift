import EventLoop
import Glibc
import LocationCore
import LocwatchSystem

/// The connection to a caster: connects, asks, reads, and tries again after a while. It never waits.
///
/// The table of mount points is requested first, and then the corrections. The table says whether the mount point needs
/// the position of the receiver, or which one was probably meant. One in no table gets the position after a silence.
struct CasterLink {
  enum Event: Equatable {
    /// A frame of RTCM 3, whole.
    case frame([UInt8])
    /// Why no corrections come, or no longer come.
    case failed(String)
  }

  /// After this time without a frame, corrections are lost, even if the connection is open.
  static let maximumSilence = Nanoseconds.seconds(30)
  /// How long the table may take. Many casters work without one.
  static let tablePatience = Nanoseconds.seconds(5)
  /// The shortest time before a caster that said no is asked again.
  static let refusalPause = Nanoseconds.seconds(30)
  /// The longest time before a host that cannot be reached is retried, which puts no load on anyone.
  static let outagePause = Nanoseconds.seconds(4)
  /// How often the caster is sent the position, first after this time to a mount point that is in no table.
  static let positionInterval = Nanoseconds.seconds(10)

  private enum State {
    case waiting(until: Moment)
    case lookingUp(LookUp)
    case connecting(ConnectionAttempt)
    /// - Parameter heard: When the last frame came, or the connection was made.
    case open(Socket, NTRIPExchange, heard: Moment)
  }

  private let address: CasterAddress
  private let user: CasterUser?
  private let clock: LocationClock
  private let retries: RetryPolicy
  private let lookUp: LookUp.Start
  /// Connects to a caster that speaks TLS; `nil` for one that does not.
  private let startTLS: TLSConnection.Start?
  /// The connection, if it is one of TLS.
  private var tls: TLSConnection?
  private var state = State.waiting(until: .past)
  private var backoff: Backoff
  /// What the caster has not been sent.
  private var unsent = PendingBytes()
  /// The table of mount points, once it has come.
  private var table: CasterTable?
  /// Whether to ask for the table, and not for corrections.
  private var wantsTable = true
  /// Whether the first frame came only after the position was given; `nil` until it comes.
  private var waitsForPosition: Bool?
  /// When the position is due again; the past until this connection has been given it.
  private var positionDue = Moment.past
  /// Whether any connection has been given the position.
  private var hasGivenPosition = false
  private var allowance = CasterAllowance()
  /// How many bytes of earlier connections were no frames.
  private var skippedBefore = 0

  /// - Parameters:
  ///   - startTLS: Connects to a caster that speaks TLS; `nil` for one that does not.
  ///   - lookUp: Looks up the addresses of the caster's host.
  init(
    to address: CasterAddress, as user: CasterUser?, clock: LocationClock,
    retries: RetryPolicy = RetryPolicy(), startTLS: TLSConnection.Start? = nil,
    lookUp: @escaping LookUp.Start
  ) {
    self.address = address
    self.user = user
    self.clock = clock
    self.retries = retries
    self.startTLS = startTLS
    self.lookUp = lookUp
    backoff = Backoff(retries)
  }

  /// What to wait for before the next ``advance()``; `nil` for nothing.
  var source: AwaitedDescriptor? {
    switch state {
    case .waiting, .lookingUp: nil
    case .connecting(let attempt): attempt.source
    case .open(let socket, _, _):
      AwaitedDescriptor(socket, reading: true, writing: !unsent.isEmpty)
    }
  }

  /// When ``advance()`` is due even if nothing comes; `nil` while the host is looked up.
  var deadline: Moment? {
    switch state {
    case .waiting(let until): until
    case .lookingUp: nil
    case .connecting(let attempt): attempt.deadline
    case .open(_, let exchange, let heard): heard.later(by: Self.silence(of: exchange))
    }
  }

  /// When to send the position; `nil` while the caster takes none, or is not given it.
  var positionDeadline: Moment? {
    guard case .open(_, let exchange, let heard) = state, exchange.isAccepted, unsent.isEmpty
    else { return nil }
    return switch table?.needsPosition ?? waitsForPosition {
    case true?: positionDue
    case false?: nil
    case nil: max(positionDue, heard.later(by: Self.positionInterval))
    }
  }

  /// How many bytes were skipped because they are no frames.
  var skippedCount: Int {
    guard case .open(_, let exchange, _) = state else { return skippedBefore }
    return skippedBefore + exchange.skippedCount
  }

  /// Does what is due, and what can be done without waiting.
  mutating func advance() -> [Event] {
    let now = clock.now
    switch state {
    case .waiting(let until): return until <= now ? begin() : []
    case .lookingUp(let lookUp): return connect(to: lookUp)
    case .connecting(let attempt): return connect(attempt)
    case .open(_, let exchange, let heard)
    where heard.later(by: Self.silence(of: exchange)) <= now:
      let seconds = Self.silence(of: exchange).count / 1_000_000_000
      return fail(
        exchange.skippedCount > 0
          ? "no RTCM 3 in \(exchange.skippedCount) bytes, for \(seconds) s"
          : "silent for \(seconds) s")
    case .open(let socket, _, _):
      let events = receive(from: socket)
      if case .open(let socket, _, _) = state { return events + send(to: socket) }
      return events
    }
  }

  /// Sends the position of the receiver, if it is due. Returns the reason the first time; otherwise `nil`.
  ///
  /// - Parameter text: Returns a sentence of NMEA; `nil` without a position.
  mutating func sendPosition(_ text: () -> String?) -> String? {
    guard let due = positionDeadline, due <= clock.now, let text = text() else { return nil }
    positionDue = clock.now.later(by: Self.positionInterval)
    unsent.append(text.utf8)
    guard !hasGivenPosition else { return nil }
    hasGivenPosition = true
    return table?.needsPosition == true
      ? "its table asks for it" : "it has sent no corrections for 10 s"
  }

  private static func silence(of exchange: NTRIPExchange) -> Nanoseconds {
    exchange.request == .table ? tablePatience : maximumSilence
  }

  private mutating func begin() -> [Event] {
    let lookUp = lookUp(NetworkAddress(.tcp, host: address.host, port: address.port))
    state = .lookingUp(lookUp)
    return connect(to: lookUp)
  }

  private mutating func connect(to lookUp: LookUp) -> [Event] {
    guard let outcome = lookUp.outcome else { return [] }
    do throws(LocationError) {
      return connect(try ConnectionAttempt(to: try outcome.get(), at: clock.now))
    } catch {
      return pause(error.detail, atMost: Self.outagePause)
    }
  }

  private mutating func connect(_ attempt: ConnectionAttempt) -> [Event] {
    var attempt = attempt
    do throws(LocationError) {
      let isMade = try attempt.advance(at: clock.now)
      state = .connecting(attempt)
      guard isMade else { return [] }
      // openssl may wait for minutes at an address that does not answer. It connects again to one that does.
      tls = try startTLS?(address, attempt.address)
      return ask(through: tls?.socket ?? attempt.socket)
    } catch {
      return pause(error.detail, atMost: Self.outagePause)
    }
  }

  private mutating func ask(through socket: Socket) -> [Event] {
    let exchange = NTRIPExchange(wantsTable ? .table : .corrections, from: address, as: user)
    state = .open(socket, exchange, heard: clock.now)
    unsent = PendingBytes(Array(exchange.text.utf8))
    allowance = CasterAllowance()
    positionDue = .past
    return send(to: socket)
  }

  private mutating func send(to socket: Socket) -> [Event] {
    guard !unsent.write(by: socket.write) else { return [] }
    let number = errno
    return endTLS() ?? fail(systemText(number))
  }

  private mutating func receive(from socket: Socket) -> [Event] {
    guard case .open(_, var exchange, var heard) = state else { return [] }
    var bytes = [UInt8](repeating: 0, count: 16 * 1024)
    let received: [NTRIPExchange.Event]
    switch socket.read(into: &bytes) {
    case let count? where count > 0:
      guard exchange.request == .table || allowance.take(count, at: clock.now) else {
        return pause(
          "it sends more than \(CasterAllowance.rate / 1024) KiB a second",
          atLeast: Self.refusalPause)
      }
      received = exchange.receive(Array(bytes[..<count]))
    case .some:
      if let events = endTLS() { return events }
      received = exchange.close()
    case nil:
      let number = errno
      return [EAGAIN, EINTR].contains(number) ? [] : endTLS() ?? fail(systemText(number))
    }
    var events: [Event] = []
    for event in received {
      switch event {
      case .frame(let frame):
        heard = clock.now
        if waitsForPosition == nil { waitsForPosition = positionDue > .past }
        backoff = Backoff(retries)
        events.append(.frame(frame))
      case .table(let table):
        self.table = table
        return askForCorrections()
      case .failed(let failure):
        state = .open(socket, exchange, heard: heard)
        return events + fail(failure)
      }
    }
    state = .open(socket, exchange, heard: heard)
    return events
  }

  /// Returns the resulting events if TLS has failed; `nil` if it has not.
  private mutating func endTLS() -> [Event]? {
    guard let failure = tls?.takeFailure() else { return nil }
    return failure.isRefusal
      ? pause(failure.reason, atLeast: Self.refusalPause)
      : pause(failure.reason, atMost: Self.outagePause)
  }

  /// Connects again, to ask for corrections.
  private mutating func askForCorrections() -> [Event] {
    wantsTable = false
    tls = nil
    return begin()
  }

  private mutating func fail(_ failure: NTRIPExchange.Failure) -> [Event] {
    // Only the corrections have to be there.
    guard !isOfTable else { return askForCorrections() }
    guard failure.isRefusal else { return fail(failure.reason) }
    return pause(table?.reason(for: failure.reason) ?? failure.reason, atLeast: Self.refusalPause)
  }

  private mutating func fail(_ reason: String) -> [Event] {
    isOfTable ? askForCorrections() : pause(reason)
  }

  /// Whether the table is what was asked for.
  private var isOfTable: Bool {
    if case .open(_, let exchange, _) = state { exchange.request == .table } else { false }
  }

  /// Ends the connection, and tries again after a while.
  private mutating func pause(
    _ reason: String, atLeast shortest: Nanoseconds = .zero, atMost longest: Nanoseconds? = nil
  ) -> [Event] {
    skippedBefore = skippedCount
    var delay = max(shortest, Nanoseconds(backoff.nextDelay() ?? .seconds(30)))
    if let longest { delay = min(delay, longest) }
    state = .waiting(until: clock.now.later(by: delay))
    tls = nil
    unsent.removeAll()
    // The table may come now, or have the mount point.
    wantsTable = table?.hasMount != true
    return [.failed(reason)]
  }
}
