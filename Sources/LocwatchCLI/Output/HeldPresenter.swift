import LocationCore
import LocwatchSystem
import LocwatchTerminal

/// Holds back the output of a replay until the first report of a receiver, so that a file that is not a
/// recording produces no output. A presenter that shows the wait is also held back until there is something
/// to wait for.
struct HeldPresenter: Presenter {
  /// The reports with which gpsd greets every client, even before NMEA.
  private static let greetings: Set<String> = ["VERSION", "DEVICES", "WATCH"]

  private var base: any Presenter
  private let isWorthless: @Sendable () -> Bool
  private var isHeld = true
  /// When the output is shown even without a report. Only a recording gets this far, because a line of any
  /// other file involves no wait.
  private var release: Moment?

  /// - Parameter isWorthless: Called at the end if the output is still held back.
  init(_ base: any Presenter, isWorthless: @escaping @Sendable () -> Bool) {
    self.base = base
    self.isWorthless = isWorthless
  }

  var status: OutputStatus {
    guard isHeld else { return base.status }
    return OutputStatus(blocked: base.status.blocked, nextTick: release)
  }

  var unwrittenRecords: Int { isHeld ? 0 : base.unwrittenRecords }

  mutating func add(_ style: OutputStyle, as source: Int) { base.add(style, as: source) }
  mutating func recordEnd(of source: Int) { base.recordEnd(of: source) }

  mutating func begin(at now: Moment) {
    base.begin(at: now)
    if base.showsWaiting { release = now.advanced(by: .milliseconds(1)) }
  }

  func hasRoom(for update: LocationUpdate, of source: Int) -> Bool {
    base.hasRoom(for: update, of: source)
  }

  mutating func present(_ update: LocationUpdate, of source: Int, at moment: Moment) {
    if isHeld {
      switch update {
      case .fix: isHeld = false
      case .state(let change): isHeld = change.state == .connecting
      // A file that contains only such reports is also a recording.
      case .event(.other(let report)): isHeld = Self.greetings.contains(report.kind.rawValue)
      case .change, .retry, .event: break
      }
    }
    base.present(update, of: source, at: moment)
  }

  mutating func present(_ mean: MeanPosition, of source: Int) {
    isHeld = false
    base.present(mean, of: source)
  }

  mutating func advise(_ advice: Message, of source: Int) { base.advise(advice, of: source) }

  mutating func flush(at now: Moment) throws(OutputError) {
    if let release, release <= now { isHeld = false }
    if !isHeld { try base.flush(at: now) }
  }

  mutating func finish(waitsForReader: Bool) throws(OutputError) {
    // A replay that is interrupted early writes an empty document.
    guard !isHeld || Task.isCancelled || !isWorthless() else { return }
    try base.finish(waitsForReader: waitsForReader)
  }
}
