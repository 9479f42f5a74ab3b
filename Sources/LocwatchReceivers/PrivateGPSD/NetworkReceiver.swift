package import EventLoop
package import GPSDLocation
import Glibc
package import LocationCore
package import LocwatchSystem
import Synchronization

/// A receiver on the network, which a private gpsd reads through a ``NetworkRelay``.
package final class NetworkReceiver: Sendable {
  private struct State {
    /// Stands for the device while the receiver is there: another one for each time that it comes.
    var node: DeviceNode?
    /// Why it is not there; `nil` before that is known.
    var failure: String?
    var receivedCount = 0
    /// The task of the relay; `nil` before the start and after the end.
    var task: Task<Void, Never>?
    var isOver = false

    /// Whether the first attempt to connect has come to an end.
    var isDecided: Bool { node != nil || failure != nil }
  }

  /// How long the beginning waits for the first attempt to connect.
  private static let patience = Duration.seconds(1)

  package let daemon: PrivateDaemon
  private let address: NetworkAddress
  private let listener: GPSDPort
  private let loop: EventLoop
  private let isRetried: Bool
  /// Whether the receiver is sent what gpsd writes to it.
  private let takesAnswers: Bool
  private let clock: LocationClock
  private let log: Log
  private let state: SharedState
  private let decision = Mailbox<Void>()
  /// The waits that a failure ends, if the receiver is not to be tried again.
  fileprivate let waits = InterruptibleWaits()

  private final class SharedState: Sendable {
    let mutex = Mutex(State())
  }

  /// - Parameters:
  ///   - isRetried: Whether to connect again when the receiver cannot be reached or goes away.
  ///   - corrections: What gpsd is to give the receiver; `nil` for nothing, so that gpsd sends it nothing.
  ///   - loop: Runs the relay.
  /// - Throws: ``Failure`` if gpsd is not installed, if nobody can say which process reads the port, or if
  ///   the system has no port left.
  package init(
    _ address: NetworkAddress, environment: Environment, isRetried: Bool,
    corrections: CorrectionsLink? = nil, on loop: EventLoop, clock: LocationClock = .live, log: Log
  ) throws(Failure) {
    self.address = address
    self.loop = loop
    self.isRetried = isRetried
    self.clock = clock
    self.log = log
    listener = try GPSDPort(for: "a receiver on the network, such as \(address),")
    let state = SharedState()
    self.state = state
    daemon = try PrivateDaemon(
      for: PrivateDaemon.Receiver(
        path: listener.path, options: corrections == nil ? ["-b"] : [],
        corrections: corrections?.path, isNamedWhileAway: false
      ) { state.mutex.withLock(\.node) }, environment: environment)
    takesAnswers = corrections != nil
  }

  /// Starts to connect, in a task on the loop.
  package func start() {
    let point = WaitPoint(on: loop)
    let task = Task(executorPreference: loop) { [self] in
      var relay = NetworkRelay(
        address, to: listener, clock: clock, isRetried: isRetried, takesAnswers: takesAnswers,
        lookUp: { Resolver.shared.lookUp($0) { point.signal() } },
        isGPSD: daemon.isPeer(_:connectedTo:))
      while !Task.isCancelled {
        let news = relay.turn()
        state.mutex.withLock { $0.receivedCount = relay.receivedCount }
        if let news {
          handle(news, arrivals: relay.arrivals)
        } else {
          _ = await point.wait(for: relay.sources, until: relay.deadline?.onLoop(from: clock))
        }
      }
    }
    state.mutex.withLock { $0.task = task }
  }

  /// What is known of the connection.
  package var link: NetworkLink {
    state.mutex.withLock { state in
      NetworkLink(
        address: address, isThere: state.node != nil, failure: state.failure,
        receivedCount: state.receivedCount)
    }
  }

  /// Ends the connection, and gpsd.
  package func stop() {
    let task = state.mutex.withLock { state in
      state.isOver = true
      return state.task.take()
    }
    task?.cancel()
    daemon.stop()
  }

  /// Records and reports whether the receiver is present.
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
      if !isRetried { waits.interrupt() }
      if isNew, isRetried {
        let holders = link.portHolders().map(\.description)
        let names = holders.isEmpty ? "" : " by \(holders.joined(separator: ", "))"
        log.error("\(address) is away: \(reason)\(names)")
      }
    case .ignored(let other, let sender):
      log.error(
        "\(address) gets datagrams of \(sender), and ignores those of \(other): two receivers need two "
          + "ports")
    }
    if state.mutex.withLock(\.isDecided) { decision.send(()) }
  }

  /// Waits until it is known whether the receiver is there, but not for long.
  fileprivate func begin(by clock: LocationClock) async {
    guard !state.mutex.withLock(\.isDecided) else { return }
    let end = isRetried ? clock.now.advanced(by: Self.patience) : nil
    _ = await decision.take(until: end, by: clock, on: loop)
  }

  /// Why the receiver is not there, if it is not to be tried again; `nil` otherwise.
  fileprivate var obstacle: LocationError? {
    guard !isRetried, let failure = state.mutex.withLock(\.failure) else { return nil }
    return LocationError(
      .unreachable, "cannot reach \(address) (\(failure)); --reconnect waits for it")
  }

  /// - Throws: The obstacle, if there is one.
  fileprivate func check() throws(LocationError) { if let obstacle { throw obstacle } }

  /// Gives the receiver its name instead of the port.
  fileprivate var renaming: PathRenaming { PathRenaming(listener.path, to: "\(address)") }
}

/// The connection to a receiver on the network, at some moment.
package struct NetworkLink: Equatable, Sendable {
  package let address: NetworkAddress
  package var isThere: Bool
  /// Why it is not there; `nil` before that is known.
  package var failure: String?
  /// How many bytes it has sent.
  package var receivedCount: Int

  /// Returns the local processes that keep it away, because they have its port.
  package func portHolders(on machine: Machine = .this) -> [DeviceHolders.Holder] {
    guard address.transport == .udp, failure == systemText(EADDRINUSE) else { return [] }
    return machine.processes(receivingOnUDPPort: address.port).map {
      DeviceHolders.Holder(process: $0, name: machine.name(ofProcess: $0) ?? "?")
    }
  }
}

/// A session with the private gpsd of a receiver on the network.
package struct NetworkReceiverSession: GPSDSession {
  private let base: PrivateDaemonSession
  private let receiver: NetworkReceiver
  private let clock: LocationClock
  private let renaming: PathRenaming

  package init(_ base: any GPSDSession, receiver: NetworkReceiver, clock: LocationClock) {
    self.base = PrivateDaemonSession(base, daemon: receiver.daemon, clock: clock)
    self.receiver = receiver
    self.clock = clock
    renaming = receiver.renaming
  }

  package func open(_ endpoint: GPSDEndpoint) async throws(LocationError) {
    await receiver.begin(by: clock)
    try receiver.check()
    try await base.open(endpoint)
  }

  package func send(_ command: GPSDCommand) throws(LocationError) { try base.send(command) }

  package func poll(at now: Moment) throws(LocationError) -> Polled<GPSDLines> {
    try receiver.check()
    return try base.poll(at: now).map { $0.renamed(by: renaming) }
  }

  package func wait() -> Wait {
    let wait = receiver.waits.interruptible(base.wait())
    return receiver.obstacle == nil ? wait : Wait(until: .past)
  }

  package func close() { base.close() }
}
