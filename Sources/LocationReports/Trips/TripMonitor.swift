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
/// If a receiver measures its speed, the speed decides whether it moves. Otherwise, its position has to change by
/// more than the observed noise between groups of fixes, and by four times the claimed error. A fix with an error
/// wider than a stop, among fixes with a quarter of that error, does not prove a movement of less than four times its
/// error.
///
/// Some receivers report too little for a reliable decision. With a fix every 5 s, errors of 30 m and speeds that are
/// wrong by 0.2 m/s, a receiver that stands for four hours makes a leg in three of twenty runs. Without speeds and
/// with errors of 12 m, a walk at less than 0.8 m/s is divided into legs and stops, and no fix is judged before the
/// sixteenth. The distance is the sum of straight lines between fixes: with a fix every 10 s, it is up to 28 % too
/// short on hairpin bends.
package struct TripMonitor: Sendable {
  /// A shorter silence does not end a leg.
  private static let shortestSilence = Nanoseconds.seconds(600)
  /// After a shorter silence than this, a receiver was still seen.
  private static let shortestAbsence = Nanoseconds.seconds(10)
  /// The minimum time between fixes that count, in seconds. It is below 1 because times are not exact.
  private static let step = 0.99
  /// A receiver that moves for a shorter time than this stands still, in seconds.
  private static let shortestMove = 15.0
  /// A receiver that moves about a place for longer than this, in seconds, is under way, wherever it goes. A
  /// rest subtracts twice its duration.
  private static let longestExcursion = 300.0
  /// The maximum time that a fix without a speed adds, in seconds. A few such fixes are no evidence.
  private static let longestCounted = 30.0
  /// A fix is no evidence beside another one if its claimed error is more than this many times larger.
  private static let vagueness = 4.0
  /// How many times the minimum duration of a stop a receiver must stand still if it left its last stop
  /// slowly, or moves about a place.
  private static let doubt = 5.0
  /// A position that is farther from a place than this many deviations is not noise.
  private static let deviations = 6.0
  /// A receiver that leaves a stop at a lower speed hardly moves, in metres per second.
  private static let creep = 0.35

  private let criteria: StopCriteria
  private var count = 0
  private var last: TripFix?
  private var reports = ReportPace()
  /// When the last report that counts for the interval came, in seconds since the first fix.
  private var lastReport = 0.0
  private var times = AgreeingTimes()
  private var jumps = JumpFilter()
  private var window = MotionWindow()
  /// The current leg, or during a stop, the leg that begins if the receiver leaves.
  private var meter: LegMeter?
  /// Whether the receiver was away from the place where the leg began.
  private var hasDeparted = false
  /// Whether the leg has begun: it no longer ends where it began.
  private var isUnderWay = false
  /// How long the receiver has moved, less twice its rests, in seconds; at most ``longestExcursion``.
  private var roaming = 0.0
  /// Whether the receiver left its last stop so slowly that it seemed to stand still.
  private var creeps = false
  /// The current stay; `nil` if the receiver moves.
  private var stay: Stay?
  /// Where the receiver stands since it left the place of its stay.
  private var elsewhere: Stay?
  /// A stay that becomes a stop if the receiver remains nearby, whether or not it stands still.
  private var haunt: Stay?
  /// The fix at which a receiver that seems to stand still left its stop; `nil` if it is in the stop.
  private var awaySince: TripFix?
  /// Whether the stay is long enough for a stop.
  private var isStop = false
  /// Whether the receiver moved at the last fix that was judged, which is at least 15 s older than the newest
  /// fix; `nil` before the first judgement.
  package private(set) var isMoving: Bool?

  /// Creates a monitor without any fixes.
  package init(_ criteria: StopCriteria = StopCriteria()) { self.criteria = criteria }

  /// The arrival time of the earliest fix that may or may not belong to a leg; `nil` before the first fix.
  /// All earlier fixes are decided.
  package var undecided: Moment? {
    guard isUnderWay else { return meter?.from.moment }
    let stays = [stay, haunt].compactMap { $0?.from }.min { $0.number < $1.number }
    return (stays ?? window.undecided ?? last)?.moment
  }

  /// When the leg under way ends unless a fix arrives: a second more than ten minutes or three intervals between fixes,
  /// whichever is longer, after the last fix; `nil` if no leg is under way.
  package var deadline: Moment? {
    isUnderWay
      ? last?.moment.advanced(by: .seconds(limit(atLeast: Self.shortestSilence) + 1)) : nil
  }

  /// The length of the current leg, in metres. During a stop, it is that of the leg which has begun if the receiver has
  /// left.
  var way: Double {
    guard let way = meter?.way, let last = meter?.last else { return 0 }
    return way + (window.newest.map { last.distance(to: $0) } ?? 0)
  }

  /// The last fix of the stop, after which the receiver may have left; `nil` if it is not in a stop.
  var lastOfStop: Moment? { isStop ? meter?.from.moment : nil }

  /// The speed of the receiver according to its positions, in metres per second; `nil` if it is unknown.
  var pace: Double? { isStop ? 0 : meter?.pace }

  /// Handles a fix.
  ///
  /// - Parameters:
  ///   - fix: The fix. One that is not current is ignored.
  ///   - moment: When the fix arrived.
  /// - Returns: The events that are known now, in the order in which they happened.
  package mutating func handle(_ fix: LocationFix, at moment: Moment) -> [TripEvent] {
    guard fix.isCurrent else { return [] }
    defer { count += 1 }
    if let time = fix.time { times.record(time, at: moment.sinceStart) }
    return handle(TripFix(fix, number: count, at: moment))
  }

  /// Ends the leg under way if no fix has arrived for more than ten minutes, and more than three intervals between
  /// fixes.
  ///
  /// - Returns: The end of the leg, at the last fix; no events if no leg is under way.
  package mutating func expire(at moment: Moment) -> [TripEvent] {
    guard !isStop, isUnderWay, let last,
      last.moment.nanoseconds(to: moment).inSeconds > limit(atLeast: Self.shortestSilence)
    else { return [] }
    var events: [TripEvent] = []
    judge(isLast: true, &events)
    guard !isStop, let newest = window.newest else { return events }
    endLeg(&events)
    begin(at: newest)
    return events
  }

  /// Ends the stop or leg under way at the last fix, and resets the monitor.
  ///
  /// - Returns: The end of the leg or of the stop.
  package mutating func finish() -> [TripEvent] {
    var events: [TripEvent] = []
    // The last fix may be too close to the previous one to count.
    if let last, last.number != window.newest?.number, jumps.judge(last) == .follows {
      window.add(last)
    }
    judge(isLast: true, &events)
    if let stay, let elsewhere, isStop, isRest(elsewhere), isApart(elsewhere, from: stay) {
      settle(at: elsewhere, &events)
    }
    endStop(&events)
    endLeg(&events)
    self = TripMonitor(criteria)
    return events
  }

  private mutating func handle(_ fix: TripFix) -> [TripEvent] {
    var fix = fix
    if let last { fix.seconds = last.seconds + last.elapsed(to: fix) }
    let silence = limit(atLeast: Self.shortestSilence)
    let absence = limit(atLeast: Self.shortestAbsence)
    learnInterval(from: fix)
    last = fix
    guard let newest = window.newest else {
      _ = jumps.judge(fix)
      begin(at: fix)
      return []
    }
    let seconds = fix.seconds - newest.seconds
    guard seconds >= Self.step else { return [] }
    if isVague(fix, beside: newest), seconds <= silence { return [] }
    if !isUnderWay, !isStop, isVague(newest, beside: fix) {
      jumps = JumpFilter()
      _ = jumps.judge(fix)
      begin(at: fix)
      return []
    }
    var events: [TripEvent] = []
    let verdict = jumps.judge(fix)
    guard verdict != .jumps || seconds > silence else { return [] }
    if seconds > silence {
      judge(isLast: true, &events)
      endSilence(from: newest, to: fix, &events)
    } else if verdict == .isElsewhere {
      judge(isLast: true, &events)
      endJump(from: newest, to: fix, &events)
    } else {
      if seconds > absence { fix.absentSince = newest.number }
      window.add(fix)
    }
    judge(isLast: false, &events)
    return events
  }

  /// Returns how long a silence has to last until it means something, in seconds.
  private func limit(atLeast least: Nanoseconds) -> Double {
    reports.silence(atLeast: least).inSeconds
  }

  private mutating func learnInterval(from fix: TripFix) {
    let step = fix.seconds - lastReport
    guard last != nil, step >= Self.step else { return }
    reports.add(Nanoseconds(nearestTo: step * 1e9))
    lastReport = fix.seconds
  }

  /// Returns whether a fix is no evidence beside one that claims a much smaller error.
  private func isVague(_ fix: TripFix, beside other: TripFix) -> Bool {
    fix.doubt > Self.vagueness * max(criteria.reach, other.doubt)
      && fix.distance(to: other) <= fix.doubt
  }

  /// Begins to measure a leg, which counts only once the receiver is under way.
  private mutating func begin(at fix: TripFix) {
    meter = LegMeter(from: fix)
    (stay, haunt, elsewhere, awaySince) = (nil, nil, nil, nil)
    (isStop, isUnderWay, hasDeparted, creeps, roaming) = (false, false, false, false, 0)
    window.removeAll()
    window.add(fix)
  }

  /// Handles the first fix after a long silence. All earlier fixes have been judged.
  private mutating func endSilence(
    from before: TripFix, to fix: TripFix, _ events: inout [TripEvent]
  ) {
    var before = before
    if let stay, let elsewhere {
      if isStop, !hasLeft(stay.place.centre, fix) {
        before = stay.last
      } else if !isUnderWay, isApart(elsewhere, from: stay) {
        settle(at: elsewhere, &events)
      } else if isStop {
        leaveStop(to: before, creeps: true, &events)
      }
    }
    let place = isStop ? stay?.place.centre : nil
    guard
      before.distance(to: fix)
        > max(criteria.reach, 4 * (stay?.place.spread ?? 0), before.doubt, fix.doubt)
        || place.map({ hasLeft($0, fix) }) ?? false
    else {
      if !isStop {
        endLeg(&events)
        stay = Stay(from: before, LegMeter(from: before).totals)
        (isStop, creeps, haunt) = (true, false, nil)
        events.append(.stopBegan(end(before)))
      }
      stay?.moved = 0
      stay?.extend(to: fix, window.noise)
      meter = LegMeter(from: fix)
      (elsewhere, awaySince) = (nil, nil)
      window.removeAll()
      window.add(fix)
      return
    }
    endStop(&events)
    endLeg(&events)
    events.append(gap(from: before, to: fix))
    begin(at: fix)
  }

  /// Handles a fix at another place than the last ones, which the receiver reached without being seen.
  private mutating func endJump(
    from before: TripFix, to fix: TripFix, _ events: inout [TripEvent]
  ) {
    let seconds = fix.seconds - before.seconds
    let isTooFast = before.distance(to: fix) > TripFix.fastest * seconds + criteria.reach
    guard isTooFast || !isUnderWay && !isStop && !(stay.map(isRest) ?? false) else {
      var fix = fix
      fix.absentSince = before.number
      return window.add(fix)
    }
    let wasStop = isStop
    endStop(&events)
    endLeg(&events)
    if wasStop { events.append(gap(from: before, to: fix)) }
    begin(at: fix)
  }

  private mutating func judge(isLast: Bool, _ events: inout [TripEvent]) {
    while let (fix, isMoving) = window.next(isLast: isLast) {
      self.isMoving = isMoving
      // The meter is large, and a copy of it would be made for each fix.
      guard let before = meter?.last, fix.number > before.number else {
        // The meter began with this fix.
        if !isMoving, stay == nil, let meter { stay = Stay(from: fix, meter.totals) }
        continue
      }
      let seconds = fix.seconds - before.seconds
      meter?.add(fix, isMoving: isMoving, window.noise)
      let counted = fix.speed == nil ? min(seconds, Self.longestCounted) : seconds
      roaming = min(max(0, roaming + (isMoving ? counted : -2 * counted)), Self.longestExcursion)
      if isStop {
        advanceStop(to: fix, isMoving, seconds, &events)
      } else {
        advanceLeg(to: fix, isMoving, seconds, &events)
      }
    }
  }

  /// Whether the receiver moves for so long that it is on its way, wherever it goes.
  private var isRoaming: Bool { roaming >= Self.longestExcursion }

  private mutating func advanceLeg(
    to fix: TripFix, _ isMoving: Bool, _ seconds: Double, _ events: inout [TripEvent]
  ) {
    guard let origin = meter?.from else { return }
    if let moved = stay?.moved {
      stay?.moved = max(0, moved + (isMoving ? seconds : -seconds))
      if moved + (isMoving ? seconds : -seconds) >= Self.shortestMove {
        (stay, elsewhere) = (nil, nil)
      }
    }
    if !isMoving { rest(at: fix) }
    if let rested = elsewhere?.seconds, rested >= Self.shortestMove, let stay, let other = elsewhere
    {
      if !isUnderWay, isApart(other, from: stay) { settle(at: other, &events) }
      (self.stay, elsewhere) = (other, nil)
    }
    if isMoving, isRoaming || hasLeft(origin.point, fix, criteria.radius) {
      hasDeparted = true
    }
    let start = haunt?.from.point
    if isRoaming || start.map({ hasLeft($0, fix) }) ?? true { haunt = newStay(from: fix) }
    haunt?.extend(to: fix, window.noise)
    if !isUnderWay, hasDeparted, [stay, haunt].allSatisfy({ $0.map(endsLeg) ?? true }) {
      isUnderWay = true
      events.append(.legBegan(end(origin)))
    }
    if creeps, stay.map({ hasLeft($0.from.point, fix) }) ?? false { stay = nil }
    if !isMoving, lasts(stay?.seconds, creeps ? Self.doubt : 1), let stay {
      beginStop(stay, &events)
    } else if lasts(haunt?.seconds, Self.doubt), let haunt {
      beginStop(haunt, &events)
    }
  }

  private func newStay(from fix: TripFix) -> Stay? { meter.map { Stay(from: fix, $0.totals) } }

  /// Whether the leg until a stay is one, because it began elsewhere or a long time before.
  private func endsLeg(_ stay: Stay) -> Bool {
    guard let origin = meter?.from else { return false }
    return stay.from.seconds - origin.seconds >= Self.longestExcursion
      || hasLeft(origin.point, stay.from, criteria.radius)
  }

  /// Whether a stay has lasted long enough for a stop, in seconds; `nil` if there is none.
  private func lasts(_ seconds: Double?, _ times: Double) -> Bool {
    guard let seconds else { return false }
    return seconds >= criteria.duration.inSeconds * times - 0.01
  }

  /// Whether the receiver stood at a place for so long that it was really there.
  private func isRest(_ stay: Stay) -> Bool { stay.seconds >= Self.shortestMove }

  /// Whether the receiver reached another place in one step. A receiver that creeps away is at first near its stay.
  private func isApart(_ other: Stay, from stay: Stay) -> Bool {
    stay.last.distance(to: other.from) > criteria.radius
  }

  /// Handles a fix at which the receiver stands: at the place of its stay, or elsewhere.
  private mutating func rest(at fix: TripFix) {
    guard let place = stay?.place.centre else {
      stay = newStay(from: fix)
      stay?.extend(to: fix, window.noise)
      return
    }
    if hasLeft(place, fix) {
      let other = elsewhere?.place.centre
      if other.map({ hasLeft($0, fix) }) ?? true { elsewhere = newStay(from: fix) }
      elsewhere?.extend(to: fix, window.noise)
    } else {
      elsewhere = nil
      stay?.extend(to: fix, window.noise)
    }
  }

  /// Ends a stay, because the receiver now stands elsewhere. What lies in between is a gap if the receiver was not
  /// seen, or else a leg.
  private mutating func settle(at other: Stay, _ events: inout [TripEvent]) {
    guard let left = stay, let meter else { return }
    let isWay = isStop || hasDeparted || isRest(left)
    endStop(&events)
    (stay, haunt, elsewhere, awaySince) = (other, nil, nil, nil)
    if isWay, other.from.absentSince == left.last.number {
      events.append(gap(from: left.last, to: other.from))
    } else if isWay {
      events += [
        .legBegan(end(meter.from)), .legEnded(leg(meter, to: other.from, other.totals)),
      ]
    }
    self.meter = LegMeter(from: other.last)
    hasDeparted = false
  }

  private mutating func beginStop(_ stay: Stay, _ events: inout [TripEvent]) {
    guard let meter else { return }
    if !isUnderWay, hasDeparted, endsLeg(stay) {
      isUnderWay = true
      events.append(.legBegan(end(meter.from)))
    }
    if isUnderWay { events.append(.legEnded(leg(meter, to: stay.from, stay.totals))) }
    (isStop, isUnderWay, hasDeparted, creeps) = (true, false, false, false)
    (self.stay, haunt, elsewhere, awaySince) = (stay, nil, nil, nil)
    self.meter = LegMeter(from: stay.last)
    events.append(.stopBegan(end(stay.from)))
  }

  private mutating func advanceStop(
    to fix: TripFix, _ isMoving: Bool, _ seconds: Double, _ events: inout [TripEvent]
  ) {
    guard let before = stay?.moved, let place = stay?.place.centre else { return }
    let moved = max(0, before + (isMoving ? seconds : -seconds))
    stay?.moved = moved
    let isExcursion = moved > 0
    if isExcursion {
      guard isRoaming || hasLeft(place, fix) else {
        return (elsewhere, awaySince) = (nil, nil)
      }
    } else {
      rest(at: fix)
      guard let rested = elsewhere?.seconds else {
        meter = LegMeter(from: fix)
        return awaySince = nil
      }
      let since = awaySince ?? fix
      awaySince = since
      if rested >= Self.shortestMove, lasts(rested, 1), let stay, let elsewhere,
        isApart(elsewhere, from: stay)
      {
        settle(at: elsewhere, &events)
        return beginStop(elsewhere, &events)
      }
      guard fix.seconds - since.seconds >= 2 * criteria.duration.inSeconds else { return }
    }
    leaveStop(to: fix, creeps: !isExcursion, &events)
  }

  /// Begins the leg that led from the stop to a fix.
  private mutating func leaveStop(
    to fix: TripFix, creeps: Bool, _ events: inout [TripEvent]
  ) {
    endStop(&events)
    guard let meter else { return }
    let seconds = fix.seconds - meter.from.seconds
    self.creeps =
      creeps || max(meter.way, meter.from.distance(to: fix)) < Self.creep * seconds
    (isUnderWay, elsewhere, awaySince) = (true, nil, nil)
    events.append(.legBegan(end(meter.from)))
  }

  private mutating func endStop(_ events: inout [TripEvent]) {
    guard isStop, let stay else {
      stay = nil
      return
    }
    let climbs = stay.climbs.sums
    events.append(
      .stopEnded(
        Stop(
          start: end(stay.from), end: end(stay.last),
          coordinate: stay.place.centre.coordinate ?? stay.from.coordinate,
          duration: .seconds(stay.seconds), ascent: climbs?.ascent, descent: climbs?.descent,
          fixes: stay.from.number..<stay.last.number + 1)))
    (self.stay, isStop) = (nil, false)
  }

  /// Ends the leg at the last fix, if there is one.
  private mutating func endLeg(_ events: inout [TripEvent]) {
    guard !isStop, let meter, isUnderWay || hasDeparted || isShortLeg(meter) else { return }
    if !isUnderWay { events.append(.legBegan(end(meter.from))) }
    (isUnderWay, hasDeparted) = (false, false)
    events.append(.legEnded(leg(meter, to: meter.last, meter.totals)))
  }

  /// Whether the measured speed and the positions show a leg, although the receiver did not get far.
  private func isShortLeg(_ meter: LegMeter) -> Bool {
    let leg = meter.leg(to: meter.last, meter.totals)
    guard let doppler = leg.dopplerDistance else { return false }
    return leg.movingTime >= max(.seconds(Self.shortestMove), leg.duration / 2)
      && leg.distance >= Self.deviations * window.noise.deviation
      && leg.distance >= doppler / 2 && leg.distance <= 2 * doppler
  }

  private func gap(from before: TripFix, to fix: TripFix) -> TripEvent {
    .gapEnded(
      Gap(
        start: end(before), end: end(fix), duration: .seconds(fix.seconds - before.seconds),
        distance: before.distance(to: fix), fix: fix.number))
  }

  private func leg(_ meter: LegMeter, to last: TripFix, _ totals: LegMeter.Totals) -> Leg {
    var leg = meter.leg(to: last, totals)
    (leg.start.time, leg.end.time) = (time(of: meter.from), time(of: last))
    return leg
  }

  private func end(_ fix: TripFix) -> Leg.End {
    var end = fix.end
    end.time = time(of: fix)
    return end
  }

  /// Returns the time of a fix by the receiver's clock; `nil` if it is not believed.
  private func time(of fix: TripFix) -> Timestamp? {
    times.time(fix.time, at: fix.moment.sinceStart)
  }

  /// Returns whether a fix shows that the receiver has left a place.
  ///
  /// - Parameter reach: The maximum distance that does not show this, in metres; `nil` for the reach of a
  ///   stop.
  private func hasLeft(_ place: SurfacePoint, _ fix: TripFix, _ reach: Double? = nil) -> Bool {
    place.distance(to: fix.point)
      > max(
        reach ?? criteria.reach, Self.deviations * window.noise.deviation, fix.doubt,
        fix.speed == nil ? StopPlace.spreads * (stay?.place.spread ?? 0) : 0)
  }
}

extension Moment {
  fileprivate var sinceStart: Nanoseconds { Nanoseconds(uptimeNanoseconds) }
}
