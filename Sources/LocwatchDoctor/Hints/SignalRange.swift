import LocationCore
import LocationText

/// The strengths of the signals that a receiver sees at one time.
struct SignalRange: Equatable, Sendable {
  /// A strength in dBHz that an antenna with some view of the sky receives: a position needs four satellites
  /// of about this strength.
  static let weakest = 30.0

  /// How many satellites are received at all.
  let count: Int
  /// The strongest signals of the satellites that are received worst and best, in dBHz.
  private let range: ClosedRange<Double>

  /// `nil` if the strengths are unknown, or nothing is received.
  init?(of satellites: [Satellite]) {
    var best: [Int: Double] = [:]
    for satellite in satellites {
      guard let strength = satellite.signalStrength, strength > 0 else { continue }
      best[satellite.prn] = max(strength, best[satellite.prn] ?? 0)
    }
    guard let weakest = best.values.min(), let strongest = best.values.max() else { return nil }
    count = best.count
    range = weakest...strongest
  }

  /// Whether not even one satellite is received well enough for a position.
  var isTooWeak: Bool { range.upperBound < Self.weakest }

  /// `4 satellites of 12 to 18 dBHz`
  var description: String {
    let bounds = [range.lowerBound, range.upperBound].map { Text.rounded($0, places: 0) }
    let strength = bounds[0] == bounds[1] ? bounds[0] : bounds.joined(separator: " to ")
    return "\(count) satellite\(count == 1 ? "" : "s") of \(strength) dBHz"
  }
}
