import LocationCore

/// Counts positions that come under the time of another one, as from a program that sends what it has collected.
///
/// Only the first of them is used: it is unknown when the receiver was at the others, and two positions at one time
/// give no speed and no distance. gpsd itself can send several reports of one instant, whose positions are close to
/// each other.
struct SharedTimes: Sendable {
  /// The distance in metres from which on a position is another one. In gpsd's logs of 154 receivers, the reports of
  /// an instant are up to 3.5 m apart.
  private static let minimumDistance = 10.0
  /// A smaller sum of the differences, in degrees, is a smaller distance everywhere.
  private static let minimumDifference = minimumDistance / 112_000
  /// How many positions are left out before this is said.
  private static let enough = 3

  private var time: Timestamp?
  private var place = Coordinate.nullIsland
  private var device: String?
  private var leftOut = 0
  private var total = 0
  private var isSaid = false

  /// Records a fix in the order in which they come.
  mutating func record(_ fix: borrowing LocationFix) {
    guard fix.time != nil, fix.time == time, isSamePath(fix.device, device) else {
      time = fix.time
      place = fix.coordinate
      device = fix.device
      return
    }
    if isElsewhere(fix.coordinate) { leftOut += 1 }
  }

  private func isElsewhere(_ other: Coordinate) -> Bool {
    let difference =
      abs(other.latitude - place.latitude) + abs(other.longitude - place.longitude)
    return difference >= Self.minimumDifference && other.distance(to: place) > Self.minimumDistance
  }

  /// Returns the number of positions since the last call.
  mutating func takeCount() -> Int {
    defer { leftOut = 0 }
    total += leftOut
    return leftOut
  }

  /// Returns what is to be said of the positions; `nil` if there is nothing, or if it was said.
  mutating func takeNotice() -> String? {
    guard !isSaid, total >= Self.enough else { return nil }
    isSaid = true
    return "several positions have the same time, and only the first of each time is used"
  }
}
