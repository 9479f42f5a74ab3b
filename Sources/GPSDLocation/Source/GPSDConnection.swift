import GPSDProtocol
import LocationCore

/// A connection to a gpsd that requests reports and turns them into events.
struct GPSDConnection: LocationConnection {
  private enum Phase {
    case idle
    case open
    case over
  }

  private let session: any GPSDSession
  private let endpoint: GPSDEndpoint
  private let device: String?
  private let kinds: Set<ServiceReport.Kind>
  /// Whether reports of a class that is decoded are passed on, too. The name of each is then compared.
  private let passesOnDecoded: Bool
  private let asksForLast: Bool
  private let statistics: GPSDStatistics?
  private let lookup: DeviceNode.Lookup
  private let clock: LocationClock
  private let executor: (any TaskExecutor)?
  private var phase = Phase.idle
  /// The attempt to connect; `nil` before and after.
  private var opening: PolledTask<Void, LocationError>?
  private var decoder: GPSDDecoder
  /// How many of the decoder's dropped list elements have been counted.
  private var droppedElements = 0
  /// How many of the decoder's impossible numbers have been counted.
  private var impossibleNumbers = 0
  private var interpreter: GPSDInterpreter
  private var lineReader = LineReader()
  /// `nil` for a recording, which cannot fall silent.
  private var watchdog: Watchdog?
  /// The time elapsed according to the reports of a recording without receive times.
  private var recordingClock = RecordingClock()
  /// Whether the latest lines are before the part of a recording that is replayed.
  private var isBeforePart = false
  /// Whether the beginning of a line was discarded and its rest is still to come.
  private var isInLongLine = false
  /// Whether the recorded connection has failed, and no line of the next one has followed yet.
  private var isDown = false
  /// When the latest input was received.
  private var latest = Moment.past
  /// When to call ``expire(at:)`` although nothing has come; `nil` for never.
  private var deadline: Moment?

  // The results of the latest poll.
  private var events: [TimedEvent] = []
  private var commands: [GPSDCommand] = []
  private var failure: LocationError?

  init(
    session: any GPSDSession, endpoint: GPSDEndpoint, device: String?,
    kinds: Set<ServiceReport.Kind>, satellites: Bool, asksForLast: Bool,
    statistics: GPSDStatistics?,
    lookup: @escaping DeviceNode.Lookup, clock: LocationClock,
    executor: (any TaskExecutor)?
  ) {
    self.session = session
    self.endpoint = endpoint
    self.device = device
    self.kinds = kinds
    passesOnDecoded = kinds.contains { ReportClass(stringValue: $0.rawValue) != nil }
    self.asksForLast = asksForLast && session.isLive
    self.statistics = statistics
    self.lookup = lookup
    self.clock = clock
    self.executor = executor
    decoder = GPSDDecoder(keepsSatellites: satellites)
    interpreter = GPSDInterpreter(
      device: device, isRecorded: !session.isLive, statistics: statistics)
  }

  /// Returns the next events. The first call begins to connect.
  ///
  /// - Returns: Events that came together; `Polled.ended` at the end of a recording, after ``close()``, and after an
  ///   error was thrown.
  /// - Throws: `LocationError` once, when the connection fails.
  mutating func poll(at now: Moment) throws(LocationError) -> Polled<[TimedEvent]> {
    do throws(LocationError) {
      if phase == .idle { begin() }
      if let opening {
        guard let result = opening.result else { return .quiet(at: now) }
        _ = try result.get()
        try requestReports(at: now)
      }
      if phase == .open, !hasFailed, let moment = try read(at: now) { return .quiet(at: moment) }
    } catch {
      end(with: error)
    }
    if !events.isEmpty { return .received(takeEvents()) }
    if let list = interpreter.takeList() { return .received([list]) }
    // Other recordings continue when the reader closes this one, because it then knows that this one has ended.
    if session.isLive || hasFailed { close() }
    if let failure = failure.take() { throw failure }
    return .ended
  }

  /// Reads lines until there are events, or the end.
  ///
  /// - Returns: The moment up to which nothing more has come; `nil` if there are events, or if this is the end.
  private mutating func read(at now: Moment) throws(LocationError) -> Moment? {
    while true {
      var quiet: Moment?
      switch try session.poll(at: now) {
      case .received(let lines):
        handle(lines)
        // A replay at full speed is ahead of its clock, and its reader may have something to do before the next lines.
        if latest > now { quiet = latest }
      case .quiet(let moment):
        quiet = moment
        if !hasFailed { expire(at: now) }
      case .ended: return nil
      }
      if !commands.isEmpty { try sendCommands() }
      if !events.isEmpty || hasFailed { return nil }
      if let quiet { return quiet }
    }
  }

  mutating func wait() -> Wait {
    if let opening { return Wait(for: opening.end) }
    var wait = session.wait()
    wait.end(by: deadline)
    return wait
  }

  /// Does what is due although nothing has come.
  private mutating func expire(at now: Moment) {
    deadline = watchdog?.deadline
    guard let due = deadline, due <= now else { return }
    let lookup = lookup
    perform(watchdog?.expire(at: now, lookup), at: now)
    deadline = watchdog?.deadline
  }

  /// Ends the connection.
  mutating func close() {
    defer { phase = .over }
    opening?.cancel()
    opening = nil
    if phase == .open { session.close() }
  }

  private mutating func begin() {
    phase = .open
    statistics?.count { $0.connections += 1 }
    guard session.isLive else { return session.restart() }
    opening = PolledTask(on: executor) { [session, endpoint] () throws(LocationError) in
      try await session.open(endpoint)
    }
  }

  private mutating func requestReports(at now: Moment) throws(LocationError) {
    opening = nil
    watchdog = Watchdog(openedAt: now)
    try session.send(watch(device))
    if asksForLast, clock.wallError() != nil { try session.send(.poll) }
  }

  private func watch(_ device: String?) -> GPSDCommand {
    .watch(device: device, pulses: kinds.contains(where: \.needsPulses))
  }

  private mutating func sendCommands() throws(LocationError) {
    defer { commands = [] }
    for command in commands { try session.send(command) }
  }

  private mutating func takeEvents() -> [TimedEvent] {
    let taken = events
    events = []
    // The next batch is probably of the same size.
    events.reserveCapacity(taken.count)
    return taken
  }

  private var hasFailed: Bool {
    if case .some = failure { true } else { false }
  }

  @inline(never)
  private mutating func end(with error: LocationError) {
    // Cancellation ends a connection without an error.
    guard error.code != .cancelled else { return }
    failure = watchdog?.end(error) ?? error
  }

  private mutating func handle(_ lines: GPSDLines) {
    isBeforePart = lines.isBeforePart
    if lines.discardedBytes > 0 { discard(lines.discardedBytes, received: lines.received) }
    var rest = lines.bytes
    // Consecutive empty lines are handled together, because each has the same effect as the first.
    while !hasFailed, let line = rest.firstLineOrEmptyLines {
      handle(line, received: lines.received)
      rest = rest[line.endIndex...]
    }
  }

  private mutating func discard(_ bytes: Int, received: Moment?) {
    let isRest = isInLongLine
    isInLongLine = !isRest && bytes == LineFramer.maximumLineLength
    counted?.count { counts in
      if !isRest { counts.discards += 1 }
      counts.discardedBytes += bytes
    }
    if let received { record(received) } else { recordReport(of: nil) }
    perform(watchdog?.handle(discarded: bytes, at: latest), at: latest)
  }

  private mutating func handle(_ line: ArraySlice<UInt8>, received: Moment?) {
    isInLongLine = false
    if !session.isLive, OwnLine(line) == .link { return handleFailure(line, received: received) }
    let kind = decoder.decode(line.span)
    count(kind)
    if let received { record(received) } else { recordReport(of: decoder.epoch(of: kind)) }
    switch kind {
    case .blank:
      break
    case .malformed:
      perform(watchdog?.handle(foreign: line, at: latest), at: latest)
      // A caller that times out before the peer is known not to be a gpsd can then report its text.
      if let text = watchdog?.takeForeignText(), !hasFailed { report(.notice(text)) }
    case .tpv, .sky, .gst, .att, .device, .devices, .version, .watch, .error, .other:
      handleReport(kind, line)
    }
  }

  /// Reports that the connection failed while the recording was made. The lines after it belong to another
  /// one.
  private mutating func handleFailure(_ line: ArraySlice<UInt8>, received: Moment?) {
    if let received { record(received) } else { recordReport(of: nil) }
    guard case .disconnected(let error, let retryIn)? = lineReader.failure(in: line) else { return }
    // Another run of the recording does not reconnect, it connects for the first time.
    let endsRun = error.code == .notRecorded
    if !endsRun { countAttempt() }
    isDown = !endsRun
    if let list = interpreter.takeList() { events.append(list) }
    interpreter = GPSDInterpreter(device: device, isRecorded: true, statistics: statistics)
    report(.disconnected(error, retryIn: retryIn))
  }

  /// Counts a reconnect of the recorded run, which shows only in the lines that follow it.
  private mutating func countAttempt() {
    guard isDown else { return }
    isDown = false
    counted?.count { $0.connections += 1 }
  }

  private mutating func handleReport(_ kind: GPSDDecoder.Kind, _ line: ArraySlice<UInt8>) {
    countAttempt()
    if kind == .other, decoder.otherClass == CorrectionsRecord.className {
      // gpsd did not send this line. locwatch writes the class without an escape.
      guard OwnLine(line) == .corrections else { return }
      if let corrections = lineReader.corrections(in: line) { report(.corrections(corrections)) }
      return
    }
    watchdog?.handle(reportAt: latest)
    if asksForLast, kind == .other, decoder.otherClass == "POLL" { return handleLast(line) }
    if kind != .watch, let list = interpreter.takeList() { events.append(list) }
    if passesOnDecoded || kind == .other && !kinds.isEmpty { passOn(kind, line) }
    guard let event = interpreter.event(of: kind, in: &decoder, line, at: latest) else { return }
    let (latest, lookup) = (latest, lookup)
    watchdog?.record(event, at: latest, lookup)
    if case .refused = event { commands.append(watch(nil)) }
    report(event)
    let leftOut = interpreter.takeLeftOutPositions()
    if leftOut > 0 { counted?.count { $0.leftOutPositions += leftOut } }
    if let notice = interpreter.takeNotice() { report(.notice(notice)) }
  }

  /// Handles gpsd's last position of each receiver, if it is current, and the satellites of that receiver.
  private mutating func handleLast(_ line: ArraySlice<UInt8>) {
    let last = lineReader.lastReports(in: line)
    var positions: [ArraySlice<UInt8>] = []
    var devices: [String?] = []
    for report in last.positions
    where decoder.decode(report.span) == .tpv
      && LastPosition.isCurrent(decoder.tpv, at: latest.wall, by: clock)
    {
      positions.append(report)
      devices.append(decoder.tpv.device)
    }
    let skies = last.skies.filter { report in
      decoder.decode(report.span) == .sky
        && devices.contains { isSamePath($0, decoder.sky.device) }
    }
    for report in skies + positions { handleReport(decoder.decode(report.span), report) }
  }

  /// Reports a line of a kind that was asked for, as gpsd sent it.
  private mutating func passOn(_ kind: GPSDDecoder.Kind, _ line: ArraySlice<UInt8>) {
    let name = ServiceReport.Kind(rawValue: decoder.className(of: kind))
    guard kinds.contains(name) else { return }
    let device = lineReader.device(in: line)
    guard interpreter.isWanted(device) else { return }
    // The line is one object, perhaps between white space.
    let object = line.withoutUserInfo.drop { $0 != UInt8(ascii: "{") }
    let end = object.lastIndex(of: UInt8(ascii: "}")) ?? object.startIndex
    let text = String(decoding: object[...end], as: UTF8.self)
    var passedOn = ServiceReport(name, device: device, received: latest.wall, text: text)
    if let times = TimeOffset(passedOn) {
      passedOn.clockOffset = times.offset
      passedOn.sharedMemory = times.shm
    }
    report(.other(passedOn))
  }

  private mutating func report(_ event: consuming LocationEvent) {
    events.append(TimedEvent(event, at: latest))
  }

  private mutating func perform(_ action: Watchdog.Action?, at moment: Moment) {
    switch action {
    case .fail(let error): failure = error
    case .probe: commands.append(.devices)
    case .remove(let path): events.append(TimedEvent(.removed(path: path), at: moment))
    case .wait, nil: break
    }
  }

  /// Where input is counted; `nil` if it is not.
  private var counted: GPSDStatistics? { isBeforePart ? nil : statistics }

  private mutating func count(_ kind: GPSDDecoder.Kind) {
    let dropped = decoder.droppedElements - droppedElements
    droppedElements = decoder.droppedElements
    let impossible = decoder.impossibleNumbers - impossibleNumbers
    impossibleNumbers = decoder.impossibleNumbers
    guard let counted else { return }
    counted.count(kind, otherClass: decoder.otherClass)
    if dropped != 0 { counted.count { $0.droppedElements += dropped } }
    if impossible != 0 { counted.count { $0.impossibleNumbers += impossible } }
  }

  /// Records that input was received at a moment known to the session.
  private mutating func record(_ received: Moment) {
    // The session does not include the time counted by reports in earlier parts of a recording.
    let passed = recordingClock.now.uptimeNanoseconds
    latest = Moment(
      uptimeNanoseconds: received.uptimeNanoseconds.clampedSum(passed), wall: received.wall)
  }

  /// Records that input was received at an unknown moment, and derives the elapsed time from a report.
  private mutating func recordReport(of epoch: GPSDDecoder.Epoch?) {
    let before = recordingClock.now.uptimeNanoseconds
    if let epoch { recordingClock.advance(toReportOf: epoch.receiver, at: epoch.time) }
    let passed = recordingClock.now.uptimeNanoseconds - before
    latest = Moment(
      uptimeNanoseconds: max(0, latest.uptimeNanoseconds).clampedSum(passed), wall: nil)
  }
}
