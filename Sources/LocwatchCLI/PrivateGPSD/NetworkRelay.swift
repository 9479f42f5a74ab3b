import GPSDLocation
import Glibc
import LocationCore
import LocwatchSystem

/// Passes on to a private gpsd what a receiver on the network sends.
///
/// gpsd could connect to it by itself. But gpsd 3.22 never connects again, and while a host does not answer, no
/// version serves its clients. So gpsd reads a port of the loopback interface, and it has a connection there
/// only while the receiver is there: to gpsd, a phone that goes away is a receiver that is unplugged.
struct NetworkRelay {
  enum News: Equatable {
    case connected
    /// Why there is no connection to the receiver, or none any more.
    case failed(String)
    /// Datagrams of one sender are ignored while those of another are passed on.
    case ignored(HostAddress, for: HostAddress)
  }

  /// A receiver that sends nothing for so long is gone: a phone that leaves the network says nothing. It is
  /// less than the minute after which gpsd from 3.25 on gives up a silent source.
  static let maximumSilence = Nanoseconds.seconds(30)
  /// How many bytes wait for gpsd before no more are read.
  static let maximumWaitingCount = 64 * 1024

  /// The pauses before a host is tried again that cannot be reached. A phone that is back is soon there, and
  /// an attempt costs nobody anything.
  static let pauses = [1, 2, 4].map { Duration.seconds($0) }

  private enum Link {
    case waiting(until: Moment)
    case connecting(ConnectionAttempt)
    /// - Parameter heard: When the receiver last sent something, or the connection was made; `nil` for
    ///   datagrams that have not begun.
    case open(Socket, heard: Moment?)
  }

  private let address: NetworkAddress
  private let clock: LocationClock
  private let retries: RetryPolicy
  /// Whether the receiver is sent what gpsd writes.
  private let takesAnswers: Bool
  private let resolve: (NetworkAddress) throws(GPSDError) -> [HostAddress]
  private var link = Link.waiting(until: .past)
  private var backoff: Backoff
  private var gpsdArrivals: GPSDArrivals
  /// The connection from which gpsd reads.
  private var source: Socket?
  /// Whether gpsd has been given what it gets first.
  private var hasBegun = false
  private var cycle = NMEACycle()
  /// What gpsd has not been given.
  private var waiting = PendingBytes()
  /// What the receiver has not been given.
  private var answers = PendingBytes()
  /// Whose datagrams are passed on.
  private var sender: HostAddress?
  /// How many bytes the receiver has sent.
  private(set) var receivedCount = 0
  /// Whether it was said that there is another sender.
  private var hasIgnored = false
  /// How often the receiver has come.
  private(set) var arrivals = 0

  /// - Parameters:
  ///   - listener: The port from which gpsd reads.
  ///   - takesAnswers: Whether the receiver is sent what gpsd writes.
  ///   - resolve: Returns the addresses of the receiver's host.
  init(
    _ address: NetworkAddress, to listener: LogListener, clock: LocationClock,
    retries: RetryPolicy = RetryPolicy(delays: NetworkRelay.pauses), takesAnswers: Bool = false,
    resolve: @escaping (NetworkAddress) throws(GPSDError) -> [HostAddress] = HostAddress.resolve,
    isGPSD: @escaping LogListener.Check
  ) {
    self.address = address
    self.clock = clock
    self.retries = retries
    self.takesAnswers = takesAnswers
    self.resolve = resolve
    gpsdArrivals = GPSDArrivals(at: listener, clock: clock, isGPSD: isGPSD)
    backoff = Backoff(retries)
  }

  /// Whether the receiver is there.
  var isThere: Bool { if case .open(_, .some) = link { true } else { false } }

  /// Does what can be done, and waits for what comes next.
  ///
  /// - Parameter milliseconds: How long to wait.
  /// - Returns: What happened to the connection to the receiver; `nil` for nothing.
  mutating func turn(within milliseconds: CInt) -> News? {
    if let news = expire(at: clock.now) { return news }
    let (receiver, isConnecting): (Socket?, Bool) =
      switch link {
      case .waiting: (nil, false)
      case .connecting(let attempt): (attempt.socket, true)
      case .open(let socket, _): (socket, false)
      }
    let hasRoom = waiting.count < Self.maximumWaitingCount
    let hasRoomForAnswers = answers.count < Self.maximumWaitingCount
    let wishes = (hasRoomForAnswers ? POLLIN : 0) | (hasBegun && !waiting.isEmpty ? POLLOUT : 0)
    let questions = (hasRoom ? POLLIN : 0) | (answers.isEmpty ? 0 : POLLOUT)
    var requests = [
      gpsdArrivals.request,
      pollfd(fd: source?.descriptor ?? -1, events: Int16(wishes), revents: 0),
      pollfd(
        fd: isConnecting || questions != 0 ? receiver?.descriptor ?? -1 : -1,
        events: Int16(isConnecting ? POLLOUT : questions), revents: 0),
    ]
    guard unsafe poll(&requests, nfds_t(requests.count), limit(milliseconds)) > 0 else {
      return nil
    }
    var news: News?
    if requests[2].revents != 0, let receiver {
      news = isConnecting ? connect() : hasRoom ? receive(from: receiver) : nil
    }
    if requests[0].revents != 0, let connection = gpsdArrivals.accept(), isThere {
      source = connection
      hasBegun = false
    }
    if requests[1].revents != 0 { attendGPSD() }
    give()
    answer()
    return news
  }

  /// Returns how long to wait.
  private func limit(_ milliseconds: CInt) -> CInt {
    let deadline: Moment? =
      switch link {
      case .waiting(let until): until
      case .connecting(let attempt): attempt.deadline
      case .open(_, let heard): heard?.later(by: Self.maximumSilence)
      }
    guard let deadline else { return milliseconds }
    return min(milliseconds, Poll.milliseconds(of: clock.now.nanoseconds(to: deadline)))
  }

  private mutating func expire(at now: Moment) -> News? {
    switch link {
    case .waiting(let until) where until <= now: return begin()
    case .connecting(var attempt):
      do throws(GPSDError) {
        try attempt.expire(at: now)
        link = .connecting(attempt)
        return nil
      } catch {
        return fail(error.detail)
      }
    case .open(let socket, .some) where waiting.count >= Self.maximumWaitingCount:
      // Nobody is silent to whom nobody listens.
      link = .open(socket, heard: now)
      return nil
    case .open(let socket, let heard?) where heard.later(by: Self.maximumSilence) <= now:
      let reason = "silent for \(Self.maximumSilence.count / 1_000_000_000) s"
      guard address.transport == .udp else { return fail(reason) }
      leave()
      link = .open(socket, heard: nil)
      return .failed(reason)
    case .waiting, .open: return nil
    }
  }

  private mutating func begin() -> News? {
    do throws(GPSDError) {
      let addresses = try resolve(address)
      link =
        address.transport == .udp
        ? .open(try Self.bound(to: addresses), heard: nil)
        : .connecting(try ConnectionAttempt(to: addresses, at: clock.now))
      return nil
    } catch {
      return fail(error.detail)
    }
  }

  /// Returns a socket for the datagrams to the first address to which it can be bound.
  private static func bound(to addresses: [HostAddress]) throws(GPSDError) -> Socket {
    var number = EADDRNOTAVAIL
    for address in addresses {
      let socket = try Socket(address.family, SOCK_DGRAM, options: SOCK_NONBLOCK.rawValue)
      if socket.bind(to: address) { return socket }
      number = errno
    }
    throw GPSDError(.cannotConnect, systemError: .errno(number), systemText(number))
  }

  /// Goes on to connect.
  private mutating func connect() -> News? {
    guard case .connecting(var attempt) = link else { return nil }
    do throws(GPSDError) {
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
    var bytes = [UInt8](repeating: 0, count: max(room, 1))
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
    // Two receivers on one port would be one that jumps between two places.
    if let known = self.sender, known != sender {
      defer { hasIgnored = true }
      return hasIgnored ? nil : .ignored(sender, for: known)
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
  }

  /// Ends the connection to the receiver, and tries again after a while.
  private mutating func fail(_ reason: String) -> News {
    leave()
    let delay = backoff.nextDelay() ?? .seconds(4)
    link = .waiting(until: clock.now.advanced(by: delay))
    return .failed(reason)
  }

  /// Has gpsd see that the receiver is gone.
  private mutating func leave() {
    source = nil
    sender = nil
    hasIgnored = false
    cycle.breakOff()
    waiting.removeAll()
    answers.removeAll()
  }

  /// Reads what gpsd sends, which most receivers are not given, and notices when it goes away.
  private mutating func attendGPSD() {
    guard let source else { return }
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
    if hasBegun, !waiting.write(by: source.write) { self.source = nil }
  }

  /// Sends the receiver what gpsd has written. That the receiver is gone is noticed when it is read.
  private mutating func answer() {
    guard case .open(let receiver, _) = link else { return }
    if !answers.write(by: receiver.write) { answers.removeAll() }
  }
}
