/// A stop that is under way, and the excursion from it that may become a leg.
struct Rest: Sendable {
  /// A movement that began in a stop.
  struct Excursion: Sendable {
    var meter: LegMeter
    var progress = Progress()
  }

  private(set) var stay: Stay
  private(set) var climbs = StopClimbs()
  private(set) var excursion: Excursion?

  init(at stay: Stay, _ noise: TripNoise) {
    self.stay = stay
    for fix in stay.fixes { climb(fix, noise) }
  }

  mutating func extend(to fix: TripFix, _ noise: TripNoise, isVague: Bool = false) {
    excursion = nil
    stay.extend(to: fix, isVague: isVague)
    climb(fix, noise)
  }

  private mutating func climb(_ fix: TripFix, _ noise: TripNoise) {
    climbs.add(fix, deviation: noise.knowsHeights ? noise.heightDeviation : .infinity)
  }

  /// Adds a fix of the excursion that is no movement.
  mutating func measure(_ fix: TripFix, _ noise: TripNoise) { excursion?.meter.add(fix, noise) }

  /// Adds a movement, and returns the excursion.
  ///
  /// - Parameter least: The minimum duration of the stop, in seconds.
  mutating func move(by step: TripMarks.Step, least: Double, _ noise: TripNoise) -> Excursion {
    var (excursion, way) = departure(step, least: least, noise)
    excursion.progress.add(way, lost: step.lost)
    excursion.meter.add(step.fix, noise)
    self.excursion = excursion
    return excursion
  }

  /// Begins an excursion with a movement that is not certain.
  mutating func setOff(_ step: TripMarks.Step, least: Double, _ noise: TripNoise) {
    excursion = departure(step, least: least, noise).excursion
  }

  /// Returns the excursion, or else one that begins at the last fix that was at the place, and the length of a movement
  /// in metres: from the mark, or from the place if that is nearer.
  private func departure(
    _ step: TripMarks.Step, least: Double, _ noise: TripNoise
  ) -> (excursion: Excursion, way: Double) {
    if let excursion, excursion.progress.gained > step.lost { return (excursion, step.way) }
    let certain = stay.from.seconds + min(stay.seconds, least)
    let fixes = ([step.mark] + step.since).filter { $0.seconds >= certain }
    guard !fixes.isEmpty else { return (Excursion(meter: LegMeter(from: stay.last)), step.way) }
    let middle = SurfacePoint(medianOf: fixes.map(\.point))
    let whole = middle.distance(to: step.fix.point)
    let spread = fixes.map { middle.distance(to: $0.point) }.middle
    let index =
      fixes.count - 1
      - fixes.reversed().arrival(
        at: middle, spread: min(spread, whole / 4), noise: min(noise.reach, whole))
    let meter = LegMeter(from: fixes[index], through: Array(fixes[(index + 1)...]), noise)
    return (Excursion(meter: meter), min(step.way, whole))
  }
}
