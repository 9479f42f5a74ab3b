import LocationCore

/// What a replay knows: its place in the recording, and the sources that have appeared.
struct ReplayState {
  private struct Source {
    let name: String?
    /// Rung when it has the next lines, and at the end.
    let bell = Bell()
    /// Whether it was woken.
    var isKnown = false
    /// Whether its session was closed, so that its lines are skipped.
    var isClosed = false
    /// When its latest lines were.
    var moment: Moment?
  }

  /// What comes next.
  enum Outlook {
    /// The lines of a source, or only the time that passes for it, at a moment.
    case lines(of: Int, at: Moment)
    case over
    /// It is not known before others on the same actor had a turn.
    case pause
    /// It is not known before there is more to read in a file.
    case file(RecordingFile)
  }

  private(set) var reader: RecordingReader
  private(set) var linesLeftOut = 0

  /// The reader before it has read anything.
  private let origin: RecordingReader
  private let maximumSources: Int
  private var sources: [Source] = []
  /// The numbers of the sources by their names.
  private var numbers: [String?: Int] = [:]
  /// The source and the moment of the next lines; `nil` if they have to be found.
  private var next: (source: Int, moment: Moment)?
  /// The sources whose time has not yet reached the end of the replayed part; `nil` before the end.
  private var lateSources: [Int]?
  private var hasEnded = false
  /// Whether all sources were woken for the end.
  private var hasRungEnd = false
  /// Whether the replay has begun at the beginning of the part.
  private(set) var isInPart = false
  /// Why a source that reads ahead has to wait.
  private var pause: Outlook?

  /// - Parameter reader: The reader of the recording, which is one source unless it names its sources.
  init(_ reader: RecordingReader, maximumSources: Int) {
    self.reader = reader
    self.maximumSources = maximumSources
    origin = reader
    guard !reader.namesSources else { return }
    sources = [Source(name: nil)]
    self.reader.begin()
  }

  private var namesSources: Bool { reader.namesSources }

  /// Returns to the beginning.
  mutating func rewind() {
    reader.rewindFiles()
    self = ReplayState(origin, maximumSources: maximumSources)
  }

  /// Whether everything was read, so that no other source can appear.
  var isOver: Bool { namesSources ? hasEnded : reader.isExhausted }

  var hasSources: Bool { !sources.isEmpty }

  /// Returns when the latest lines of a source were, or the next ones if it had none.
  func now(of name: String?) -> Moment {
    numbers[name].flatMap { sources[$0].moment } ?? reader.now
  }

  /// Returns whether lines are before the part to replay, so that there is no wait for them.
  mutating func isBeforePart(_ moment: Moment) -> Bool {
    guard reader.hasLinesBeforePart, !isInPart else { return false }
    guard let beginning = reader.beginning, beginning <= moment else { return true }
    isInPart = true
    return false
  }
}

// MARK: - Sources

extension ReplayState {
  /// Returns the number of a source that may have a session again; 0 if there is only one.
  mutating func rejoin(_ name: String?) -> Int {
    guard namesSources else { return 0 }
    let source = numbers[name] ?? add(name)
    sources[source].isClosed = false
    return source
  }

  private mutating func add(_ name: String?) -> Int {
    numbers[name] = sources.count
    sources.append(Source(name: name))
    reader.join(name)
    return sources.count - 1
  }

  /// Closes a source, and returns the bell of one that reads on; `nil` if there is none.
  mutating func close(_ source: Int) -> Bell? {
    sources[source].isClosed = true
    next = nil
    return sources.first { !$0.isClosed && $0.isKnown }?.bell
  }

  func bell(of source: Int) -> Bell { sources[source].bell }

  /// Returns the bell of a source, and its name if it has just appeared.
  mutating func wake(_ source: Int) -> (bell: Bell, newName: String??) {
    defer { sources[source].isKnown = true }
    return (sources[source].bell, sources[source].isKnown ? nil : .some(sources[source].name))
  }

  /// Returns the bells of all sources at the end, once.
  mutating func takeBells() -> [Bell]? {
    defer { hasRungEnd = true }
    return hasRungEnd ? nil : sourcesByName.map { sources[$0].bell }
  }

  private var sourcesByName: [Int] {
    sources.indices.sorted { (sources[$0].name ?? "") < (sources[$1].name ?? "") }
  }
}

// MARK: - Reading

extension ReplayState {
  /// Returns what comes next.
  mutating func outlook() -> Outlook {
    if let next { return .lines(of: next.source, at: next.moment) }
    while !hasEnded {
      switch reader.lookAhead() {
      case .notYet: return pauseOfReader()
      case .over:
        guard let late = nextLateSource() else {
          hasEnded = namesSources
          return .over
        }
        next = (late, reader.now)
        return .lines(of: late, at: reader.now)
      case .due(let moment):
        guard let source = nextSource() else {
          linesLeftOut += reader.takeAhead()?.reduce(0) { count, _ in count + 1 } ?? 0
          continue
        }
        guard !sources[source].isClosed else {
          _ = reader.takeAhead()
          continue
        }
        next = (source, moment)
        return .lines(of: source, at: moment)
      }
    }
    return .over
  }

  /// Returns what comes next; for a source that reads ahead, why it has to wait, or `.over` if it does not.
  mutating func outlook(readsAhead: Bool) -> Outlook {
    readsAhead ? pause ?? .over : outlook()
  }

  private mutating func pauseOfReader() -> Outlook {
    reader.endTurn() ? .pause : reader.file.map { .file($0) } ?? .pause
  }

  /// Returns the source of the next lines; `nil` if there are too many.
  private mutating func nextSource() -> Int? {
    guard namesSources else { return 0 }
    let name = reader.source
    return numbers[name] ?? (sources.count < maximumSources ? add(name) : nil)
  }

  /// Returns a source whose time has not yet reached the end of the replayed part, if that part ends before
  /// the recording does.
  private mutating func nextLateSource() -> Int? {
    guard namesSources, reader.endsEarly else { return nil }
    var late = lateSources ?? sourcesByName.reversed()
    while let last = late.last, sources[last].isClosed { late.removeLast() }
    lateSources = late
    return late.last
  }

  /// Returns the lines of a source that are due at a moment.
  mutating func poll(
    _ source: Int, at now: Moment
  ) throws(LocationError) -> Polled<GPSDLines> {
    if !namesSources { reader.advance(to: now) }
    switch outlook() {
    case .lines(source, let moment) where moment <= now:
      next = nil
      sources[source].moment = moment
      let lines = reader.takeAhead()
      // Only a late source has none: its time is now the end of the part.
      if lines == nil { _ = lateSources?.popLast() }
      guard let lines, !lines.bytes.isEmpty || lines.discardedBytes > 0 else {
        return .quiet(at: moment)
      }
      return .received(lines)
    case .over:
      if !namesSources, let failure = reader.failure { throw failure }
      return .ended
    case .lines, .pause, .file:
      // The time of several sources is that of their own lines.
      return .quiet(at: namesSources ? sources[source].moment ?? reader.now : now)
    }
  }

  /// Returns the next lines of a single source that reads ahead. The lines of a moment are read together, and the
  /// caller, who sees the times of the lines, handles deadlines.
  mutating func readAhead(at now: Moment) throws(LocationError) -> Polled<GPSDLines> {
    pause = nil
    switch try reader.readNext() {
    case .lines(let lines):
      return .received(lines)
    case .notYet:
      pause = pauseOfReader()
    case .ended:
      guard reader.advanceToEnd(until: now) else { return .ended }
      pause = .lines(of: 0, at: reader.end)
    }
    return .quiet(at: now)
  }
}
