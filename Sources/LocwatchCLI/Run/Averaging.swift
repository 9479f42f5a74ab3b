import LocationCore
import LocationReports
import LocationText
import LocwatchSystem

/// The average for `--average`, of the first receiver with a fix that counts.
package struct Averaging: Sendable {
  /// How long positions are averaged.
  package enum Span: Equatable, Sendable {
    case fixes(Int)
    /// From the first fix on.
    case duration(Duration)
  }

  /// The speed above which a receiver is moving, in metres per second.
  private static let fast = 0.6

  let span: Span
  private var average = PositionAverager()
  private var first: (device: String?, moment: Moment)?
  private var trips = TripMonitor()
  private var fastFixes = 0
  private var hasMoved = false

  init(_ span: Span) { self.span = span }

  /// The mean so far; `nil` before the first fix.
  var mean: MeanPosition? { average.mean }

  /// Returns whether a fix comes from a receiver other than the first one.
  func ignores(_ fix: LocationFix) -> Bool {
    first.map { !isSamePath($0.device, fix.device) } ?? false
  }

  /// Adds a fix of the receiver. Returns whether that was the last one.
  mutating func add(_ fix: LocationFix, at moment: Moment) -> Bool {
    let begin = first?.moment ?? moment
    if first == nil { first = (fix.device, moment) }
    average.add(fix)
    record(trips.handle(fix, at: moment))
    if let speed = fix.speed, speed >= Self.fast { fastFixes += 1 }
    return switch span {
    case .fixes(let count): average.fixCount >= count
    case .duration(let duration): begin.duration(to: moment) >= duration
    }
  }

  /// Returns a warning if the receiver has moved; `nil` if it stood still. Called once, after the last fix.
  mutating func warning() -> Message? {
    record(trips.finish())
    guard hasMoved || 2 * fastFixes > average.fixCount else { return nil }
    return
      "the receiver moved while its positions were averaged, so the mean is not the position of one point"
  }

  /// What an incomplete average has so far, as a clause of a message; `nil` before the first fix.
  var progress: String? {
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
