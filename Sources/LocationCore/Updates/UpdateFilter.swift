/// Decides which fixes are passed on, by mode, quality, accuracy and distance.
struct UpdateFilter: Sendable {
  /// What is asked for.
  var request: LocationRequest

  /// The position of each receiver's last admitted fix.
  private var places = ReceiverTable<Coordinate>()

  init(_ request: LocationRequest = LocationRequest()) { self.request = request }

  /// Returns whether the fix passes, and remembers its position if it does. With a desired
  /// accuracy, a fix whose accuracy is unknown does not pass.
  mutating func admits(_ fix: LocationFix) -> Bool {
    guard fix.satisfies(request) else { return false }
    guard let distanceFilter = request.distanceFilter else { return true }
    if let place = places[fix.device], place.distance(to: fix.coordinate) < distanceFilter {
      return false
    }
    places[fix.device] = fix.coordinate
    return true
  }

  /// Forgets the position of a receiver that lost its fix: the next fix passes, even at the same
  /// place.
  mutating func record(_ change: StateChange) {
    guard !change.state.hasFix else { return }
    if case .receiver(let device) = change.subject {
      places[device] = nil
    } else {
      reset()
    }
  }

  /// Forgets all positions.
  mutating func reset() { places.removeAll() }
}
