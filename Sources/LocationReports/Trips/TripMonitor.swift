package import LocationCore

/// Divides the trip of one receiver into legs and stops, in one pass and with bounded memory.
///
/// A stop is recognised only after the minimum duration of a stop, and a leg only after the receiver has left the
/// place. Events therefore concern earlier fixes. At the end of the fixes, a stop or leg that is under way ends at
/// the last fix. To use the fixes of each leg, for example to write a file, keep the fixes from ``undecided`` on:
///
/// ```text
/// held.append(fix, moment)
/// for event in monitor.handle(fix, at: moment) {
///   switch event {
///   case .legBegan(let from): open a file; drop what is held from before from.moment
///   case .legEnded(let leg): write what is held up to leg.end.moment; close the file
///   case .stopBegan, .stopEnded, .gapEnded: break
///   }
/// }
/// write, or drop without a file, what is held from before monitor.undecided
/// ```
///
/// Call ``finish()`` however the updates end, even if they end with an error.
///
/// Every leg and stop that has begun also ends, at the latest with ``finish()``. Fixes that are not current are
/// ignored.
///
/// Positions decide whether the receiver moves, through the marks of ``TripMarks``. The way between marks, less 25 cm for
/// each second, is the receiver's progress. A stop begins at one place when the progress has fallen by as much as it does
/// in the minimum duration of a stop. It ends where a mark is out of the reach of the place, or when the progress about the
/// place is twice the reach. What follows is a leg once the receiver is out of the radius about the place where it set off,
/// or its progress is that large; until then it can be another stop. Speeds refine times and lengths, and do not count if
/// the positions contradict them.
///
/// The rows follow each other without a hole. Before the first one and after the last one, what is seen for less time than
/// a stop lasts, and is no leg, belongs to none. A gap can contain such a time, too.
///
/// Noise can hide a slow movement. Without a speed and with errors of 5 m, a wait of a minute in a walk at 0.6 m/s can be a
/// stop. The distance is the sum of straight lines between marks: with a fix every 10 s, it is up to 28 % too short on
/// hairpin bends.
package struct TripMonitor: Sendable {
  /// A receiver that was somewhere for a shorter time had not found its position yet, in seconds.
  private static let shortestRest = 15.0

  /// What the last fixes belong to.
  fileprivate enum Phase: Sendable {
    /// A leg, or neither a leg nor a stop yet.
    case way(Journey)
    case stop(Rest)
  }

  private let criteria: StopCriteria
  private var count = 0
  private var sieve = FixSieve()
  private var rows = TripRows()
  /// `nil` before the first fix.
  private var (marks, phase): (TripMarks?, Phase?)
  /// Where the receiver is instead, if it was not seen on its way there.
  private var away: Stay?

  private var noise: TripNoise { sieve.noise }

  /// Creates a monitor without any fixes.
  package init(_ criteria: StopCriteria = StopCriteria()) { self.criteria = criteria }

  /// The arrival time of the earliest fix that may or may not belong to a leg; `nil` before the first fix.
  /// All earlier fixes are decided.
  package var undecided: Moment? {
    let fix: TripFix? =
      switch phase {
      case nil: sieve.firstWaiting ?? sieve.last
      case .way(let journey): journey.isLeg ? journey.stay.from : journey.meter.from
      case .stop(let rest): rest.excursion?.meter.from ?? marks?.since.first ?? marks?.mark
      }
    return fix?.moment
  }

  private var isLeg: Bool {
    if case .way(let journey) = phase { journey.isLeg } else { false }
  }

  /// When the leg under way ends unless a fix arrives: a second more than ten minutes or three intervals between fixes,
  /// whichever is longer, after the last fix; `nil` if no leg is under way.
  package var deadline: Moment? {
    isLeg ? sieve.last?.moment.advanced(by: .seconds(sieve.longestSilence + 1)) : nil
  }

  /// What was measured of the way, or of the excursion from the stop.
  private var meter: LegMeter? {
    switch phase {
    case nil: nil
    case .way(let journey): journey.meter
    case .stop(let rest): rest.excursion?.meter
    }
  }

  /// The length of the current leg, in metres. During a stop, it is that of the leg which has begun if the receiver has
  /// left.
  var way: Double {
    guard let marks else { return sieve.wayWaited }
    return (meter?.way ?? 0) + (meter?.last ?? marks.mark).distance(to: marks.latest)
  }

  /// The last fix of the stop, after which the receiver may have left; `nil` if it is not in a stop.
  var lastOfStop: Moment? {
    if case .stop = phase { undecided } else { nil }
  }

  /// The speed of the receiver according to its positions, in metres per second; `nil` if it is unknown.
  var pace: Double? { lastOfStop == nil ? meter?.pace : 0 }

  /// Handles a fix.
  ///
  /// - Parameters:
  ///   - fix: The fix. One that is not current is ignored.
  ///   - moment: When the fix arrived.
  /// - Returns: The events that are known now, in the order in which they happened.
  package mutating func handle(_ fix: LocationFix, at moment: Moment) -> [TripEvent] {
    guard fix.isCurrent else { return [] }
    defer { count += 1 }
    rows.record(fix, at: moment)
    for fix in sieve.add(TripFix(fix, number: count, at: moment)) { advance(to: fix) }
    return rows.take()
  }

  /// Ends the leg under way if no fix has arrived for more than ten minutes, and more than three intervals between
  /// fixes.
  ///
  /// - Returns: The end of the leg, at the last fix; no events if no leg is under way.
  package mutating func expire(at moment: Moment) -> [TripEvent] {
    guard isLeg, let last = sieve.last,
      last.moment.nanoseconds(to: moment).inSeconds > sieve.longestSilence
    else { return [] }
    endPhase()
    if let end = rows.end { begin(at: end) }
    return rows.take()
  }

  /// Ends the stop or leg under way at the last fix, and resets the monitor.
  ///
  /// - Returns: The end of the leg or of the stop.
  package mutating func finish() -> [TripEvent] {
    for fix in sieve.finish() { advance(to: fix) }
    let isLeg = isLeg
    endPhase()
    if let away, away.seconds >= Self.shortestRest, !isLeg { addGap(to: away) }
    let events = rows.take()
    self = TripMonitor(criteria)
    return events
  }

  /// Begins to observe a receiver that may stay or leave.
  private mutating func begin(at fix: TripFix) {
    (marks, phase, away) = (TripMarks(at: fix), .way(Journey(from: fix)), nil)
  }

  /// Handles the next fix that counts.
  private mutating func advance(to fix: TripFix) {
    guard let phase else { return begin(at: fix) }
    if case .way(let journey) = phase, !journey.isLeg,
      journey.meter.from.possibleError(criteria.reach) > fix.possibleError(criteria.reach)
    {
      // What has been seen so far is no evidence beside a fix with a smaller error.
      if rows.end != nil { rows.addGap(from: fix, to: fix) }
      return begin(at: fix)
    }
    if fix.approach == .impossible || fix.approach == .silent && isElsewhere(fix) {
      endPhase()
      rows.addGap(from: phase.stay.from, to: fix)
      return begin(at: fix)
    }
    let noise = noise
    guard let (step, found) = marks?.add(fix, noise, reach: criteria.reach) else { return }
    if let step { move(by: step) }
    switch found {
    case .moves(let step): move(by: step)
    case .stays(let lost, let isVague): stay(at: fix, lost, isVague: isVague)
    case nil: break
    }
  }

  /// The loss of progress that shows a stop, in metres. Noise can hide a movement: with more of it, it takes longer to be
  /// sure.
  private var loss: Double {
    max(TripMarks.slowest * criteria.duration.inSeconds, noise.reach / 2) - 1e-6
  }

  /// Handles a fix that is near the mark.
  private mutating func stay(at fix: TripFix, _ lost: Double, isVague: Bool = false) {
    if away != nil {
      away?.extend(to: fix, isVague: isVague)
      if lost >= loss { settle() }
      return
    }
    switch phase.take() {
    case nil: break
    case .way(var journey):
      journey.extend(to: fix, noise, isVague: isVague)
      if journey.progress.lost + lost >= loss { stop(journey) } else { phase = .way(journey) }
    case .stop(var rest):
      if let excursion = rest.excursion, excursion.progress.gained > lost {
        if !isVague { rest.measure(fix, noise) }
      } else if isVague || !hasLeft(rest.stay.place, fix) {
        rest.extend(to: fix, noise, isVague: isVague)
      }
      phase = .stop(rest)
    }
  }

  /// Handles a movement to the next mark.
  private mutating func move(by step: TripMarks.Step) {
    let fix = step.fix
    guard let place = phase?.stay.place else { return }
    let isHere = !hasLeft(place, fix)
    if let away {
      if isHere {
        self.away = nil
        stay(at: fix, 0)
      } else if hasLeft(away.place, fix) {
        self.away = nil
        goOn(through: away.fixes + [fix])
      } else {
        self.away?.extend(to: fix)
      }
      return
    }
    // On its way, a receiver goes on while it is not seen.
    if !isHere, step.isDenied || !step.isSeen && !isLeg {
      away = Stay(from: fix)
      if case .stop(var rest) = phase {
        rest.setOff(step, least: criteria.duration.inSeconds, noise)
        phase = .stop(rest)
      }
      return
    }
    switch phase.take() {
    case nil: break
    case .way(var journey):
      journey.progress.add(step.way, lost: step.lost)
      if journey.progress.lost == 0 || !isHere {
        journey.goOn(through: [fix], noise)
        return depart(journey)
      }
      journey.extend(to: fix, noise)
      if journey.progress.lost >= loss { stop(journey) } else { phase = .way(journey) }
    case .stop(var rest):
      let excursion = rest.move(by: step, least: criteria.duration.inSeconds, noise)
      if !isHere || excursion.progress.gained >= 2 * criteria.reach {
        leave(rest, excursion)
      } else {
        phase = .stop(rest)
      }
    }
  }

  /// Handles fixes that show that the receiver is on its way.
  private mutating func goOn(through fixes: [TripFix]) {
    switch phase.take() {
    case nil: break
    case .way(var journey):
      journey.goOn(through: fixes, noise)
      depart(journey)
    case .stop(var rest):
      for fix in fixes { rest.measure(fix, noise) }
      if let excursion = rest.excursion { leave(rest, excursion) }
    }
  }

  /// Ends a stop where the receiver left it.
  private mutating func leave(_ rest: Rest, _ excursion: Rest.Excursion) {
    rows.add(rest, until: excursion.meter.from)
    depart(Journey(excursion))
  }

  /// Begins a leg if the receiver is out of the radius about the place where it set off, or has moved about it for long. If
  /// it crept there, it may be another stop.
  private mutating func depart(_ journey: Journey) {
    var journey = journey
    let (from, last) = (journey.meter.from, journey.meter.last)
    let radius = max(criteria.radius, noise.reach, last.possibleError(criteria.reach))
    let hasGone = journey.progress.gained >= 2 * criteria.reach
    if !journey.isLeg, hasGone || from.distance(to: last) > radius {
      rows.beginLeg(at: from)
      journey.begin()
    }
    phase = .way(journey)
  }

  private mutating func beginStop(at stay: Stay) {
    rows.beginStop(at: stay.from)
    phase = .stop(Rest(at: stay, noise))
  }

  /// Begins a stop. A leg ends where the receiver arrived, if it has been there for long enough.
  private mutating func stop(_ journey: Journey) {
    guard journey.isLeg else { return beginStop(at: journey.stay) }
    guard
      let (stay, way) = journey.stay.fromArrival(noise, least: criteria.duration.inSeconds)
    else { return phase = .way(journey) }
    end(journey, through: way)
    beginStop(at: stay)
  }

  private mutating func end(_ leg: Journey, through fixes: ArraySlice<TripFix>) {
    var leg = leg
    leg.measure(fixes, noise)
    rows.add(leg.meter)
  }

  /// Ends what was under way, because the receiver stopped elsewhere and was not seen on its way.
  private mutating func settle() {
    guard let away = away.take(), let phase else { return }
    switch phase {
    case .way(let journey) where journey.isLeg:
      end(journey, through: journey.stay.later + [away.from])
    case .way: addGap(to: away)
    case .stop(let rest):
      rows.add(rest, until: rest.stay.last)
      addGap(to: away)
    }
    beginStop(at: away)
  }

  /// Adds a gap, unless the receiver has only just found its position.
  private mutating func addGap(to away: Stay) {
    guard let phase, rows.end != nil || phase.stay.seconds >= Self.shortestRest else { return }
    rows.addGap(from: phase.stay.from, to: away.from)
  }

  /// Ends the leg or stop at the last fix.
  private mutating func endPhase() {
    if case .way = phase, let step = marks?.confirm() { move(by: step) }
    switch phase {
    case nil: break
    case .way(let journey) where journey.isLeg:
      let unseen = away.map { $0.seconds >= Self.shortestRest ? $0.fixes : [] } ?? []
      end(journey, through: journey.stay.later + unseen)
    case .way(let journey):
      let stay = journey.stay
      guard stay.seconds >= criteria.duration.inSeconds - 0.01, !hasLeft(stay.place, stay.last)
      else { break }
      rows.beginStop(at: stay.from)
      rows.add(Rest(at: stay, noise), until: stay.last)
    case .stop(let rest):
      let last = marks.map(\.newest).flatMap { hasLeft(rest.stay.place, $0) ? nil : $0 }
      rows.add(rest, until: (away == nil ? last : nil) ?? rest.stay.last)
    }
  }

  /// Returns whether a fix after a silence is at another place than the last one.
  private func isElsewhere(_ fix: TripFix) -> Bool {
    guard let marks, away.map({ hasLeft($0.place, fix) }) ?? true else { return false }
    if case .stop(let rest) = phase {
      return hasLeft(rest.stay.place, fix)
        && hasLeft(marks.pending?.fix.point ?? rest.stay.place, fix)
    }
    return hasLeft(marks.latest.point, fix)
      && marks.latest.distance(to: fix) > marks.latest.possibleError(criteria.reach)
  }

  /// Returns whether a fix shows that the receiver has left a place.
  private func hasLeft(_ place: SurfacePoint, _ fix: TripFix) -> Bool {
    place.distance(to: fix.point)
      > max(criteria.reach, noise.reach, fix.possibleError(criteria.reach))
  }
}

extension TripMonitor.Phase {
  fileprivate var stay: Stay {
    switch self {
    case .way(let journey): journey.stay
    case .stop(let rest): rest.stay
    }
  }
}
