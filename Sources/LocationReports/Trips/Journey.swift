/// A way that is a leg, or becomes one.
struct Journey: Sendable {
  /// Whether it is a leg for certain.
  var isLeg = false
  /// What was measured. Of a leg, it is known up to the beginning of the stay: that may be its end.
  private(set) var meter: LegMeter
  /// Where the receiver is: of a leg, since it last made progress.
  private(set) var stay: Stay
  var progress = Progress()

  init(from fix: TripFix) { (meter, stay) = (LegMeter(from: fix), Stay(from: fix)) }

  /// Creates the way of an excursion that has left its stop.
  init(_ excursion: Rest.Excursion) {
    meter = excursion.meter
    stay = Stay(from: meter.from)
    stay.extend(to: meter.last)
    progress = Progress(gained: excursion.progress.gained)
  }

  /// Adds a fix that may belong to a stop.
  mutating func extend(to fix: TripFix, _ noise: TripNoise, isVague: Bool = false) {
    if !isLeg, !isVague { meter.add(fix, noise) }
    stay.extend(to: fix, isVague: isVague)
  }

  /// Adds fixes that show that the receiver is on its way.
  mutating func goOn(through fixes: [TripFix], _ noise: TripNoise) {
    measure((isLeg ? stay.later : []) + fixes, noise)
    if isLeg { begin() } else { stay.extend(to: meter.last) }
  }

  /// Takes the way for a leg.
  mutating func begin() {
    isLeg = true
    (stay, progress) = (Stay(from: meter.last), Progress())
  }

  mutating func measure(_ fixes: ArraySlice<TripFix>, _ noise: TripNoise) {
    for fix in fixes { meter.add(fix, noise) }
  }
}
