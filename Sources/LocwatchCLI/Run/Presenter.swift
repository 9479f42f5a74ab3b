import LocationCore

/// Where a run shows what it has to say, as a stream of records or on a screen.
protocol RunOutput: Sendable {
  /// Whether some output is still unwritten.
  var hasPending: Bool { get }
  /// The descriptor that did not take all of the last flush; `nil` if there is none.
  var blockedOutput: Descriptor? { get }
  /// Whether so much is pending that it should be written before more is read.
  var isWorthFlushing: Bool { get }
  /// How many records are not written, which are lost at the end of the run.
  var unwrittenRecords: Int { get }
  /// When the presenter needs to redraw, even without an update.
  var nextTick: Moment? { get }

  mutating func begin(at now: Moment)
  /// Writes what can be written at `now`.
  mutating func flush(at now: Moment) throws(OutputError)
  /// Clears the lines that are redrawn, so that a log message can be written in their place.
  mutating func clearLiveLines()
  /// Writes the rest and closes the document.
  ///
  /// - Parameter waitsForReader: Whether to wait for a slow reader without a limit.
  mutating func finish(waitsForReader: Bool) throws(OutputError)
}

extension RunOutput {
  var blockedOutput: Descriptor? { nil }
  var unwrittenRecords: Int { 0 }
  mutating func clearLiveLines() {}

  /// Writes what can be written of the output and of the recording.
  mutating func flush(at now: Moment, and recorder: Recorder?) throws(Ending) {
    do throws(OutputError) {
      try flush(at: now)
      try recorder?.flush()
    } catch {
      throw .output(error)
    }
  }

  /// Writes the rest of the output and of the recording.
  mutating func finish(
    and recorder: Recorder?, _ options: Options, waitsForReader: Bool
  ) throws(OutputError) {
    // The recording neither waits for the reader of the output nor depends on it.
    let recording = Result { () throws(OutputError) in try recorder?.finish() }
    let isTimed = options.duration != nil && !options.isReplay
    try finish(waitsForReader: waitsForReader && !isTimed)
    try recording.get()
  }
}

/// Shows the updates of a source.
protocol Presenter: RunOutput {
  /// Whether there is something to look at before the first report.
  var showsWaiting: Bool { get }
  /// Whether there is room for another update. This limits memory while the reader is blocked.
  func hasRoom(for update: LocationUpdate) -> Bool
  mutating func present(_ update: LocationUpdate, at moment: Moment)
}

extension Presenter {
  var showsWaiting: Bool { false }
}

/// Holds back the output of a replay until the first report of a receiver, so that a file that is
/// not a recording produces no output. What shows the waiting itself is held back until there is
/// something to wait for.
struct HeldPresenter<Base: Presenter>: Presenter {
  /// The reports with which gpsd greets every client, also before NMEA.
  private static var greetings: Set<String> { ["VERSION", "DEVICES", "WATCH"] }

  private var base: Base
  private let isWorthless: @Sendable () -> Bool
  private var isHeld = true
  /// When the output is shown even without a report. It is reached by a recording alone: for a line
  /// of another file, there is no wait.
  private var release: Moment?

  /// - Parameter isWorthless: Called at the end if the output is still held back.
  init(_ base: Base, isWorthless: @escaping @Sendable () -> Bool) {
    self.base = base
    self.isWorthless = isWorthless
  }

  var hasPending: Bool { !isHeld && base.hasPending }
  var blockedOutput: Descriptor? { base.blockedOutput }
  var isWorthFlushing: Bool { !isHeld && base.isWorthFlushing }
  var unwrittenRecords: Int { isHeld ? 0 : base.unwrittenRecords }
  var nextTick: Moment? { isHeld ? release : base.nextTick }

  func hasRoom(for update: LocationUpdate) -> Bool { base.hasRoom(for: update) }

  mutating func begin(at now: Moment) {
    base.begin(at: now)
    if base.showsWaiting { release = now.advanced(by: .milliseconds(1)) }
  }

  mutating func present(_ update: LocationUpdate, at moment: Moment) {
    if isHeld {
      switch update {
      case .fix: isHeld = false
      case .state(let change): isHeld = change.state == .connecting
      // A file of nothing but such reports is a recording, too.
      case .report(.other(let report)): isHeld = Self.greetings.contains(report.kind.rawValue)
      case .change, .retry, .report: break
      }
    }
    base.present(update, at: moment)
  }

  mutating func flush(at now: Moment) throws(OutputError) {
    if let release, release <= now { isHeld = false }
    if !isHeld { try base.flush(at: now) }
  }

  mutating func clearLiveLines() {
    if !isHeld { base.clearLiveLines() }
  }

  mutating func finish(waitsForReader: Bool) throws(OutputError) {
    // A replay that is interrupted early writes an empty document.
    guard !isHeld || Task.isCancelled || !isWorthless() else { return }
    try base.finish(waitsForReader: waitsForReader)
  }
}

extension Presenter {
  /// Returns this presenter, held back until the first report of a receiver.
  func held(unless isWorthless: @escaping @Sendable () -> Bool) -> any Presenter {
    HeldPresenter(self, isWorthless: isWorthless)
  }
}

/// Shows nothing, because the recording replaces the output.
struct NoPresenter: Presenter, FleetPresenter {
  var hasPending: Bool { false }
  var isWorthFlushing: Bool { false }

  func hasRoom(for update: LocationUpdate) -> Bool { true }
  var nextTick: Moment? { nil }
  mutating func begin(at now: Moment) {}
  mutating func present(_ update: LocationUpdate, at moment: Moment) {}
  mutating func add(_ options: Options, as source: Int) {}
  mutating func remove(_ source: Int) {}
  func hasRoom(for update: LocationUpdate, of source: Int) -> Bool { true }
  mutating func present(_ update: LocationUpdate, of source: Int, at moment: Moment) {}
  mutating func clearLiveLines() {}
  mutating func flush(at now: Moment) throws(OutputError) {}
  mutating func finish(waitsForReader: Bool) throws(OutputError) {}
}
