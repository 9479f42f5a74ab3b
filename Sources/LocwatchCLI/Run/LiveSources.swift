import EventLoop
import GPSDLocation
import LocationCore
import LocationFormats
import LocwatchDoctor
import LocwatchReceivers
import LocwatchRecordings
import LocwatchSystem
import LocwatchTerminal

/// Finds the gpsd of each target of the command line, and makes the providers that read it.
struct LiveSources: Sendable {
  let environment: Environment
  let loop: EventLoop
  let statistics: RunStatistics
  let makeSession: @Sendable () -> any GPSDSession
  private let retries: RetryPolicy
  private let machine: Machine
  private let realClock: LocationClock
  /// Returns the owners of the sockets that listen on a local port.
  private let owners: @Sendable (UInt16) -> PortOwners
  private let served = ServedReceivers()
  /// The time of all recorded sources.
  private let time = RecordableTime()

  /// - Parameters:
  ///   - retries: When a source is tried again that failed.
  ///   - machine: The machine that the program runs on.
  ///   - clock: The machine's clock; `nil` for the loop's.
  ///   - owners: Returns the owners of the sockets that listen on a local port; `nil` for those of the machine.
  init(
    environment: Environment, loop: EventLoop, statistics: RunStatistics,
    retries: RetryPolicy = RetryPolicy(), machine: Machine = .this, clock: LocationClock? = nil,
    owners: (@Sendable (UInt16) -> PortOwners)? = nil,
    makeSession: @escaping @Sendable () -> any GPSDSession
  ) {
    self.environment = environment
    self.loop = loop
    self.statistics = statistics
    self.retries = retries
    self.machine = machine
    realClock = clock ?? loop.clock
    self.owners = owners ?? { PortOwners(of: $0, on: machine) }
    self.makeSession = makeSession
  }

  /// The clock of the sources.
  ///
  /// - Parameter isRecorded: Whether they are recorded.
  func clock(isRecorded: Bool) -> LocationClock { isRecorded ? time.clock(realClock) : realClock }

  /// Returns the gpsd of a target, after making sure that a serial device can be used.
  func resolve(_ options: Options, log: Log) async throws(Failure) -> LiveTarget {
    switch options.target {
    case .gpsd(let endpoint, let device):
      log.detail("connecting to gpsd at \(endpoint)")
      return LiveTarget(endpoint: endpoint, device: device)
    case .tty(let path):
      // gpsd may serve a device that this process is not permitted to open.
      return try await resolve(SerialDevice(path: path, on: machine), options, log)
    case .network(let address):
      log.detail("starting a gpsd for \(address)")
      let corrections = try corrections(options, log)
      let receiver = try NetworkReceiver(
        address, environment: environment, isRetried: options.reconnects,
        corrections: corrections, on: loop, log: log)
      receiver.start()
      corrections?.start(isGPSD: receiver.daemon.isPeer(_:connectedTo:))
      return LiveTarget(
        endpoint: GPSDEndpoint(), device: nil, reader: .network(receiver),
        corrections: corrections)
    }
  }

  private func resolve(
    _ terminal: SerialDevice, _ options: Options, _ log: Log
  ) async throws(Failure) -> LiveTarget {
    if let shared = await sharedDevice(like: terminal, options, log) {
      guard options.corrections == nil else {
        throw Failure(
          .unavailable,
          "the system's gpsd serves \(shared), and locwatch cannot send corrections through "
            + "it; stop it, or give it the caster's URL")
      }
      log.detail("the system's gpsd already serves \(shared): connecting to it")
      return LiveTarget(endpoint: GPSDEndpoint(), device: shared)
    }
    try terminal.checkAccess()
    let corrections = try corrections(options, log)
    let daemon = try PrivateDaemon(
      for: terminal.receiver(corrections: corrections?.path), environment: environment
    ) { [machine] in
      log.advise(
        "\(terminal.path) is back, but gpsd does not open it\n\(Hint.refusedReceiver(terminal.path, on: machine))"
      )
    }
    let warning =
      served.add(terminal)
      ?? DeviceHolders(of: terminal.realPath, on: machine).warning(for: terminal.path)
    if let warning { log.error("\(warning)") }
    log.detail("starting a gpsd for \(terminal.path)")
    if !daemon.bringsReceiverBack {
      log.error(
        "cannot recover an unplugged receiver: that needs /proc and a short path without spaces")
    }
    corrections?.start(isGPSD: daemon.isPeer(_:connectedTo:))
    return LiveTarget(
      endpoint: GPSDEndpoint(), device: nil, reader: .serial(daemon), corrections: corrections
    ) { [served] in served.remove(terminal) }
  }

  private func corrections(_ options: Options, _ log: Log) throws(Failure) -> CorrectionsLink? {
    guard let caster = options.corrections else { return nil }
    return try CorrectionsLink(
      caster, as: \.ggaSentence, environment: environment, on: loop, log: log)
  }

  /// Returns the path by which the system's gpsd serves the device; `nil` if no trusted gpsd serves it.
  func sharedDevice(
    like terminal: SerialDevice, _ options: Options, _ log: Log
  ) async -> String? {
    let owners = owners(GPSDEndpoint.defaultPort)
    guard let users = owners.users else {
      log.advise("cannot look for the system's gpsd: that needs /proc")
      return nil
    }
    guard owners.strangers.isEmpty else {
      let names = owners.strangers.map(String.init).joined(separator: ", ")
      log.advise(
        "the gpsd on port \(GPSDEndpoint.defaultPort) is not used: "
          + "its socket belongs to user \(names)")
      return nil
    }
    guard !users.isEmpty else { return nil }
    let patience = min(SystemDaemon.patience, options.goal.limit ?? SystemDaemon.patience)
    return await SystemDaemon(session: makeSession(), clock: realClock, executor: loop)
      .device(like: terminal, until: realClock.now.advanced(by: patience))
  }

  /// Returns the provider that reads one of several targets, and the search for a serial receiver; `nil` for
  /// a gpsd. The search begins with the first connection.
  func provider(
    ofMember options: Options, recorder: Recorder?, log: Log
  ) -> (provider: any LocationProvider, search: ReceiverSearch?) {
    if case .gpsd(let endpoint, let device) = options.target {
      log.detail("connecting to gpsd at \(endpoint)")
      let target = LiveTarget(endpoint: endpoint, device: device)
      return (provider(for: target, options, recorder: recorder), nil)
    }
    let search = ReceiverSearch {
      log.error($0)
    } resolve: { () throws(Failure) in
      try await resolve(options, log: log)
    }
    let receiver = RetryingReceiver(
      search: search, clock: clock(isRecorded: recorder != nil), retries: options.retries(retries),
      on: loop
    ) { target in provider(for: target, options, recorder: recorder) }
    return (receiver, search)
  }

  /// Returns the provider that reads a target, and records its lines.
  func provider(
    for target: LiveTarget, _ options: Options, recorder: Recorder?
  ) -> GPSDLocationSource {
    guard let reader = target.reader else {
      return provider(for: target, options, recorder, session: makeSession)
    }
    // The session already watches the device of the receiver.
    let (makeSession, clock) = (makeSession, realClock)
    return provider(for: target, options, recorder, lookup: DeviceNode.elsewhere) {
      let session: any GPSDSession =
        switch reader {
        case .serial(let daemon):
          PrivateDaemonSession(makeSession(), daemon: daemon, clock: clock)
        case .network(let receiver):
          NetworkReceiverSession(makeSession(), receiver: receiver, clock: clock)
        }
      return target.corrections.map { CorrectedSession(session, link: $0) } ?? session
    }
  }

  private func provider(
    for target: LiveTarget, _ options: Options, _ recorder: Recorder?,
    lookup: @escaping DeviceNode.Lookup = DeviceNode.onThisMachine,
    session: @escaping @Sendable () -> any GPSDSession
  ) -> GPSDLocationSource {
    // Only a recording of several sources names them.
    let name = options.memberName
    return GPSDLocationSource(
      endpoint: target.endpoint, device: target.device, kinds: options.requestedClasses,
      satellites: options.requestsSatellites,
      // A recording has no use for a report that its replay would have to judge by another clock.
      asksForLast: options.goal.once && recorder == nil,
      statistics: statistics.ofSource(name),
      clock: clock(isRecorded: recorder != nil), lookup: lookup, executor: loop
    ) { [time] in
      guard let recorder else { return session() }
      return RecordingSession(session(), time: time) { recorder.keep($0, of: name) }
    }
  }
}

extension LiveSources {
  /// Returns the source that reads the target of its options, one of several.
  func source(_ options: Options, recorder: Recorder?, log: Log) -> RunSource {
    let (provider, search) = provider(ofMember: options, recorder: recorder, log: log)
    return RunSource(
      options, updates: options.updates(of: provider, retries: retries), clock: provider.clock,
      didEnd: { search?.end() })
  }
}
