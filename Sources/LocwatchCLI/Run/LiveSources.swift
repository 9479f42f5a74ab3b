import EventLoop
import GPSDLocation
import LocationCore

/// Finds the gpsd of each target of the command line, and makes the providers that read it.
struct LiveSources<Session: GPSDSession>: Sendable {
  let environment: Environment
  let loop: EventLoop
  let statistics: GPSDStatistics
  /// When the run began.
  let start: Moment
  let makeSession: @Sendable () -> Session
  /// The time of all recorded sources.
  private let time = RecordableTime()

  init(
    environment: Environment, loop: EventLoop, statistics: GPSDStatistics, start: Moment,
    makeSession: @escaping @Sendable () -> Session
  ) {
    self.environment = environment
    self.loop = loop
    self.statistics = statistics
    self.start = start
    self.makeSession = makeSession
  }

  /// The clock of the sources.
  ///
  /// - Parameter isRecorded: Whether they are recorded.
  func clock(isRecorded: Bool) -> LocationClock { isRecorded ? time.clock(loop.clock) : loop.clock }

  /// Returns the gpsd of a target, after making sure that a serial device can be used.
  func resolve(_ options: Options, log: Log) async throws(Failure) -> LiveTarget {
    switch options.target {
    case .gpsd(let endpoint, let device):
      log.note("connecting to gpsd at \(endpoint)")
      return LiveTarget(endpoint: endpoint, device: device)
    case .tty(let path):
      return try await resolve(SerialDevice(path: path), options, log)
    }
  }

  private func resolve(
    _ terminal: SerialDevice, _ options: Options, _ log: Log
  ) async throws(Failure) -> LiveTarget {
    if let shared = await sharedDevice(like: terminal, options, log) {
      log.note("the system's gpsd already serves \(shared): connecting to it")
      return LiveTarget(endpoint: GPSDEndpoint(), device: shared)
    }
    if let warning = DeviceHolders(of: terminal.realPath).warning(for: terminal.path) {
      log.say(warning)
    }
    log.note("starting a gpsd for \(terminal.path)")
    let daemon = try PrivateDaemon(for: terminal.receiver, environment: environment)
    if !daemon.bringsReceiverBack {
      log.say(
        "cannot recover an unplugged receiver: that needs /proc and a short path without spaces")
    }
    return LiveTarget(endpoint: GPSDEndpoint(), device: nil, daemon: daemon)
  }

  /// Returns the path by which the system's gpsd serves the device; `nil` if there is none to trust.
  private func sharedDevice(
    like terminal: SerialDevice, _ options: Options, _ log: Log
  ) async -> String? {
    let owners = PortOwners(of: GPSDEndpoint.defaultPort)
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
    // A private gpsd must run within 2 s, whatever answers or does not.
    let patience = min(
      .milliseconds(1500), options.timeout ?? .seconds(2), options.duration ?? .seconds(2))
    return await SystemDaemon(session: makeSession(), clock: loop.clock, executor: loop)
      .device(like: terminal, until: start.advanced(by: patience))
  }

  /// Returns the provider that reads a target, and records what it reads.
  func provider(
    for target: LiveTarget, _ options: Options, recorder: Recorder?
  ) -> any LocationProvider {
    guard let daemon = target.daemon else {
      return provider(for: target, options, recorder, session: makeSession)
    }
    // The session already watches the receiver's device.
    let (makeSession, clock) = (makeSession, loop.clock)
    return provider(for: target, options, recorder, lookup: DeviceNode.elsewhere) {
      PrivateDaemonSession(makeSession(), daemon: daemon, clock: clock)
    }
  }

  private func provider<Live: GPSDSession>(
    for target: LiveTarget, _ options: Options, _ recorder: Recorder?,
    lookup: @escaping DeviceNode.Lookup = DeviceNode.onThisMachine,
    session: @escaping @Sendable () -> Live
  ) -> any LocationProvider {
    func source(
      _ makeSession: @escaping @Sendable () -> some GPSDSession
    ) -> any LocationProvider {
      GPSDLocationSource(
        endpoint: target.endpoint, device: target.device, kinds: options.classes,
        satellites: options.listsSatellites, statistics: statistics,
        clock: clock(isRecorded: recorder != nil), lookup: lookup, executor: loop,
        makeSession: makeSession)
    }
    guard let recorder else { return source(session) }
    // Only a recording of several sources names them.
    let name = options.isOfFleet ? options.source : nil
    return source { [time] in
      RecordingSession(session(), time: time) { recorder.keep($0, of: name) }
    }
  }
}

/// A gpsd to connect to.
struct LiveTarget: Sendable {
  let endpoint: GPSDEndpoint
  let device: String?
  /// The gpsd if it was started for the target.
  var daemon: PrivateDaemon?

  /// Stops a gpsd that was started for the target.
  func end() { daemon?.stop() }
}
