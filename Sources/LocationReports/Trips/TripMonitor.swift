public import LocationCore

/// Divides the trip of one receiver into legs and stops, in one pass and with bounded memory.
///
/// ```swift
/// for try await event in provider.events(of: TripMonitor()) {
///   if case .legEnded(let leg) = event { print(leg.distance, leg.duration) }
/// }
/// ```
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
/// If each file has a `LocationWriter` of its own, pass each new writer the last `ReceiverChange` of a selection
/// again: a writer takes the name of the source from it. Call ``finish()`` however the updates end, even if they end
/// with an error.
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
public struct TripMonitor: LocationMonitor {
  /// The maximum silence within a leg, in seconds.
  static let longestSilence = 600.0
  /// How long after the last fix a silence ends the leg. The extra second is for a receiver with a fix every
  /// ten minutes.
  private static let patience = Duration.seconds(longestSilence + 1)
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
  private var times = AgreeingTimes()
  private var jumps = JumpFilter()
  private var window = MotionWindow()
  /// The current leg, or during a stop, the leg that begins if the receiver leaves.
  private var meter: LegMeter?
  /// Whether the leg has left the place where it began.
  private var isUnderWay = false
  /// How long the receiver has moved, less twice its rests, in seconds; at most ``longestExcursion``.
  private var roaming = 0.0
  /// Whether the receiver left its last stop so slowly that it seemed to stand still.
  private var creeps = false
  /// The current stay; `nil` if the receiver moves.
  private var stay: Stay?
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
  public init(_ criteria: StopCriteria = StopCriteria()) { self.criteria = criteria }

  /// The arrival time of the earliest fix that may or may not belong to a leg; `nil` before the first fix.
  /// All earlier fixes are decided.
  public var undecided: Moment? {
    guard isUnderWay else { return meter?.from.moment }
    let stays = [stay, haunt].compactMap { $0?.from }.min { $0.number < $1.number }
    return (stays ?? window.undecided ?? last)?.moment
  }

  /// When the leg under way ends unless a fix arrives: ten minutes and a second after the last fix; `nil` if no leg
  /// is under way.
  public var deadline: Moment? {
    isUnderWay ? last?.moment.advanced(by: Self.patience) : nil
  }

  /// The length of the current leg, in metres.
  var way: Double {
    guard !isStop, let meter else { return 0 }
    return meter.way + (window.newest.map { meter.last.distance(to: $0) } ?? 0)
  }

  /// The speed of the receiver according to its positions, in metres per second; `nil` if it is unknown.
  var pace: Double? { isStop ? 0 : meter?.pace }

  /// Handles a fix.
  ///
  /// - Parameters:
  ///   - fix: The fix. One that is not current is ignored.
  ///   - moment: When the fix arrived.
  /// - Returns: The events that are known now, in the order in which they happened.
  public mutating func handle(_ fix: LocationFix, at moment: Moment) -> [TripEvent] {
    guard fix.isCurrent else { return [] }
    defer { count += 1 }
    if let time = fix.time { times.record(time, at: moment.sinceStart) }
    return handle(TripFix(fix, number: count, at: moment))
  }

  /// Ends the leg under way if no fix has arrived for more than ten minutes.
  ///
  /// - Returns: The end of the leg, at the last fix; no events if no leg is under way.
  public mutating func expire(at moment: Moment) -> [TripEvent] {
    guard !isStop, isUnderWay, let last,
      last.moment.nanoseconds(to: moment).inSeconds > Self.longestSilence
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
  public mutating func finish() -> [TripEvent] {
    var events: [TripEvent] = []
    // The last fix may be too close to the previous one to count.
    if let last, last.number != window.newest?.number, jumps.judge(last) == .follows {
      window.add(last)
    }
    judge(isLast: true, &events)
    endStop(&events)
    endLeg(&events)
    self = TripMonitor(criteria)
    return events
  }

  private mutating func handle(_ fix: TripFix) -> [TripEvent] {
    var fix = fix
    if let last { fix.seconds = last.seconds + last.elapsed(to: fix) }
    last = fix
    guard let newest = window.newest else {
      _ = jumps.judge(fix)
      begin(at: fix)
      return []
    }
    let seconds = fix.seconds - newest.seconds
    guard seconds >= Self.step else { return [] }
    if isVague(fix, beside: newest), seconds <= Self.longestSilence { return [] }
    if !isUnderWay, !isStop, isVague(newest, beside: fix) {
      jumps = JumpFilter()
      _ = jumps.judge(fix)
      begin(at: fix)
      return []
    }
    var events: [TripEvent] = []
    let verdict = jumps.judge(fix)
    guard verdict != .jumps || seconds > Self.longestSilence else { return [] }
    let isTooFast = newest.distance(to: fix) > TripFix.fastest * seconds + criteria.reach
    if seconds > Self.longestSilence {
      judge(isLast: true, &events)
      endSilence(from: newest, to: fix, &events)
    } else if verdict == .isElsewhere, isTooFast || !isUnderWay && !isStop {
      judge(isLast: true, &events)
      endStop(&events)
      endLeg(&events)
      begin(at: fix)
    } else {
      window.add(fix)
    }
    judge(isLast: false, &events)
    return events
  }

  /// Returns whether a fix is no evidence beside one that claims a much smaller error.
  private func isVague(_ fix: TripFix, beside other: TripFix) -> Bool {
    fix.doubt > Self.vagueness * max(criteria.reach, other.doubt)
      && fix.distance(to: other) <= fix.doubt
  }

  /// Begins to measure a leg, which counts only once the receiver is under way.
  private mutating func begin(at fix: TripFix) {
    meter = LegMeter(from: fix)
    (stay, isStop, isUnderWay, creeps) = (nil, false, false, false)
    (roaming, haunt, awaySince) = (0, nil, nil)
    window.removeAll()
    window.add(fix)
  }

  /// Handles the first fix after a long silence. All earlier fixes have been judged.
  private mutating func endSilence(
    from before: TripFix, to fix: TripFix, _ events: inout [TripEvent]
  ) {
    let distance = before.distance(to: fix)
    guard
      distance > max(criteria.reach, 4 * (stay?.place.spread ?? 0), before.doubt, fix.doubt)
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
      window.removeAll()
      window.add(fix)
      return
    }
    endStop(&events)
    endLeg(&events)
    events.append(
      .gapEnded(
        Gap(
          start: end(before), end: end(fix), duration: .seconds(fix.seconds - before.seconds),
          distance: distance, fix: fix.number)))
    begin(at: fix)
  }

  private mutating func judge(isLast: Bool, _ events: inout [TripEvent]) {
    while let (fix, isMoving) = window.next(isLast: isLast) {
      self.isMoving = isMoving
      guard let meter, fix.number > meter.last.number else {
        // The meter began with this fix.
        if !isMoving, stay == nil, let meter { stay = Stay(from: fix, meter.totals) }
        continue
      }
      let seconds = fix.seconds - meter.last.seconds
      self.meter?.add(fix, isMoving: isMoving, window.noise)
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
    guard let meter else { return }
    if var stay = stay.take() {
      stay.moved = max(0, stay.moved + (isMoving ? seconds : -seconds))
      if stay.moved < Self.shortestMove { self.stay = stay }
    } else if !isMoving {
      stay = Stay(from: fix, meter.totals)
    }
    if !isMoving { stay?.extend(to: fix, window.noise) }
    if !isUnderWay, isMoving, isRoaming || hasLeft(meter.from.point, fix, criteria.radius) {
      isUnderWay = true
      events.append(.legBegan(end(meter.from)))
    }
    if isRoaming || haunt.map({ hasLeft($0.from.point, fix) }) ?? true {
      haunt = Stay(from: fix, meter.totals)
    }
    haunt?.extend(to: fix, window.noise)
    if creeps, stay.map({ hasLeft($0.from.point, fix) }) ?? false { stay = nil }
    if !isMoving, let stay, lasts(stay, creeps ? Self.doubt : 1) {
      beginStop(stay, &events)
    } else if let haunt, lasts(haunt, Self.doubt) {
      beginStop(haunt, &events)
    }
  }

  private func lasts(_ stay: Stay, _ times: Double) -> Bool {
    stay.last.seconds - stay.from.seconds >= criteria.duration.inSeconds * times - 0.01
  }

  private mutating func beginStop(_ stay: Stay, _ events: inout [TripEvent]) {
    guard let meter else { return }
    if isUnderWay { events.append(.legEnded(leg(meter, to: stay.from, stay.totals))) }
    (isStop, isUnderWay, creeps) = (true, false, false)
    (self.stay, haunt) = (stay, nil)
    self.meter = LegMeter(from: stay.last)
    events.append(.stopBegan(end(stay.from)))
  }

  private mutating func advanceStop(
    to fix: TripFix, _ isMoving: Bool, _ seconds: Double, _ events: inout [TripEvent]
  ) {
    guard var stay else { return }
    stay.moved = max(0, stay.moved + (isMoving ? seconds : -seconds))
    self.stay = stay
    let isExcursion = stay.moved > 0
    if !isExcursion {
      self.stay?.extend(to: fix, window.noise)
      meter = LegMeter(from: fix)
    }
    let isAway = hasLeft(stay.place.centre, fix)
    if !isAway { awaySince = nil }
    if isExcursion {
      guard isAway || isRoaming else { return }
    } else {
      guard isAway else { return }
      let since = awaySince ?? fix
      awaySince = since
      guard fix.seconds - since.seconds >= 2 * criteria.duration.inSeconds else { return }
    }
    endStop(&events)
    guard let meter else { return }
    let seconds = fix.seconds - meter.from.seconds
    creeps = !isExcursion || max(meter.way, meter.from.distance(to: fix)) < Self.creep * seconds
    (isUnderWay, awaySince) = (true, nil)
    events.append(.legBegan(end(meter.from)))
  }

  private mutating func endStop(_ events: inout [TripEvent]) {
    guard isStop, let stay, let meter else {
      stay = nil
      return
    }
    let end = stay.moved > 0 ? meter.from : stay.last
    let climbs = stay.climbs.sums
    events.append(
      .stopEnded(
        Stop(
          start: self.end(stay.from), end: self.end(end),
          coordinate: stay.place.centre.coordinate ?? stay.from.coordinate,
          duration: .seconds(end.seconds - stay.from.seconds),
          ascent: climbs?.ascent, descent: climbs?.descent,
          fixes: stay.from.number..<end.number + 1)))
    (self.stay, isStop) = (nil, false)
  }

  /// Ends the leg at the last fix, if there is one.
  private mutating func endLeg(_ events: inout [TripEvent]) {
    guard isUnderWay, let meter else { return }
    isUnderWay = false
    events.append(.legEnded(leg(meter, to: meter.last, meter.totals)))
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
