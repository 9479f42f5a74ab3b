/// Decides which fixes are passed on, by mode, accuracy and distance.
struct UpdateFilter: Sendable {
  var minimumMode = FixMode.fix2D
  /// In metres.
  var desiredAccuracy: Double?
  /// In metres.
  var distanceFilter: Double?

  /// Limits the memory for names of receivers, which come from the network.
  private static let maximumPlaces = 64
  /// The position of each receiver's last admitted fix, the most recent one at the end.
  private var places: [(device: String?, coordinate: Coordinate)] = []

  init(
    minimumMode: FixMode = .fix2D, desiredAccuracy: Double? = nil, distanceFilter: Double? = nil
  ) {
    self.minimumMode = minimumMode
    self.desiredAccuracy = desiredAccuracy
    self.distanceFilter = distanceFilter
  }

  /// Returns whether the fix passes, and remembers its position if it does. With a desired
  /// accuracy, a fix whose accuracy is unknown does not pass.
  mutating func admits(_ fix: LocationFix) -> Bool {
    guard fix.isAtLeast(minimumMode, within: desiredAccuracy) else { return false }
    guard let distanceFilter else { return true }
    if let index = places.lastIndex(where: { $0.device == fix.device }) {
      guard places[index].coordinate.distance(to: fix.coordinate) >= distanceFilter else {
        return false
      }
      places.remove(at: index)
    } else if places.count == Self.maximumPlaces {
      places.removeFirst()
    }
    places.append((fix.device, fix.coordinate))
    return true
  }

  /// The number of positions that are remembered.
  var placeCount: Int { places.count }

  /// Forgets the position of a receiver that lost its fix: the next fix passes, even at the same
  /// place.
  mutating func note(_ change: StateChange) {
    guard !change.state.hasFix else { return }
    if case .receiver(let device) = change.subject {
      places.removeAll { $0.device == device }
    } else {
      reset()
    }
  }

  /// Forgets all positions.
  mutating func reset() { places.removeAll() }
}
