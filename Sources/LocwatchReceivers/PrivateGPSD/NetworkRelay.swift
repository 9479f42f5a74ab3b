import EventLoop
import Glibc
import LocationCore
import LocwatchSystem

/// Passes on to a private gpsd what a receiver on the network sends.
///
/// gpsd could connect to it itself. But gpsd 3.22 never connects again, and while a host does not answer, no
/// version serves its clients. So gpsd reads a port of the loopback interface, and it has a connection there
/// only while the receiver is there: to gpsd, a phone that goes away is a receiver that is unplugged.
package struct NetworkRelay {
  enum News: Equatable {
    case connected
    /// Why there is no connection to the receiver, or none any more.
    case failed(String)
    /// Datagrams of one sender are ignored while another sender's are passed on.
    case ignored(HostAddress, for: HostAddress)
  }

  /// A receiver is gone after this silence, or after the silence that its ``ReportPace`` allows, if that is longer: a
  /// phone that leaves the network sends no notice.
  static let minimumSilence = Nanoseconds.seconds(30)
  /// How long the sender of datagrams is silent before another port of its host takes its place. It does not follow the
  /// interval of the reports: one that sends more rarely, and is still there, is told apart by its next datagram.
  static let portSilence = Nanoseconds.seconds(3)
  /// The number of bytes that wait for gpsd. From it on, no more are read. Only a datagram can exceed it.
  static let maximumWaitingCount = 64 * 1024
  /// How many bytes are read in a turn: an endless sender does not delay the rest of the loop.
  static let share = 16 * 1024
  /// The size of the largest datagram. What is not read of a datagram is lost, so there is always room for a whole one.
  static let maximumDatagramCount = 65_535
  /// How long gpsd may take for the rest of what a receiver has sent that is gone. It needs less for 64 KiB, however
  /// seldom the receiver reports, and a receiver that is back waits no longer.
  static let endPatience = Nanoseconds.seconds(3)
  /// How long gpsd may take to report what it was given last. It does not follow the interval of the reports: no more
  /// come, and gpsd needs far less for those that it has.
  static let reportPatience = Nanoseconds.seconds(1)

  /// The pauses before a host is tried again that cannot be reached. A phone that is back is soon there, and
  /// an attempt puts no load on anyone.
  static let pauses = [1, 2, 4].map { Duration.seconds($0) }

  private enum Link {
    case waiting(until: Moment)
    case lookingUp(LookUp)
    case connecting(ConnectionAttempt)
    /// - Parameter heard: When the receiver last sent something, or the connection was made; `nil` for
    ///   datagrams that have not begun.
    case open(Socket, heard: Moment?)
    /// The receiver is gone, for a reason, and gpsd may take the rest of what it has sent.
    case ending(String, limit: Moment)
  }

  private let address: NetworkAddress
  private let clock: LocationClock
  private let retries: RetryPolicy
  /// Whether a receiver that is gone is awaited. If it is not, gpsd is to report all that it has sent.
  private let isRetried: Bool
  /// Whether the receiver is sent what gpsd writes.
  private let takesAnswers: Bool
  private let lookUp: LookUp.Start
  private var link = Link.waiting(until: .past)
  private var backoff: Backoff
  private var gpsdArrivals: GPSDArrivals
  /// The connection from which gpsd reads.
  private var source: Socket?
  /// Whether gpsd has received the first bytes.
  private var hasBegun = false
  private var cycle = NMEACycle()
  /// What gpsd has not been given.
  private var waiting = PendingBytes()
  /// When gpsd was last given something.
  private var given = Moment.past
  /// What the receiver has not been given.
  private var answers = PendingBytes()
  /// Whose datagrams are passed on.
  private var sender: HostAddress?
  /// Another port of its host, and when the sender was heard last before that one's first datagram.
  private var rival: (address: HostAddress, heard: Moment)?
  /// How often the receiver reports, on whichever connection, and when its latest report began.
  private var (pace, reported) = (ReportPace(), Moment?.none)
  /// How many bytes the receiver has sent.
  private(set) var receivedCount = 0
  /// Whether it was said that there is another sender.
  private var hasIgnored = false
  /// How often the receiver has come.
  private(set) var arrivals = 0

  /// - Parameters:
  ///   - listener: The port from which gpsd reads.
  ///   - isRetried: Whether a receiver that is gone is awaited.
  ///   - takesAnswers: Whether the receiver is sent what gpsd writes.
  ///   - lookUp: Looks up the addresses of the receiver's host.
  init(
    _ address: NetworkAddress, to listener: GPSDPort, clock: LocationClock,
    retries: RetryPolicy = RetryPolicy(delays: NetworkRelay.pauses), isRetried: Bool = true,
    takesAnswers: Bool = false,
    lookUp: @escaping LookUp.Start, isGPSD: @escaping GPSDPort.Check
  ) {
    self.address = address
    self.clock = clock
    self.retries = retries
    self.isRetried = isRetried
    self.takesAnswers = takesAnswers
    self.lookUp = lookUp
    gpsdArrivals = GPSDArrivals(at: listener, clock: clock, isGPSD: isGPSD)
    backoff = Backoff(retries)
  }

  private var maximumSilence: Nanoseconds { pace.silence(atLeast: Self.minimumSilence) }

  /// Whether the receiver is there.
  var isThere: Bool { if case .open(_, .some) = link { true } else { false } }

  /// Whether there is something for gpsd, or soon will be.
  private var hasUseForGPSD: Bool { if case .ending = link { true } else { isThere } }

  /// Whether gpsd is there, and has not taken all that it is to have.
  private var isBehind: Bool { source != nil && hasBegun && !waiting.isEmpty }

  /// Returns when gpsd has what a receiver has sent that is gone, or the limit if gpsd takes longer.
  private func end(before limit: Moment) -> Moment {
    if isBehind || !isRetried && !waiting.isEmpty { return limit }
    return isRetried ? .past : given.later(by: Self.reportPatience).earlier(of: limit)
  }

  /// What to wait for before the next turn.
  var sources: [AwaitedDescriptor] {
    let gpsd = source.flatMap {
      AwaitedDescriptor($0, reading: answers.count < Self.maximumWaitingCount, writing: isBehind)
    }
    let receiver: AwaitedDescriptor? =
      switch link {
      case .waiting, .lookingUp, .ending: nil
      case .connecting(let attempt): attempt.source
      case .open(let socket, _):
        AwaitedDescriptor(
          socket, reading: waiting.count < Self.maximumWaitingCount, writing: !answers.isEmpty)
      }
    return [gpsdArrivals.source, gpsd, receiver].compactMap(\.self)
  }

  /// When the next turn is due even if nothing comes.
  var deadline: Moment? {
    let deadline: Moment? =
      switch link {
      case .waiting(let until): until
      case .ending(_, let limit): end(before: limit)
      case .lookingUp: nil
      case .connecting(let attempt): attempt.deadline
      case .open(_, let heard): heard?.later(by: maximumSilence)
      }
    return gpsdArrivals.deadline?.earlier(of: deadline) ?? deadline
  }

  /// Does what can be done without waiting.
  ///
  /// - Returns: What happened to the connection to the receiver; `nil` for nothing.
  mutating func turn() -> News? {
    if let news = expire(at: clock.now) { return news }
    let news = advance()
    if let connection = gpsdArrivals.accept(), hasUseForGPSD {
      source = connection
      hasBegun = false
    }
    attendGPSD()
    give()
    answer()
    return news ?? end()
  }

  private mutating func advance() -> News? {
    switch link {
    case .waiting, .ending: nil
    case .lookingUp(let lookUp): lookUp.outcome.flatMap { begin($0) }
    case .connecting(let attempt): connect(attempt)
    case .open(let socket, _):
      waiting.count < Self.maximumWaitingCount ? receive(from: socket) : nil
    }
  }

  private mutating func expire(at now: Moment) -> News? {
    switch link {
    case .waiting(let until) where until <= now:
      link = .lookingUp(lookUp(address))
      return nil
    case .open(let socket, .some) where waiting.count >= Self.maximumWaitingCount:
      // Silence does not count while the relay does not read.
      link = .open(socket, heard: now)
      return nil
    case .open(let socket, let heard?) where heard.later(by: maximumSilence) <= now:
      let reason = "silent for \(maximumSilence.count / 1_000_000_000) s"
      guard address.transport == .udp else { return fail(reason) }
      leave()
      link = .open(socket, heard: nil)
      return .failed(reason)
    case .waiting, .lookingUp, .connecting, .open, .ending: return nil
    }
  }

  private mutating func begin(_ outcome: LookUp.Outcome) -> News? {
    do throws(LocationError) {
      let addresses = try outcome.get()
      guard address.transport == .tcp else {
        link = .open(try Self.bound(to: addresses), heard: nil)
        return nil
      }
      return connect(try ConnectionAttempt(to: addresses, at: clock.now))
    } catch {
      return fail(error.detail)
    }
  }

  /// Returns a socket for the datagrams to the first address to which it can be bound.
  private static func bound(to addresses: [HostAddress]) throws(LocationError) -> Socket {
    var number = EADDRNOTAVAIL
    for address in addresses {
      let socket = try Socket(address.family, SOCK_DGRAM, options: SOCK_NONBLOCK.rawValue)
      if socket.bind(to: address) { return socket }
      number = errno
    }
    throw .system(number)
  }

  /// Continues to connect.
  private mutating func connect(_ attempt: ConnectionAttempt) -> News? {
    var attempt = attempt
    do throws(LocationError) {
      let isMade = try attempt.advance(at: clock.now)
      link = .connecting(attempt)
      guard isMade else { return nil }
      arrive(with: attempt.socket)
      return .connected
    } catch {
      return fail(error.detail)
    }
  }

  private mutating func arrive(with socket: Socket) {
    link = .open(socket, heard: clock.now)
    arrivals += 1
  }

  private mutating func receive(from socket: Socket) -> News? {
    guard case .open(_, let heard) = link else { return nil }
    let room = Self.maximumWaitingCount - waiting.count
    let share = address.transport == .tcp ? min(Self.share, room) : Self.maximumDatagramCount
    var bytes = [UInt8](repeating: 0, count: share)
    if address.transport == .tcp {
      guard let count = socket.read(into: &bytes) else {
        return errno == EAGAIN || errno == EINTR ? nil : fail(systemText(errno))
      }
      guard count > 0 else { return fail("closed by the receiver") }
      backoff = Backoff(retries)
      link = .open(socket, heard: clock.now)
      take(bytes[..<count])
      return nil
    }
    var count = 0
    let sender = unsafe HostAddress { address, length in
      let received = unsafe recvfrom(
        socket.descriptor, &bytes, bytes.count, CInt(MSG_DONTWAIT), address, &length)
      guard received >= 0 else { return nil }
      count = received
      return ()
    }
    // What is empty is no report of a receiver, and must not keep the port for its sender.
    guard let sender, count > 0 else { return nil }
    if let known = self.sender, let heard, known != sender {
      // A phone has another port after a restart of its app or of a router, and then sends no more from the first.
      let isNew = rival?.address != sender
      guard sender.host == known.host, isNew || rival?.heard == heard else {
        // Two receivers on one port would be one that jumps between two places.
        defer { hasIgnored = true }
        return hasIgnored ? nil : .ignored(sender, for: known)
      }
      let isOver = heard.later(by: Self.portSilence) <= clock.now
      rival = (isOver ? known : sender, heard)
      guard isOver else { return nil }
    }
    self.sender = sender
    take(bytes[..<count])
    guard heard == nil else {
      link = .open(socket, heard: clock.now)
      return nil
    }
    arrive(with: socket)
    return .connected
  }

  private mutating func take(_ bytes: ArraySlice<UInt8>) {
    receivedCount &+= bytes.count
    cycle.read(bytes)
    waiting.append(bytes)
    recordReport(at: clock.now)
  }

  private mutating func recordReport(at now: Moment) {
    let step = reported?.nanoseconds(to: now)
    // What comes within a few seconds can be one report that the network has cut.
    if let step, step < ReportPace.minimumSilence { return }
    if let step { pace.add(step) }
    reported = now
  }

  /// Ends the connection to the receiver, and tries again after a while. A gpsd that is behind may first take the rest,
  /// and report it if the receiver is not awaited.
  private mutating func fail(_ reason: String) -> News? {
    guard case .open = link else { return giveUp(reason) }
    link = .ending(reason, limit: clock.now.later(by: Self.endPatience))
    return nil
  }

  /// Fails once gpsd has the rest, has gone away, or has had its time.
  private mutating func end() -> News? {
    guard case .ending(let reason, let limit) = link, end(before: limit) <= clock.now else {
      return nil
    }
    return giveUp(reason)
  }

  private mutating func giveUp(_ reason: String) -> News {
    leave()
    let delay = backoff.nextDelay() ?? .seconds(4)
    link = .waiting(until: clock.now.advanced(by: delay))
    return .failed(reason)
  }

  /// Has gpsd see that the receiver is gone.
  private mutating func leave() {
    source = nil
    sender = nil
    rival = nil
    hasIgnored = false
    cycle.breakOff()
    waiting.removeAll()
    answers.removeAll()
  }

  /// Reads what gpsd sends, which most receivers are not given, and notices when it goes away.
  private mutating func attendGPSD() {
    guard let source, answers.count < Self.maximumWaitingCount else { return }
    guard let bytes = source.takeArrived() else {
      self.source = nil
      return
    }
    if takesAnswers { answers.append(bytes) }
  }

  private mutating func give() {
    guard let source else { return }
    if !hasBegun, let preface = cycle.preface(to: waiting.all) {
      if !preface.isEmpty { waiting = PendingBytes(preface + waiting.all) }
      hasBegun = true
    }
    guard hasBegun, !waiting.isEmpty else { return }
    given = clock.now
    if !waiting.write(by: source.write) { self.source = nil }
  }

  /// Sends the receiver what gpsd has written. That the receiver is gone is noticed when it is read.
  private mutating func answer() {
    guard case .open(let receiver, _) = link else { return }
    if !answers.write(by: receiver.write) { answers.removeAll() }
  }
}
