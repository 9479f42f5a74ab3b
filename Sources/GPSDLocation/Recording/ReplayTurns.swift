import LocationCore

/// Decides which source is next in a replay, from the position of each recording and the deadline of each source.
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

    /// The recording of its lines.
    let recording: Int
    let name: String?
    /// The mailbox that wakes its session.
    let bell = Mailbox<Void>()
    var phase = Phase.absent
    /// Whether it was woken.
    var isKnown = false
    /// When its latest turn was.
    var moment: Moment?
    /// Whether its session was told that no source has a turn.
    var isHalted = false

    var isWaiting: Bool { if case .waiting = phase { true } else { false } }
    var isClosed: Bool { if case .closed = phase { true } else { false } }
  }

  /// What comes next.
  enum Outlook {
    /// The turn of a source, its moment, and the moment of the next lines.
    case due(Int, Moment, before: Moment)
    /// A source still handles its lines, or no source has a turn.
    case busy
    /// No source has a turn, and the one that asks does not know it.
    case halted
    case notYet
    case over
  }

  /// The readers of the recordings.
  private(set) var readers: [RecordingReader]
  private(set) var linesLeftOut = 0

  /// The readers before they have read anything.
  private let origin: [RecordingReader]
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
  /// The moment of the latest turn.
  private var latest: Moment
  /// Whether no source has a turn until ``resume()``.
  private var isHalted = false
  /// The latest moment whose turns were all handled.
  private var handled: Moment
  /// When the replay began by the real clock, and at which moment of the recording; `nil` before that.
  private var start: (real: Moment, recorded: Moment)?
  /// Whether the replay has begun at the beginning of the part.
  private var isInPart = false

  /// - Parameter readers: The readers of the recordings, at least one. Each recording is a source, unless the first
  ///   one names its sources.
  init(_ readers: [RecordingReader], maximumSources: Int) {
    self.readers = readers
    self.maximumSources = maximumSources
    origin = readers
    latest = readers.map(\.now).min() ?? Moment(uptime: .zero)
    handled = latest
    guard !namesSources else { return }
    sources = readers.indices.map { Source(recording: $0, name: nil) }
    guard !isOfOne else {
      self.readers[0].begin()
      return
    }
    // No source begins without the others.
    for source in sources.indices { move(source, to: .busy) }
  }

  private var namesSources: Bool { origin[0].namesSources }
  /// Whether there is a single source, in its own recording.
  var isOfOne: Bool { origin.count == 1 && !namesSources }

  /// Returns to the beginning.
  mutating func rewind(at real: Moment) {
    for reader in readers { reader.rewindFiles() }
    self = ReplayTurns(origin, maximumSources: maximumSources)
    if isOfOne { start = (real, now) }
  }

  /// Whether everything was read, so that no other source can appear.
  var isOver: Bool { namesSources ? hasEnded : readers.allSatisfy(\.isExhausted) }

  /// Ends the replay for all sources.
  mutating func end() { hasEnded = true }
}

// MARK: - Time

extension ReplayTurns {
  var now: Moment { readers.count == 1 ? readers[0].now : latest }

  /// The time that others see. With several recordings, it reaches a moment only when every source has handled what
  /// it received at that moment.
  var visibleTime: Moment { readers.count == 1 ? now : handled }

  /// Returns when the latest turn of a source was, or its next one if it had none.
  func now(of name: String?) -> Moment { numbers[name].flatMap { sources[$0].moment } ?? now }

  /// Advances the time to a moment.
  mutating func pass(to moment: Moment) {
    if readers.count == 1 { readers[0].pass(to: moment) }
    latest = max(latest, moment)
  }

  /// Advances the time that others see, because one of them has waited for it.
  mutating func passVisibly(to moment: Moment) {
    pass(to: moment)
    handled = latest
  }

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
    guard readers[0].hasLinesBeforePart, !isInPart else { return false }
    guard let beginning = readers[0].beginning, beginning <= moment else { return true }
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
    sources.append(Source(recording: 0, name: name))
    readers[0].join(name)
    return sources.count - 1
  }

  private mutating func move(_ source: Int, to phase: Source.Phase) {
    if case .busy = sources[source].phase { busyCount -= 1 }
    if case .busy = phase { busyCount += 1 }
    sources[source].phase = phase
  }

  /// Opens the session of a recording. The others continue with it; if they were all closed, the replay begins again.
  mutating func open(_ source: Int, at real: Moment) {
    guard !namesSources, sources[source].isClosed else { return }
    if sources.allSatisfy(\.isClosed) { rewind(at: real) } else { move(source, to: .busy) }
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
    if sources.allSatisfy(\.isClosed) { handled = latest }
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

  /// Stops the turns. Returns the mailboxes that wake all sources.
  mutating func halt() -> [Mailbox<Void>] {
    isHalted = true
    for source in sources.indices { sources[source].isHalted = false }
    return sources.map(\.bell)
  }

  /// Continues with the turns. Returns the mailboxes that wake all sources.
  mutating func resume() -> [Mailbox<Void>] {
    isHalted = false
    return sources.map(\.bell)
  }

  private var sourcesByName: [Int] {
    sources.indices.sorted { (sources[$0].name ?? "") < (sources[$1].name ?? "") }
  }
}

// MARK: - Turns

extension ReplayTurns {
  /// Returns what comes next for a source that asks.
  mutating func outlook(for source: Int) -> Outlook {
    if isHalted, !hasEnded, !sources[source].isHalted {
      sources[source].isHalted = true
      return .halted
    }
    if !namesSources, case .over = lookAhead(in: sources[source].recording) { return .over }
    return outlook()
  }

  /// Why the recording of a source could not be read to its end; `nil` if it could.
  func failure(of source: Int) -> LocationError? { readers[sources[source].recording].failure }

  /// Returns whose turn is next: the source of the next lines, or one with a deadline before them.
  mutating func outlook() -> Outlook {
    guard !hasEnded else { return .over }
    guard busyCount == 0, !isHalted else { return .busy }
    let next = nextTurn()
    switch next {
    case .due(_, let moment, _): if moment > latest { handled = latest }
    case .over: handled = latest
    case .busy, .halted, .notYet: break
    }
    return next
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
      var next: (source: Int, moment: Moment)?
      for recording in readers.indices {
        switch lookAhead(in: recording) {
        case .due(let source, let moment, _):
          if next.map({ moment < $0.moment }) ?? true { next = (source, moment) }
        case .notYet: return .notYet
        case .busy, .halted, .over: break
        }
      }
      guard let next else {
        hasEnded = namesSources
        return .over
      }
      guard sources[next.source].isClosed else {
        return .due(next.source, next.moment, before: next.moment)
      }
      _ = takeLines(of: next.source)
    }
  }

  /// Returns what comes next in a recording.
  private mutating func lookAhead(in recording: Int) -> Outlook {
    while true {
      switch readers[recording].lookAhead() {
      case .notYet: return .notYet
      case .over:
        guard let late = nextLateSource() else { return .over }
        return .due(late, now, before: now)
      case .due(let moment):
        guard namesSources else { return .due(recording, moment, before: moment) }
        let name = readers[recording].source
        if let source = numbers[name] ?? (sources.count < maximumSources ? add(name) : nil) {
          return .due(source, moment, before: moment)
        }
        linesLeftOut += readers[recording].takeAhead()?.reduce(0) { count, _ in count + 1 } ?? 0
      }
    }
  }

  /// Returns a source whose time has not yet reached the end of the replayed part, if that part ends before
  /// the recording does.
  private mutating func nextLateSource() -> Int? {
    guard namesSources, readers[0].endsEarly else { return nil }
    if lateSources == nil { lateSources = sourcesByName.reversed() }
    return lateSources?.last
  }

  /// Takes the next lines of a source; `nil` if only the time passes.
  private mutating func takeLines(of source: Int) -> GPSDLines? {
    let lines = readers[sources[source].recording].takeAhead()
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
    switch try readers[0].readNext() {
    case .lines(let lines): .value(lines, at: readers[0].now)
    case .ended:
      readers[0].passToEnd(until: deadline) ? .timedOut(at: readers[0].now) : .ended
    case .notYet: nil
    }
  }

  /// Returns the file to wait for; `nil` if its lines can be read as soon as others have had a turn.
  mutating func fileToWaitFor() -> RecordingFile? {
    var file: RecordingFile?
    for recording in readers.indices where !readers[recording].endTurn() {
      file = file ?? readers[recording].file
    }
    return file
  }
}
