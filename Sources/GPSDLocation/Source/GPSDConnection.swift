public import LocationCore

/// One connection to a gpsd: asks it to watch, and turns its lines into events.
public struct GPSDConnection: LocationConnection {
  private typealias Outcome = Result<LocationRead, LocationError>

  private enum Phase {
    case idle
    case open
    case over
  }

  /// So many lines that say nothing are taken where nothing is to be waited for.
  private static let mostIdleLines = 64

  private let session: any GPSDSession
  private let endpoint: GPSDEndpoint
  private let device: String?
  private let tally: GPSDTally?
  private var phase = Phase.idle
  private var decoder = GPSDDecoder()
  /// Those that have been counted.
  private var droppedElements = 0
  private var interpreter: GPSDInterpreter
  /// `nil` where nobody is there to doubt: with a recording.
  private var conversation: Conversation?
  private var recordingClock = RecordingClock()

  init(session: any GPSDSession, endpoint: GPSDEndpoint, device: String?, tally: GPSDTally?) {
    self.session = session
    self.endpoint = endpoint
    self.device = device
    self.tally = tally
    interpreter = GPSDInterpreter(device: device)
  }

  /// The next event, or what there was instead of one. The first call connects, and asks gpsd to
  /// watch.
  ///
  /// - Parameter deadline: When to stop waiting; `nil` waits for ever. Connecting does not count.
  /// - Throws: `LocationError` once, when the connection fails.
  public mutating func next(until deadline: Moment?) async throws(LocationError) -> LocationRead {
    var outcome: Outcome
    do throws(GPSDError) {
      if phase == .idle { try await open() }
      outcome = phase == .open ? try await read(until: deadline) : .success(.ended)
    } catch {
      // Who cancels asks for the end, and gets that.
      outcome =
        error.code == .cancelled
        ? .success(.ended) : .failure(conversation?.end(error) ?? LocationError(error))
    }
    switch outcome {
    case .success(.event), .success(.timedOut): break
    case .success(.ended), .failure: await close()
    }
    return try outcome.get()
  }

  /// Hangs up.
  public mutating func close() async {
    defer { phase = .over }
    if phase == .open { await session.close() }
  }

  private mutating func open() async throws(GPSDError) {
    phase = .open
    tally?.count { $0.connections += 1 }
    try await session.open(endpoint)
    if session.isLive { conversation = Conversation(openedAt: session.clock.now) }
    try await session.send(device.map { .watch(device: $0) } ?? .watch)
  }

  private mutating func read(until deadline: Moment?) async throws(GPSDError) -> Outcome {
    var idleLines = 0
    while true {
      let wake = conversation?.deadline.orEarlier(deadline) ?? deadline
      switch try await session.read(until: wake) {
      case .line(let line):
        if let outcome = try await take(line) { return outcome }
        // Lines that say nothing may come for ever, and no deadline is to wait for their end.
        idleLines += 1
        let moment = line.received ?? recordingClock.now
        let mayGoOn = deadline == .past && idleLines < Self.mostIdleLines
        if let deadline, deadline <= moment, !mayGoOn { return .success(.timedOut(at: moment)) }
      case .discarded(let bytes, let moment):
        tally?.count { counts in
          counts.discards += 1
          counts.discardedBytes += bytes
        }
        let moment = moment ?? recordingClock.now
        let doubt = conversation?.hear(discarded: bytes, at: moment)
        if case .fail(let error) = doubt { return .failure(error) }
        if let deadline, deadline <= moment { return .success(.timedOut(at: moment)) }
      case .timedOut(let moment):
        switch conversation?.expire(at: moment) {
        case .fail(let error): return .failure(error)
        case .probe: try await session.send(.version)
        case .wait, nil: break
        }
        if let deadline, deadline <= moment { return .success(.timedOut(at: moment)) }
      case .ended:
        return .success(.ended)
      }
    }
  }

  /// Returns `nil` for a line that says nothing about places.
  private mutating func take(_ line: GPSDLine) async throws(GPSDError) -> Outcome? {
    let kind = decoder.decode(line.bytes.span)
    tally?.count(kind, in: decoder)
    let dropped = decoder.droppedElements
    if dropped > droppedElements {
      tally?.count { $0.droppedElements += dropped - droppedElements }
      droppedElements = dropped
    }
    switch kind {
    case .blank:
      return nil
    case .malformed:
      let moment = line.received ?? recordingClock.now
      if case .fail(let error) = conversation?.hear(foreign: line.bytes, at: moment) {
        return .failure(error)
      }
      return nil
    case .tpv, .sky, .gst, .att, .device, .devices, .version, .watch, .error, .other:
      return try await report(of: kind, received: line.received)
    }
  }

  private mutating func report(
    of kind: GPSDDecoder.Kind, received: Moment?
  ) async throws(GPSDError) -> Outcome? {
    if received == nil { recordingClock.advance(toReportOf: decoder.time(of: kind)) }
    let moment = received ?? recordingClock.now
    conversation?.hear(reportAt: moment)
    let event = interpreter.event(of: kind, in: decoder, received: moment.wall)
    guard let event else { return nil }
    conversation?.note(event, at: moment)
    if case .refused = event { try await session.send(.watch) }
    return .success(.event(event, at: moment))
  }
}
