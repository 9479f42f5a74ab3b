import LocationCore
import LocationFormats
import LocationReports

/// The average that `--average` asks for, of the first receiver with a fix that counts.
package struct Averaging: Sendable {
  /// How long positions are averaged.
  package enum Span: Equatable, Sendable {
    case fixes(Int)
    /// From the first fix on.
    case duration(Duration)
  }

  let span: Span
  private var average = PositionAverage()
  private var first: (device: String?, moment: Moment)?

  init(_ span: Span) { self.span = span }

  /// Returns whether a fix is of another receiver than the first.
  func ignores(_ fix: LocationFix) -> Bool {
    first.map { !isSamePath($0.device, fix.device) } ?? false
  }

  /// Adds a fix of the receiver. Returns the mean if that was the last one.
  mutating func add(_ fix: LocationFix, at moment: Moment) -> MeanPosition? {
    let begin = first?.moment ?? moment
    if first == nil { first = (fix.device, moment) }
    average.add(fix)
    let isOver =
      switch span {
      case .fixes(let count): average.fixes >= count
      case .duration(let duration): begin.duration(to: moment) >= duration
      }
    return isOver ? average.mean : nil
  }

  /// What is averaged, and how much of it there is: `the average of 1 h has 12 fixes`. `nil` before the first fix.
  var progress: String? {
    guard first != nil else { return nil }
    let wanted =
      switch span {
      case .fixes(let count): "\(count) fixes"
      case .duration(let duration): Text.duration(duration)
      }
    return "the average of \(wanted) is not complete: \(average.fixes) so far"
  }
}
