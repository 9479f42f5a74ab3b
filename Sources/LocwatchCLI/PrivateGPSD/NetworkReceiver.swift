import GPSDLocation
import LocationCore
import LocwatchSystem
import Synchronization

/// A receiver on the network, which a private gpsd reads through a ``NetworkRelay`` on a thread of its own.
final class NetworkReceiver: Sendable {
  private struct State {
    /// Stands for the device while the receiver is there: another one for each time that it comes.
    var node: DeviceNode?
    /// Why it is not there; `nil` before that is known.
    var failure: String?
    var receivedCount = 0
    var isOver = false

    /// Whether the first attempt to connect has come to an end.
    var isDecided: Bool { node != nil || failure != nil }
  }

  /// How long the beginning waits for the first attempt to connect.
  private static let patience = Duration.seconds(1)
  private static let interval = Duration.milliseconds(10)
  /// The longest wait of the thread, after which it notices its end.
  private static let turn: CInt = 1000

  let daemon: PrivateDaemon
  private let address: NetworkAddress
  private let listener: LogListener
  private let isRetried: Bool
  /// Whether the receiver is sent what gpsd writes to it.
  private let takesAnswers: Bool
  private let clock: LocationClock
  private let log: Log
  private let state: SharedState

  private final class SharedState: Sendable {
    let mutex = Mutex(State())
  }

  /// - Parameters:
  ///   - isRetried: Whether to connect again when the receiver cannot be reached or goes away.
  ///   - corrections: What gpsd is to give the receiver; `nil` for nothing, so that gpsd sends it nothing.
  /// - Throws: ``Failure`` if gpsd is not installed, if nobody can say which process reads the port, or if
  ///   the system has no port left.
  init(
    _ address: NetworkAddress, environment: Environment, isRetried: Bool,
    corrections: CorrectionsLink? = nil, clock: LocationClock = .live, log: Log
  ) throws(Failure) {
    self.address = address
    self.isRetried = isRetried
    self.clock = clock
    self.log = log
    listener = try LogListener(for: "a receiver on the network, such as \(address),")
    let state = SharedState()
    self.state = state
    daemon = try PrivateDaemon(
      for: PrivateDaemon.Receiver(
        path: listener.path, options: corrections == nil ? ["-b"] : [],
        corrections: corrections?.path, isNamedWhileAway: false
      ) { state.mutex.withLock(\.node) }, environment: environment)
    takesAnswers = corrections != nil
  }

  /// Starts to connect.
  ///
  /// - Throws: ``Failure`` if the system has no thread left.
  func start() throws(Failure) {
    let started = BlockingThread.start { [self] in
      var relay = NetworkRelay(
        address, to: listener, clock: clock, takesAnswers: takesAnswers,
        isGPSD: daemon.isPeer(_:connectedTo:))
      while !state.mutex.withLock({ state in
        state.receivedCount = relay.receivedCount
        return state.isOver
      }) {
        if let news = relay.turn(within: Self.turn) { handle(news, arrivals: relay.arrivals) }
      }
    }
    guard started else { throw Failure(.fault, "cannot create a thread for \(address)") }
  }

  /// What is known of the connection.
  var link: NetworkLink {
    state.mutex.withLock { state in
      NetworkLink(
        address: address, isThere: state.node != nil, failure: state.failure,
        receivedCount: state.receivedCount)
    }
  }

  /// Stops the thread, and gpsd.
  func stop() {
    state.mutex.withLock { $0.isOver = true }
    daemon.stop()
  }

  /// Records whether the receiver is there, and says so.
  func handle(_ news: NetworkRelay.News, arrivals: Int) {
    switch news {
    case .connected:
      state.mutex.withLock { state in
        state.node = DeviceNode(number: UInt64(arrivals))
        state.failure = nil
      }
      log.detail("\(address) is there")
    case .failed(let reason):
      let isNew = state.mutex.withLock { state in
        defer { (state.node, state.failure) = (nil, reason) }
        return state.failure != reason && !state.isOver
      }
      if isNew, isRetried { log.error("\(address) is away: \(reason)") }
    case .ignored(let other, let sender):
      log.error(
        "\(address) gets datagrams of \(sender), and ignores those of \(other): two receivers need two "
          + "ports")
    }
  }

  /// Waits until it is known whether the receiver is there, but not for long.
  fileprivate func begin(by clock: LocationClock) async {
    let end = clock.now.advanced(by: Self.patience)
    while !state.mutex.withLock(\.isDecided), !isRetried || clock.now < end {
      guard await clock.sleep(until: clock.now.advanced(by: Self.interval)) else { return }
    }
  }

  /// - Throws: Why the receiver is not there, if it is not to be tried again.
  fileprivate func check() throws(GPSDError) {
    guard !isRetried, let failure = state.mutex.withLock(\.failure) else { return }
    throw GPSDError(
      .cannotConnect, "cannot reach \(address) (\(failure)); --reconnect waits for it")
  }

  /// How long a read may last before ``check()``; `nil` for no limit.
  fileprivate var checkInterval: Duration? { isRetried ? nil : .seconds(1) }

  /// Gives the receiver its name in place of the port.
  fileprivate var renaming: DeviceRenaming { DeviceRenaming(listener.path, to: "\(address)") }
}

/// The connection to a receiver on the network, at some moment.
struct NetworkLink: Equatable, Sendable {
  let address: NetworkAddress
  var isThere: Bool
  /// Why it is not there; `nil` before that is known.
  var failure: String?
  /// How many bytes it has sent.
  var receivedCount: Int
}

/// A session with the private gpsd of a receiver on the network.
struct NetworkReceiverSession: GPSDSession {
  private let base: PrivateDaemonSession
  private let receiver: NetworkReceiver
  private let clock: LocationClock
  private let renaming: DeviceRenaming

  init(_ base: any GPSDSession, receiver: NetworkReceiver, clock: LocationClock) {
    self.base = PrivateDaemonSession(base, daemon: receiver.daemon, clock: clock)
    self.receiver = receiver
    self.clock = clock
    renaming = receiver.renaming
  }

  func open(_ endpoint: GPSDEndpoint) async throws(GPSDError) {
    await receiver.begin(by: clock)
    try receiver.check()
    try await base.open(endpoint)
  }

  func send(_ command: GPSDCommand) async throws(GPSDError) { try await base.send(command) }

  func read(until deadline: Moment?) async throws(GPSDError) -> TimedRead<GPSDLines> {
    while true {
      try receiver.check()
      let wake = receiver.checkInterval.map { clock.now.advanced(by: $0).earlier(of: deadline) }
      switch try await base.read(until: wake ?? deadline) {
      case .value(let lines, let moment):
        return .value(lines.renamed(by: renaming), at: moment)
      case .timedOut(let moment):
        if let deadline, deadline <= moment { return .timedOut(at: moment) }
      case .ended: return .ended
      }
    }
  }

  func close() async { await base.close() }
}
