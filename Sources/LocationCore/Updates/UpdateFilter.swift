/// Decides which fixes are passed on, by mode, quality, accuracy and distance.
struct UpdateFilter: Sendable {
  var minimumMode = FixMode.fix2D
  var minimumQuality: FixQuality?
  /// In metres.
  var desiredAccuracy: Double?
  /// In metres.
  var distanceFilter: Double?

  /// The position of each receiver's last admitted fix.
  private var places = ReceiverTable<Coordinate>()

  init(
    minimumMode: FixMode = .fix2D, minimumQuality: FixQuality? = nil,
    desiredAccuracy: Double? = nil, distanceFilter: Double? = nil
  ) {
    self.minimumMode = minimumMode
    self.minimumQuality = minimumQuality
    self.desiredAccuracy = desiredAccuracy
    self.distanceFilter = distanceFilter
  }

  init(_ request: LocationRequest) {
    self.init(
      minimumMode: request.minimumMode, minimumQuality: request.minimumQuality,
      desiredAccuracy: request.desiredAccuracy, distanceFilter: request.distanceFilter)
  }

  /// What the filter asks for.
  var request: LocationRequest {
    LocationRequest(
      minimumMode: minimumMode, minimumQuality: minimumQuality, desiredAccuracy: desiredAccuracy,
      distanceFilter: distanceFilter)
  }

  /// Returns whether the fix passes, and remembers its position if it does. With a desired
  /// accuracy, a fix whose accuracy is unknown does not pass.
  mutating func admits(_ fix: LocationFix) -> Bool {
    guard fix.isAtLeast(minimumMode, minimumQuality, within: desiredAccuracy) else { return false }
    guard let distanceFilter else { return true }
    if let place = places[fix.device], place.distance(to: fix.coordinate) < distanceFilter {
      return false
    }
    places[fix.device] = fix.coordinate
    return true
  }

  /// Forgets the position of a receiver that lost its fix: the next fix passes, even at the same
  /// place.
  mutating func note(_ change: StateChange) {
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
