/// Which fixes are worth passing on.
struct FixGate: Sendable {
  var weakest = FixMode.twoD
  /// In metres.
  var desiredAccuracy: Double?
  /// In metres.
  var distanceFilter: Double?

  /// Where each receiver was when a fix of it was passed on.
  private var last: [String: Coordinate] = [:]

  init(
    weakest: FixMode = .twoD, desiredAccuracy: Double? = nil, distanceFilter: Double? = nil
  ) {
    self.weakest = weakest
    self.desiredAccuracy = desiredAccuracy
    self.distanceFilter = distanceFilter
  }

  /// Whether the fix is good enough, and far enough from the last one that was. One whose accuracy
  /// is unknown is not known to be good enough.
  mutating func admits(_ fix: LocationFix) -> Bool {
    guard fix.isAtLeast(weakest, within: desiredAccuracy) else { return false }
    guard let distanceFilter else { return true }
    if let last = last[fix.device], last.distance(to: fix.coordinate) < distanceFilter {
      return false
    }
    last[fix.device] = fix.coordinate
    return true
  }
}
