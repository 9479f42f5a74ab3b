import GPSDProtocol
import LocationCore

/// Reads the lines of a recording, and when they were received.
struct RecordingReader: Sendable {
  enum Origin: Sendable {
    case bytes([UInt8])
    /// Files that are read one after another.
    case files([RecordingFile])
  }

  /// The size of one read, in bytes.
  private static let piece = 64 * 1024
  /// How many pieces are read, within a few milliseconds, before yielding to others on the same actor.
  private static let piecesInTurn = 16

  /// The recording's own time: the time of the latest read.
  var now = Moment(uptime: .zero)
  /// The number of bytes that were read from the file, before decompression.
  private var bytesRead = 0

  private let origin: Origin
  /// Finds the part to replay; `nil` to replay everything.
  private var cursor: RangeCursor?
  /// Passes over lines that are far from the part.
  private var skimmer = LineSkimmer()
  /// Passes over those that have no receive times.
  private var untimedSkimmer = LineSkimmer()
  /// Whether what the ``untimedSkimmer`` has kept is replayed before the next step.
  private var returnsKept = false
  /// The latest time of a step, to find the part.
  private var takenTime: Timestamp?
  /// Decides which dates are right, to find the part.
  private var dates = ReportedDates()
  /// Steps that wait until it is known which dates are right, in their order.
  private var waiting: [WaitingStep] = []
  /// When the latest step was taken, and its source, to find the part.
  private var taken = (moment: Moment(uptime: .zero), source: String?.none)
  private var framer = LineFramer()
  /// The index of the current file.
  private var place = 0
  private var fileIsOver = false
  /// Whether no line of the file has been read.
  private var isAtFileStart = true
  /// Whether the file is known to be a recording.
  private var isKnown = false
  /// Whether everything has been read, and returned except for the lines of ``takeAhead()``.
  private(set) var isExhausted = false
  private var piecesLeft = Self.piecesInTurn
  private var clock = RecordingClock()

  /// The contents of the files, up to the current one.
  private(set) var contents: [RecordingContents] = []

  /// Whether the next line comes from gpsd even if it looks like a time stamp.
  private var isBeforeVerbatimLine = false
  /// The source of the lines that are read; `nil` in a run that recorded a single source.
  private var lineSource: String?
  /// The source of the first lines, for a replay of a single one; `nil` before them.
  private var soleSource: String??
  /// The sources that have appeared, in a replay of several.
  private var knownSources: [String?] = []
  /// The sources that have yet to be told that nothing was recorded for some time; `nil` if there was no such time.
  private var pausedSources: [String?]?
  /// Whether a replay of a single source has found another one.
  private(set) var hasOtherSource = false
  /// Whether there were reports without a source, in a replay of several.
  private var hasUnnamedReports = false
  /// How many lines are missing in the replayed part, according to the recording.
  private(set) var lostLines = 0
  /// The number of lines without a source that are not reports, in a replay of several sources.
  private(set) var strayLines = 0
  /// The number of lines that only locwatch writes, and that say nothing that it understands.
  private(set) var unreadOwnLines = 0
  /// Lines that have been read and not yet returned.
  private var rest: ArraySlice<UInt8> = []
  /// How many bytes were discarded before those lines.
  private var discarded = 0
  /// Lines read before they are due, and when they are due; `nil` lines stand for the end.
  private var ahead: (lines: GPSDLines?, moment: Moment)?
  /// Why ``lookAhead()`` could not continue to read the recording.
  private(set) var failure: LocationError?
  private var decoder = GPSDDecoder()
  private var lineReader = LineReader()

  /// Whether each line goes to the source that it names.
  let namesSources: Bool

  /// The line that a replay adds where nothing was recorded for some time, because locwatch did not run.
  private static let pauseLine = Array(
    (#"{"class":"\#(LinkRecord.className)","state":"lost","#
      + #""error":"\#(LocationError.Code.notRecorded)","reason":"not recorded"}"# + "\n").utf8)[...]

  /// How many steps wait at most until it is known whether a date is right. Receivers report other things in between.
  private static let maximumWaiting = 64

  /// - Parameter namesSources: Whether each line goes to the source that it names.
  init(
    _ origin: Origin, range: RecordedRange = RecordedRange(), namesSources: Bool = false
  ) {
    self.origin = origin
    self.namesSources = namesSources
    if !range.isWhole { cursor = RangeCursor(range) }
    recordFile()
  }

  private mutating func recordFile() {
    if let file { contents.append(RecordingContents(name: file.name)) }
    isKnown = file == nil
  }

  /// Makes another reader read the files again.
  func rewindFiles() {
    if case .files(let files) = origin, bytesRead > 0 { for file in files { file.rewind() } }
  }

  /// Determines when the recording began, if this is possible without waiting.
  mutating func begin() {
    if let file, file.size == nil { return }
    // An error occurs again when the first lines are read.
    guard bytesRead == 0, (try? refill()) ?? nil ?? 0 > 0 else { return }
    takeFrame()
    if let lostLines = takeTimestamp() {
      soleSource = .some(lineSource)
      if cursor?.beginning != nil { recordLoss(of: lostLines) }
    }
    now = clock.now
    taken = (clock.now, lineSource)
  }

  /// The size of the lines returned so far, in bytes.
  var bytesSaid: Int { max(0, bytesRead - framer.pending - rest.count) }

  /// Whether there may be lines before the part to replay.
  var hasLinesBeforePart: Bool { cursor?.range.from != nil }
  /// When the part to replay begins; `nil` if that is not known yet, or if everything is replayed.
  var beginning: Moment? { cursor?.beginning }
  /// Whether something kept the clock of the machine right that made the recording; `nil` if this is unknown.
  var isClockSynchronized: Bool? { clock.isSynchronized }
  /// What is known of the part to replay; `nil` if everything is replayed.
  var extent: RecordedExtent? { cursor?.extent }
  /// Whether the part has ended before the recording has.
  var endsEarly: Bool { cursor?.isOutside ?? false }
  /// The source of the next lines; `nil` in a run that recorded a single source.
  var source: String? { cursor == nil ? lineSource : taken.source }
  /// When the latest step was taken, by the time of the replay.
  private var moment: Moment { cursor == nil ? clock.now : taken.moment }

  /// When the recording ends, after everything was read.
  var end: Moment { moment }

  /// Advances the time to a moment without a line. It never goes back.
  mutating func advance(to moment: Moment) {
    now = now.later(by: max(.zero, now.nanoseconds(to: moment)))
  }

  /// Returns whether to yield before more is read, and starts a new turn.
  mutating func endTurn() -> Bool {
    defer { piecesLeft = Self.piecesInTurn }
    return piecesLeft == 0
  }

  /// The result of a read.
  enum Next: Equatable {
    case lines(GPSDLines)
    case ended
    /// Nothing is available yet, or the turn is over.
    case notYet
  }

  /// Returns the next lines without waiting, up to the lines of a later moment. If lines have no receive
  /// time, the caller uses the times of the reports.
  mutating func readNext() throws(LocationError) -> Next {
    while true {
      switch try nextStep(onlyOne: false) {
      case .timestamp: try checkSource()
      case .lines(let lines):
        try checkSource()
        // The time of a time stamp before the end passes later.
        now = max(now, moment)
        return .lines(lines)
      case .ended: return .ended
      case .notYet: return .notYet
      }
    }
  }

  /// Advances the time towards the end of the recording, which may be later than its last lines.
  ///
  /// - Parameter limit: When to stop at the latest.
  /// - Returns: `false` if the end was already reached.
  mutating func advanceToEnd(until limit: Moment) -> Bool {
    guard now < end else { return false }
    advance(to: end.earlier(of: limit))
    return true
  }

  /// Records lines without a source. Returns `false` if they do not count, because they are the first and
  /// not reports: a recording whose beginning was cut off may begin with part of a line.
  private mutating func recordUnnamed(_ lines: GPSDLines) -> Bool {
    if hasUnnamedReports { return true }
    var rest = lines.bytes
    while let line = rest.firstLineOrEmptyLines {
      rest = rest[line.endIndex...]
      switch decoder.decode(line.span) {
      case .blank: break
      case .malformed: if !lines.isBeforePart { strayLines += 1 }
      default: hasUnnamedReports = true
      }
    }
    if lines.discardedBytes > 0, !lines.isBeforePart { strayLines += 1 }
    return hasUnnamedReports
  }

  /// Records that a source has appeared, in a replay of several.
  mutating func join(_ name: String?) { knownSources.append(name) }

  /// What is known of the next lines before they are due.
  enum Outlook: Equatable {
    case due(Moment)
    case over
    case notYet
  }

  /// Finds the next lines, of ``source`` if the recording names its sources. There are none if
  /// only the time passes.
  mutating func lookAhead() -> Outlook {
    guard failure == nil else { return .over }
    do throws(LocationError) {
      while ahead == nil {
        // Without receive times, each report has a time of its own.
        switch try nextStep(onlyOne: true) {
        case .notYet: return .notYet
        case .timestamp where !namesSources: try checkSource()
        case .timestamp:
          if source == nil { hasUnnamedReports = true }
          ahead = (GPSDLines(bytes: [], received: moment), moment)
        case .lines(var lines):
          if !namesSources { try checkSource() }
          if cursor == nil { stamp(&lines) }
          if namesSources, source == nil, !recordUnnamed(lines) { continue }
          ahead = (lines, moment)
        case .ended: ahead = (nil, moment)
        }
      }
    } catch {
      failure = error
      return .over
    }
    // The clock of a recording of several sources stands at the next lines.
    if namesSources { now = max(now, moment) }
    return ahead?.lines == nil && moment <= now ? .over : .due(moment)
  }

  /// Moves the clock to a line without a receive time, and gives the lines the time of the clock.
  ///
  /// - Returns: The time in that line, if it has one.
  @discardableResult
  private mutating func stamp(_ lines: inout GPSDLines) -> GPSDDecoder.Epoch? {
    defer { lines.received = clock.now }
    guard !clock.isTimed, let epoch = firstEpoch(in: lines) else { return nil }
    clock.advance(toReportOf: epoch.receiver, at: epoch.time)
    return epoch
  }

  /// Returns the lines that ``lookAhead()`` found. Before the part to replay, it then looks for the next lines, so
  /// that the caller knows whether the part begins before them.
  mutating func takeAhead() -> GPSDLines? {
    guard let ahead else { return nil }
    self.ahead = nil
    now = max(now, ahead.moment)
    if ahead.lines?.isBeforePart == true, !namesSources { _ = lookAhead() }
    return ahead.lines
  }

  /// Throws if the source of the next lines is not that of the first ones, because they must not be assigned to the
  /// same receivers.
  private mutating func checkSource() throws(LocationError) {
    if soleSource == nil { soleSource = .some(source) }
    guard soleSource != .some(source) else { return }
    hasOtherSource = true
    throw LocationError(.disconnected, "\(file?.name ?? "the recording") has several sources")
  }

  private enum Step {
    /// A time stamp, to which the clock was moved, and the number of lines that are missing before it.
    case timestamp(lostLines: Int)
    case lines(GPSDLines)
    case ended
    case notYet
  }

  /// A step that waits for its place in the recording.
  private struct WaitingStep {
    let step: Step
    let moment: Moment
    let source: String?
    /// Its time; `nil` if it is that of the step before.
    var time: Timestamp?
    /// The report with that time if it is not known whether the time is right.
    var report: ReportedDates.Report?
  }

  /// Takes the next step within the part to replay, or before it.
  private mutating func nextStep(onlyOne: Bool) throws(LocationError) -> Step {
    guard cursor != nil else { return try nextStepOfAll(onlyOne: onlyOne) }
    while true {
      while let next = waiting.first, next.report == nil {
        let isPassed = !returnsKept && skims(next)
        if !isPassed, let kept = takeKept() { return kept }
        waiting.removeFirst()
        if let step = find(next), !isPassed { return step }
      }
      let step = try nextStepOfAll(onlyOne: true)
      switch step {
      case .notYet: return step
      case .ended:
        guard waiting.isEmpty else {
          for index in waiting.indices { waiting[index].report = nil }
          continue
        }
        if let kept = takeKept() { return kept }
        taken.moment = cursor?.replayed(clock.now) ?? clock.now
        return step
      case .timestamp: hold(step, nil)
      case .lines(var lines):
        var epoch = stamp(&lines)
        if clock.isTimed, clock.now.wall == nil { epoch = firstEpoch(in: lines) }
        hold(.lines(lines), epoch)
      }
    }
  }

  /// Passes over a report without a receive time if it is far from the part. Returns whether it did.
  private mutating func skims(_ next: WaitingStep) -> Bool {
    takenTime = next.time ?? takenTime
    guard case .lines(let lines) = next.step, next.moment.wall == nil, isKnown, !namesSources,
      let time = takenTime, let far = cursor?.farTimes(after: time), far.isBefore,
      far.end.map({ time < $0 }) ?? true
    else { return false }
    return untimedSkimmer.skim(
      lines.bytes, from: Nanoseconds(taken.moment.uptime),
      at: Nanoseconds((cursor?.replayed(next.moment) ?? next.moment).uptime))
  }

  /// Returns a report that was passed over and is replayed; `nil` if there is none.
  private mutating func takeKept() -> Step? {
    untimedSkimmer.stop()
    guard let next = untimedSkimmer.next(), let line = next.line else {
      returnsKept = false
      return nil
    }
    returnsKept = true
    taken.moment = Moment(uptime: next.elapsed.duration)
    var lines = GPSDLines(bytes: line[...], received: taken.moment)
    lines.isBeforePart = true
    return .lines(lines)
  }

  /// Holds a step until its time, and those of the steps before it, are known.
  ///
  /// - Parameter epoch: The time in its lines, if they have no other.
  private mutating func hold(_ step: Step, _ epoch: GPSDDecoder.Epoch?) {
    var next = WaitingStep(
      step: step, moment: clock.now, source: lineSource, time: clock.now.wall ?? epoch?.time)
    if let epoch {
      let report = ReportedDates.Report(
        receiver: epoch.receiver, time: epoch.time, elapsed: Nanoseconds(clock.now.uptime))
      dates.record(report)
      if dates.believes(report) {
        decideOnDates(of: report.receiver)
      } else {
        next.report = report
      }
    }
    waiting.append(next)
    if waiting.count > Self.maximumWaiting { waiting[0].report = nil }
  }

  /// Decides on the dates of a receiver that wait, because the receiver has reported one that is believed.
  private mutating func decideOnDates(of receiver: String?) {
    for index in waiting.indices {
      guard let report = waiting[index].report, report.receiver == receiver else { continue }
      if !dates.believes(report) { waiting[index].time = dates.corrected(report) }
      waiting[index].report = nil
    }
  }

  /// Finds the place of a step. Returns `nil` if it is outside of the part.
  private mutating func find(_ next: WaitingStep) -> Step? {
    let hadBegun = beginning != nil
    let isLine = if case .lines = next.step { true } else { false }
    let place = cursor?.place(next.time, at: next.moment, isLine: isLine)
    guard place != .outside else { return nil }
    taken = (cursor?.replayed(next.moment) ?? next.moment, next.source)
    switch next.step {
    case .lines(var lines):
      lines.received = taken.moment
      lines.isBeforePart = beginning == nil
      return .lines(lines)
    case .timestamp(let lostLines):
      if hadBegun { recordLoss(of: lostLines) }
      return next.step
    case .ended, .notYet: return next.step
    }
  }

  private mutating func recordLoss(of lines: Int) {
    lostLines = Int(clamping: Int64(lostLines).clampedSum(Int64(lines)))
  }

  /// Returns the receiver and the time of the first report that has a time.
  private mutating func firstEpoch(in lines: GPSDLines) -> GPSDDecoder.Epoch? {
    for line in lines {
      if cursor != nil, let usual = UsualLine(line.span, from: 0, to: line.count) {
        if let epoch = usual.epoch(in: line.span) { return epoch }
        if case .report(_, _, modeEnd: nil) = usual { continue }
      }
      let kind = decoder.decode(line.span)
      if let epoch = decoder.epoch(of: kind) { return epoch }
    }
    return nil
  }

  private mutating func nextStepOfAll(onlyOne: Bool) throws(LocationError) -> Step {
    while true {
      if cursor != nil {
        if skim() { continue }
        if !rest.isEmpty || discarded > 0 || fileIsOver, let step = takeSkimmed() { return step }
      }
      if let lostLines = takeTimestamp() { return .timestamp(lostLines: lostLines) }
      if let source = pausedSources?.popLast() {
        lineSource = source
        return .lines(GPSDLines(bytes: Self.pauseLine, received: clock.now))
      }
      if !rest.isEmpty || discarded > 0 {
        return .lines(takeLines(onlyOne: onlyOne))
      }
      if takeFrame() { continue }
      guard !isExhausted else { return .ended }
      guard !fileIsOver else {
        beginNextFile()
        continue
      }
      if let file, !file.isReadable() { return .notYet }
      guard piecesLeft > 0, let count = try refill() else { return .notYet }
      if count == 0 {
        fileIsOver = true
        // The last line may be complete even without a line end.
        if framer.pending > 0 { framer.append([UInt8(ascii: "\n")]) }
      }
    }
  }

  /// Takes the framer's next lines. Returns `false` if there are none.
  @discardableResult
  private mutating func takeFrame() -> Bool {
    switch framer.next() {
    case .lines(let bytes):
      rest = isAtFileStart ? bytes.withoutByteOrderMark : bytes
    case .discarded(let count):
      discarded += count
      if !isKnown { contents[place].recordDiscard() }
    case nil:
      return false
    }
    isAtFileStart = false
    return true
  }

  /// Moves the clock to the time stamp at the front. Returns the number of lines that are missing before it; `nil` if
  /// there is no time stamp.
  private mutating func takeTimestamp() -> Int? {
    guard discarded == 0, !isBeforeVerbatimLine, let line = rest.firstLine,
      let time = RecordingTimestamp(line: line)
    else {
      return nil
    }
    if pausedSources == nil, clock.endsPause(time) {
      pausedSources = namesSources ? knownSources.reversed() : soleSource.map { [$0] } ?? []
    }
    guard pausedSources?.isEmpty ?? true else { return nil }
    pausedSources = nil
    clock.advance(to: time)
    lineSource = time.source
    if cursor == nil { recordLoss(of: time.lostLines) }
    isBeforeVerbatimLine = time.isBeforeVerbatimLine
    rest = rest.dropLines(upTo: line.endIndex)
    return time.lostLines
  }

  /// Passes over the next lines if they are far from the part. Returns whether there were any.
  private mutating func skim() -> Bool {
    guard !rest.isEmpty else { return false }
    guard discarded == 0, !isBeforeVerbatimLine, isKnown, !namesSources, lineSource == nil,
      waiting.isEmpty, let now = clock.elapsed, let time = clock.now.wall,
      let far = cursor?.farTimes(after: time),
      let limit = far.end.map({ clock.elapsed(at: $0) }) ?? Nanoseconds(.max)
    else {
      skimmer.stop()
      return false
    }
    let end = skimmer.skim(rest, from: now, to: limit, keepsReports: far.isBefore)
    guard end > rest.startIndex else { return false }
    rest = rest.dropLines(upTo: end)
    return true
  }

  /// Returns the next report that was passed over and is replayed, and finally the time that has passed.
  private mutating func takeSkimmed() -> Step? {
    skimmer.stop()
    guard let next = skimmer.next() else { return nil }
    clock.advance(to: RecordingTimestamp(elapsed: next.elapsed.duration))
    return next.line.map { .lines(GPSDLines(bytes: $0[...], received: clock.now)) }
      ?? .timestamp(lostLines: 0)
  }

  /// Takes the lines up to the next time stamp. Discarded bytes are returned separately.
  private mutating func takeLines(onlyOne: Bool) -> GPSDLines {
    let received = clock.momentOfLine()
    guard discarded == 0 else {
      isBeforeVerbatimLine = false
      defer { discarded = 0 }
      return GPSDLines(bytes: [], received: received, discardedBytes: discarded)
    }
    let end = lookAtLines(onlyOne: onlyOne && !clock.isTimed)
    defer { rest = rest.dropLines(upTo: end) }
    return GPSDLines(bytes: rest[..<end], received: received)
  }

  /// Looks at the lines up to the next time stamp, or at the first line only, and returns their end. Empty lines count
  /// as one.
  private mutating func lookAtLines(onlyOne: Bool) -> Int {
    let isVerbatim = isBeforeVerbatimLine
    isBeforeVerbatimLine = false
    var end = rest.startIndex
    while let line = rest[end...].firstLineOrEmptyLines {
      let own = OwnLine(line)
      if end > rest.startIndex, onlyOne || own == .timestamp { break }
      if let own, end > rest.startIndex || !isVerbatim { look(at: line, own) }
      if !isKnown { look(at: line) }
      end = line.endIndex
    }
    return end
  }

  /// The current file, if the recording has files.
  var file: RecordingFile? {
    guard case .files(let files) = origin, place < files.count else { return nil }
    return files[place]
  }

  private mutating func beginNextFile() {
    file?.release()
    place += 1
    fileIsOver = false
    isAtFileStart = true
    isExhausted = file == nil
    clock.beginFile()
    isBeforeVerbatimLine = false
    lineSource = nil
    recordFile()
  }

  /// Counts a line that locwatch wrote if it says nothing. A time stamp that is understood is not among them.
  private mutating func look(at line: ArraySlice<UInt8>, _ own: OwnLine) {
    let isRead =
      switch own {
      case .corrections: lineReader.corrections(in: line) != nil
      case .link: lineReader.failure(in: line) != nil
      case .timestamp, .other: false
      }
    if !isRead { unreadOwnLines += 1 }
  }

  private mutating func look(at line: ArraySlice<UInt8>) {
    contents[place].record(line, by: &decoder)
    isKnown = contents[place].isOfReceivers
  }

  /// Reads more and returns the number of bytes; 0 at the end, and `nil` if none are available yet.
  private mutating func refill() throws(LocationError) -> Int? {
    let count: Int?
    switch origin {
    case .bytes(let bytes):
      let rest = bytes[bytesRead...].prefix(Self.piece)
      framer.append(rest)
      count = rest.count
      bytesRead += rest.count
    case .files:
      guard let file else { return 0 }
      let before = file.bytesRead
      count = try file.read(upTo: Self.piece, into: &framer)
      bytesRead += file.bytesRead - before
    }
    piecesLeft -= 1
    if !isKnown, let count, count > 0 { contents[place].isEmpty = false }
    return count
  }
}

extension ArraySlice<UInt8> {
  /// The first lines of a file without the mark by which some programs say that it is UTF-8.
  var withoutByteOrderMark: ArraySlice<UInt8> {
    starts(with: "\u{FEFF}".utf8) ? dropFirst(3) : self
  }

  /// Returns the bytes from `end` on. An empty result retains no buffer, so that the framer can reuse
  /// its own.
  fileprivate func dropLines(upTo end: Int) -> ArraySlice<UInt8> {
    end < endIndex ? self[end...] : []
  }
}
