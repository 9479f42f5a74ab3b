import LocationCore
import LocationReports
import LocationText
import LocwatchSystem
import LocwatchTerminal

/// The average for `--average`, of the first receiver with a fix that counts.
package struct Averaging: SourcePart {
  /// How long positions are averaged.
  package enum Span: Equatable, Sendable {
    case fixes(Int)
    /// From the first fix on.
    case duration(Duration)
  }

  /// The speed above which a receiver is moving, in metres per second.
  private static let fast = 0.6

  private let span: Span
  private let number: Int
  private let log: Log
  private var average = PositionAverager()
  /// When the first fix came.
  private var first: Moment?
  private var trips = TripMonitor()
  private var fastFixes = 0
  private var hasMoved = false

  init?(_ options: Options, _ number: Int, _ log: Log) {
    guard let span = options.goal.average else { return nil }
    self.span = span
    self.number = number
    self.log = log
  }

  mutating func handle(
    _ update: LocationUpdate, at moment: Moment, on output: inout SharedOutput
  ) throws(OutputError) -> Passage {
    guard case .fix(let fix) = update else { return .next }
    guard add(fix, at: moment) else { return .stop }
    try present(at: moment, on: &output)
    return .done(.complete)
  }

  /// Presents an incomplete average, and adds it to the message.
  mutating func complete(
    _ result: inout RunResult, of end: SourceEnd, at moment: Moment, on output: inout SharedOutput
  ) throws(OutputError) {
    switch end {
    case .complete, .refused: return
    case .noMoreUpdates, .noFix, .noFixInRun, .failed: try present(at: moment, on: &output)
    }
    guard let progress, let message = result.message else { return }
    // When the duration of the run has passed, the last fix may be recent.
    if case .noFixInRun = end {
      result.replaceMessage("\(progress)")
    } else {
      result.replaceMessage("\(progress); \(message)")
    }
  }

  /// Presents the mean so far, if there is one.
  private mutating func present(
    at moment: Moment, on output: inout SharedOutput
  ) throws(OutputError) {
    guard let mean = average.mean else { return }
    output.presenter.present(mean, of: number)
    if let warning = warning() { try output.write(warning, to: log, at: moment) }
  }

  /// Adds a fix of the receiver. Returns whether that was the last one.
  private mutating func add(_ fix: LocationFix, at moment: Moment) -> Bool {
    let begin = first ?? moment
    first = begin
    average.add(fix)
    record(trips.handle(fix, at: moment))
    if let speed = fix.speed, speed >= Self.fast { fastFixes += 1 }
    return switch span {
    case .fixes(let count): average.fixCount >= count
    case .duration(let duration): begin.duration(to: moment) >= duration
    }
  }

  /// Returns a warning if the receiver has moved; `nil` if it stood still. Called once, after the last fix.
  private mutating func warning() -> Message? {
    record(trips.finish())
    guard hasMoved || 2 * fastFixes > average.fixCount else { return nil }
    return
      "the receiver moved while its positions were averaged, so the mean is not the position of one point"
  }

  /// What an incomplete average has so far, as a clause of a message; `nil` before the first fix.
  private var progress: String? {
    guard first != nil else { return nil }
    let wanted =
      switch span {
      case .fixes(let count): "\(count) fixes"
      case .duration(let duration): Text.duration(duration)
      }
    return "the average of \(wanted) is not complete: \(average.fixCount) so far"
  }

  private mutating func record(_ events: [TripEvent]) {
    for event in events {
      switch event {
      case .legBegan, .legEnded, .gapEnded: hasMoved = true
      case .stopBegan, .stopEnded: break
      }
    }
  }
}
