/// Which fixes are worth passing on.
struct FixGate: Sendable {
  var weakest = FixMode.twoD
  /// In metres.
  var desiredAccuracy: Double?
  /// In metres.
  var distanceFilter: Double?

  /// Names of receivers may be made up, and are not kept for ever.
  private static let mostPlaces = 64
  /// Where each receiver was when a fix of it was passed on; the last one is the latest.
  private var places: [(device: String, coordinate: Coordinate)] = []

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
    if let index = places.lastIndex(where: { $0.device == fix.device }) {
      guard places[index].coordinate.distance(to: fix.coordinate) >= distanceFilter else {
        return false
      }
      places.remove(at: index)
    } else if places.count == Self.mostPlaces {
      places.removeFirst()
    }
    places.append((fix.device, fix.coordinate))
    return true
  }

  /// How many receivers' places are kept.
  var placeCount: Int { places.count }

  /// Forgets the place of a receiver that has no fix any more: where it is found again is news, be
  /// it the same place.
  mutating func note(_ change: StateChange) {
    guard !change.state.hasFix else { return }
    if let device = change.device {
      places.removeAll { $0.device == device }
    } else {
      reset()
    }
  }

  /// Forgets all places.
  mutating func reset() { places.removeAll() }
}
