import LocationCore

/// Decides which source is next in a replay, from the position in the recording and the deadline of each source.
struct ReplayTurns {
  /// A source, whose session asks for its lines.
  private struct Source {
    enum Phase {
      /// It has not asked for lines yet, and delays only its own lines.
      case absent
      /// It waits for its turn, until a deadline.
      case waiting(until: Moment?)
      /// It handles lines, or is going to ask for the first ones.
      case busy
      /// Its session was closed, and its lines are skipped.
      case closed
    }

    let name: String?
    /// The mailbox that wakes its session.
    let bell = Mailbox<Void>()
    var phase = Phase.absent
    /// Whether it was woken.
    var isKnown = false
    /// When its latest turn was.
    var moment: Moment?

    var isWaiting: Bool { if case .waiting = phase { true } else { false } }
    var isClosed: Bool { if case .closed = phase { true } else { false } }
  }

  /// What comes next.
  enum Outlook {
    /// The turn of a source, its moment, and the moment of the next lines.
    case due(Int, Moment, before: Moment)
    /// A source still handles its lines.
    case busy
    case notYet
    case over
  }

  private(set) var reader: RecordingReader
  private(set) var linesLeftOut = 0

  /// The reader before it has read anything.
  private let origin: RecordingReader
  private let maximumSources: Int
  private var sources: [Source] = []
  /// The numbers of the sources by their names.
  private var numbers: [String?: Int] = [:]
  private var busyCount = 0
  /// The sources whose time has not yet reached the end of the replayed part; `nil` before the end.
  private var lateSources: [Int]?
  private var hasEnded = false
  /// Whether all sessions were woken for the end.
  private var hasRungEnd = false
  /// When the replay began by the real clock, and at which moment of the recording; `nil` before that.
  private var start: (real: Moment, recorded: Moment)?
  /// Whether the replay has begun at the beginning of the part.
  private var isInPart = false

  /// - Parameter reader: The reader of the recording, which is one source unless it names its sources.
  init(_ reader: RecordingReader, maximumSources: Int) {
    self.reader = reader
    self.maximumSources = maximumSources
    origin = reader
    guard isOfOne else { return }
    sources = [Source(name: nil)]
    self.reader.begin()
  }

  private var namesSources: Bool { origin.namesSources }
  /// Whether there is a single source.
  var isOfOne: Bool { !namesSources }

  /// Returns to the beginning.
  mutating func rewind(at real: Moment) {
    reader.rewindFiles()
    self = ReplayTurns(origin, maximumSources: maximumSources)
    if isOfOne { start = (real, now) }
  }

  /// Whether everything was read, so that no other source can appear.
  var isOver: Bool { namesSources ? hasEnded : reader.isExhausted }

  /// Ends the replay for all sources.
  mutating func end() { hasEnded = true }
}

// MARK: - Time

extension ReplayTurns {
  var now: Moment { reader.now }

  /// Returns when the latest turn of a source was, or its next one if it had none.
  func now(of name: String?) -> Moment { numbers[name].flatMap { sources[$0].moment } ?? now }

  /// Advances the time to a moment.
  mutating func pass(to moment: Moment) { reader.pass(to: moment) }

  /// Returns when a turn is due by the real clock; `nil` if it is due at once. The replay begins with the first turn,
  /// or with the part to replay.
  mutating func realMoment(
    ofTurn moment: Moment, before lines: Moment, at real: Moment, _ pace: RecordedSession.Pace
  ) -> Moment? {
    if moment < lines && moment <= now || isBeforePart(moment, at: real) { return nil }
    start = start ?? (real, moment)
    return realMoment(of: moment, at: real, pace)
  }

  /// Returns when a moment is due by the real clock.
  mutating func realMoment(
    of moment: Moment, at real: Moment, _ pace: RecordedSession.Pace
  ) -> Moment {
    // At full speed, the position in the recording says nothing about elapsed time.
    if pace != .asFastAsPossible {
      if isBeforePart(moment, at: real) { return real }
      if let start {
        return start.real.later(
          by: start.recorded.nanoseconds(to: moment).divided(by: pace.speed))
      }
    }
    return real.later(by: now.nanoseconds(to: moment).divided(by: pace.speed))
  }

  /// Returns whether a moment is before the part to replay, so that there is no wait for it.
  private mutating func isBeforePart(_ moment: Moment, at real: Moment) -> Bool {
    guard reader.hasLinesBeforePart, !isInPart else { return false }
    guard let beginning = reader.beginning, beginning <= moment else { return true }
    isInPart = true
    start = (real, beginning)
    return false
  }
}

extension RecordedSession.Pace {
  /// The factor by which waits are shortened.
  fileprivate var speed: Double {
    switch self {
    case .asFastAsPossible: 1
    case .recorded(let speed): speed.isNaN ? 1 : max(speed, 1e-6)
    }
  }
}

// MARK: - Sources

extension ReplayTurns {
  /// Returns the number of a source that may have a session again.
  mutating func rejoin(_ name: String?) -> Int {
    let source = numbers[name] ?? add(name)
    if sources[source].isClosed { move(source, to: .absent) }
    return source
  }

  private mutating func add(_ name: String?) -> Int {
    numbers[name] = sources.count
    sources.append(Source(name: name))
    reader.join(name)
    return sources.count - 1
  }

  private mutating func move(_ source: Int, to phase: Source.Phase) {
    if case .busy = sources[source].phase { busyCount -= 1 }
    if case .busy = phase { busyCount += 1 }
    sources[source].phase = phase
  }

  /// Opens the session of a single source. If it was closed, the replay begins again.
  mutating func open(_ source: Int, at real: Moment) {
    if isOfOne, sources[source].isClosed { rewind(at: real) }
  }

  /// Makes a source wait for its turn.
  ///
  /// - Parameter deadline: When it stops waiting. A recording that names its sources contains these times.
  mutating func wait(_ source: Int, until deadline: Moment?) {
    move(source, to: .waiting(until: namesSources ? nil : deadline))
  }

  /// Makes the others wait for a source that has ended, until its session is closed.
  mutating func end(_ source: Int) { move(source, to: .busy) }

  /// Closes a session, and returns the mailbox of a source that may be next, if any source waits.
  mutating func close(_ source: Int) -> Mailbox<Void>? {
    move(source, to: .closed)
    return hasEnded ? nil : sources.first(where: \.isWaiting)?.bell
  }

  func bell(of source: Int) -> Mailbox<Void> { sources[source].bell }

  /// Returns the mailbox that wakes a source, and the name of the source if it has just appeared.
  mutating func wake(_ source: Int) -> (bell: Mailbox<Void>, newName: String??) {
    defer { sources[source].isKnown = true }
    return (sources[source].bell, sources[source].isKnown ? nil : .some(sources[source].name))
  }

  /// Returns the mailboxes that wake all sources at the end, once.
  mutating func takeBells() -> [Mailbox<Void>] {
    defer { hasRungEnd = true }
    return hasRungEnd ? [] : sourcesByName.map { sources[$0].bell }
  }

  private var sourcesByName: [Int] {
    sources.indices.sorted { (sources[$0].name ?? "") < (sources[$1].name ?? "") }
  }
}

// MARK: - Turns

extension ReplayTurns {
  /// Returns what comes next for a source that asks.
  mutating func outlook(for source: Int) -> Outlook {
    if isOfOne, case .over = lookAhead() { return .over }
    return outlook()
  }

  /// Returns whose turn is next: the source of the next lines, or one with a deadline before them.
  mutating func outlook() -> Outlook {
    guard !hasEnded else { return .over }
    return busyCount == 0 ? nextTurn() : .busy
  }

  private mutating func nextTurn() -> Outlook {
    let next = nextLines()
    guard !namesSources, case .due(var source, var moment, let lines) = next else { return next }
    for (index, other) in sources.enumerated() {
      if case .waiting(let deadline?) = other.phase, deadline < moment {
        (source, moment) = (index, deadline)
      }
    }
    return .due(source, moment, before: lines)
  }

  /// Takes the turn of a source; `nil` if it is no longer its turn.
  mutating func take(for source: Int, at moment: Moment) -> TimedRead<GPSDLines>? {
    guard case .due(source, moment, let next) = outlook() else { return nil }
    move(source, to: .busy)
    sources[source].moment = moment
    let lines = next == moment ? takeLines(of: source) : nil
    pass(to: moment)
    guard let lines, !lines.bytes.isEmpty || lines.discardedBytes > 0 else {
      return .timedOut(at: max(now, moment))
    }
    return .value(lines, at: moment)
  }

  private mutating func nextLines() -> Outlook {
    while true {
      let next = lookAhead()
      switch next {
      case .due(let source, _, _):
        guard sources[source].isClosed else { return next }
        _ = takeLines(of: source)
      case .over:
        hasEnded = namesSources
        return .over
      case .notYet, .busy: return next
      }
    }
  }

  /// Returns what comes next in the recording.
  private mutating func lookAhead() -> Outlook {
    while true {
      switch reader.lookAhead() {
      case .notYet: return .notYet
      case .over:
        guard let late = nextLateSource() else { return .over }
        return .due(late, now, before: now)
      case .due(let moment):
        guard namesSources else { return .due(0, moment, before: moment) }
        let name = reader.source
        if let source = numbers[name] ?? (sources.count < maximumSources ? add(name) : nil) {
          return .due(source, moment, before: moment)
        }
        linesLeftOut += reader.takeAhead()?.reduce(0) { count, _ in count + 1 } ?? 0
      }
    }
  }

  /// Returns a source whose time has not yet reached the end of the replayed part, if that part ends before
  /// the recording does.
  private mutating func nextLateSource() -> Int? {
    guard namesSources, reader.endsEarly else { return nil }
    if lateSources == nil { lateSources = sourcesByName.reversed() }
    return lateSources?.last
  }

  /// Takes the next lines of a source; `nil` if only the time passes.
  private mutating func takeLines(of source: Int) -> GPSDLines? {
    let lines = reader.takeAhead()
    // Only a late source has none: its time is now the end of the part.
    if lines == nil { _ = lateSources?.popLast() }
    return lines
  }
}

// MARK: - A single source

extension ReplayTurns {
  /// Returns the next lines of a single source that does not wait. The lines of a moment are read together, and
  /// the caller, who sees the times of the lines, handles deadlines.
  mutating func read(until deadline: Moment?) throws(LocationError) -> TimedRead<GPSDLines>? {
    switch try reader.readNext() {
    case .lines(let lines): .value(lines, at: reader.now)
    case .ended:
      reader.passToEnd(until: deadline) ? .timedOut(at: reader.now) : .ended
    case .notYet: nil
    }
  }

  /// Returns the file to wait for; `nil` if its lines can be read as soon as others have had a turn.
  mutating func fileToWaitFor() -> RecordingFile? {
    reader.endTurn() ? nil : reader.file
  }
}
