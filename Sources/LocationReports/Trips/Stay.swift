/// A current stop, or what becomes one if it lasts.
struct Stay: Sendable {
  let from: TripFix
  /// The totals of the leg when the stay began.
  let totals: LegMeter.Totals
  var place: StopPlace
  var climbs = StopClimbs()
  /// The last fix of the stay.
  var last: TripFix
  /// By how much longer the receiver has moved than stood still since its last rest, in seconds.
  var moved = 0.0

  /// How long it has lasted, in seconds.
  var seconds: Double { last.seconds - from.seconds }

  init(from fix: TripFix, _ totals: LegMeter.Totals) {
    from = fix
    last = fix
    self.totals = totals
    place = StopPlace(at: fix.point)
  }

  mutating func extend(to fix: TripFix, _ noise: TripNoise) {
    place.add(fix.point)
    climbs.add(fix, deviation: noise.knowsHeights ? noise.heightDeviation : .infinity)
    last = fix
  }
}
