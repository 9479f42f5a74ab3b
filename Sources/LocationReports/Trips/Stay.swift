/// A stop under way, or what becomes one if it lasts.
struct Stay: Sendable {
  let from: TripFix
  /// What was measured of the leg when it began.
  let totals: LegMeter.Totals
  var place: StopPlace
  var climbs = StopClimbs()
  /// The last fix that belongs to it.
  var last: TripFix
  /// How much longer the receiver has moved than stood since it last stood, in seconds.
  var moved = 0.0

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
