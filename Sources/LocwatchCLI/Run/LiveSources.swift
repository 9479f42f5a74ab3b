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
  private let machine: Machine
  private let realClock: LocationClock
  /// Returns the owners of the sockets that listen on a local port.
  private let owners: @Sendable (UInt16) -> PortOwners
  private let served = ServedReceivers()
  /// The time of all recorded sources.
  private let time = RecordableTime()

  /// - Parameters:
  ///   - machine: The machine that the program runs on.
  ///   - clock: The machine's clock; `nil` for the loop's.
  ///   - owners: Returns the owners of the sockets that listen on a local port; `nil` for those of the machine.
  init(
    environment: Environment, loop: EventLoop, statistics: RunStatistics,
    machine: Machine = .this, clock: LocationClock? = nil,
    owners: (@Sendable (UInt16) -> PortOwners)? = nil,
    makeSession: @escaping @Sendable () -> any GPSDSession
  ) {
    self.environment = environment
    self.loop = loop
    self.statistics = statistics
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
  func resolve(_ plan: SourcePlan, log: Log) async throws(Failure) -> LiveTarget {
    switch plan.question.target {
    case .gpsd(let endpoint, let device):
      log.detail("connecting to gpsd at \(endpoint)")
      return LiveTarget(endpoint: endpoint, device: device)
    case .tty(let path):
      // gpsd may serve a device that this process is not permitted to open.
      return try await resolve(SerialDevice(path: path, on: machine), plan, log)
    case .network(let address):
      log.detail("starting a gpsd for \(address)")
      let corrections = try corrections(plan, log)
      let receiver = try NetworkReceiver(
        address, environment: environment, isRetried: plan.reading.reconnects,
        corrections: corrections, on: loop, log: log)
      receiver.start()
      corrections?.start(isGPSD: receiver.daemon.isPeer(_:connectedTo:))
      return LiveTarget(
        endpoint: GPSDEndpoint(), device: nil, reader: .network(receiver),
        corrections: corrections)
    }
  }

  private func resolve(
    _ terminal: SerialDevice, _ plan: SourcePlan, _ log: Log
  ) async throws(Failure) -> LiveTarget {
    if let shared = await sharedDevice(like: terminal, plan, log) {
      guard plan.reading.corrections == nil else {
        throw Failure(
          .unavailable,
          "the system's gpsd serves \(shared), and locwatch cannot send corrections through "
            + "it; stop it, or give it the caster's URL")
      }
      log.detail("the system's gpsd already serves \(shared): connecting to it")
      return LiveTarget(endpoint: GPSDEndpoint(), device: shared)
    }
    try terminal.checkAccess()
    let corrections = try corrections(plan, log)
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

  private func corrections(_ plan: SourcePlan, _ log: Log) throws(Failure) -> CorrectionsLink? {
    guard let caster = plan.reading.corrections else { return nil }
    return try CorrectionsLink(
      caster, as: \.ggaSentence, environment: environment, on: loop, log: log)
  }

  /// Returns the path by which the system's gpsd serves the device; `nil` if no trusted gpsd serves it.
  func sharedDevice(
    like terminal: SerialDevice, _ plan: SourcePlan, _ log: Log
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
    let patience = min(SystemDaemon.patience, plan.goal.limit ?? SystemDaemon.patience)
    return await SystemDaemon(session: makeSession(), clock: realClock, executor: loop)
      .device(like: terminal, until: realClock.now.advanced(by: patience))
  }

  /// Returns the provider that reads one of several targets, and the search for a serial receiver; `nil` for
  /// a gpsd. The search begins with the first connection.
  func provider(
    ofMember plan: SourcePlan, recorder: Recorder?, log: Log
  ) -> (provider: any LocationProvider, search: ReceiverSearch?) {
    if case .gpsd(let endpoint, let device) = plan.question.target {
      log.detail("connecting to gpsd at \(endpoint)")
      let target = LiveTarget(endpoint: endpoint, device: device)
      return (provider(for: target, plan, recorder: recorder), nil)
    }
    let search = ReceiverSearch {
      log.error($0)
    } resolve: { () throws(Failure) in
      try await resolve(plan, log: log)
    }
    let receiver = RetryingReceiver(
      search: search, clock: clock(isRecorded: recorder != nil), retries: plan.reading.retries,
      on: loop
    ) { target in provider(for: target, plan, recorder: recorder) }
    return (receiver, search)
  }

  /// Returns the provider that reads a target, and records its lines.
  func provider(
    for target: LiveTarget, _ plan: SourcePlan, recorder: Recorder?
  ) -> GPSDLocationSource {
    guard let reader = target.reader else {
      return provider(for: target, plan, recorder, session: makeSession)
    }
    // The session already watches the device of the receiver.
    let (makeSession, clock) = (makeSession, realClock)
    return provider(for: target, plan, recorder, lookup: DeviceNode.elsewhere) {
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
    for target: LiveTarget, _ plan: SourcePlan, _ recorder: Recorder?,
    lookup: @escaping DeviceNode.Lookup = DeviceNode.onThisMachine,
    session: @escaping @Sendable () -> any GPSDSession
  ) -> GPSDLocationSource {
    // Only a recording of several sources names them.
    let name = plan.style.member
    return GPSDLocationSource(
      endpoint: target.endpoint, device: target.device, kinds: plan.reading.kinds,
      satellites: plan.reading.satellites,
      // A recording has no use for a report that its replay would have to judge by another clock.
      asksForLast: plan.goal.once && recorder == nil,
      statistics: statistics.ofSource(name),
      clock: clock(isRecorded: recorder != nil), lookup: lookup, executor: loop
    ) { [time] in
      guard let recorder else { return session() }
      return RecordingSession(session(), time: time) { recorder.keep($0, of: name) }
    }
  }
}

extension LiveSources {
  /// Returns the source that reads the target of its plan, one of several.
  func source(_ plan: SourcePlan, recorder: Recorder?, log: Log) -> WatchedSource {
    let (provider, search) = provider(ofMember: plan, recorder: recorder, log: log)
    return WatchedSource(
      plan, updates: plan.updates(of: provider), clock: provider.clock,
      didEnd: { search?.end() })
  }
}
