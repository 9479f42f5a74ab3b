package import LocationCore

/// What a ``TripMachine`` found out.
package enum TripEvent: Hashable, Sendable {
  /// A leg has begun at an earlier fix.
  case legBegan(Leg.End)
  /// The leg that had begun has ended at an earlier fix.
  case legEnded(Leg)
  /// The leg that had begun was none: the receiver stopped where it began.
  case legWithdrawn
  /// A stop has ended at an earlier fix.
  case stopEnded(Stop)
}

/// Cuts the time of one receiver into stops and legs, in one pass and in bounded memory.
///
/// Whether a receiver stops is known two minutes later, and whether it moves once it has left the place, so
/// that events are of earlier fixes. To write a file for each leg, keep the fixes from
/// ``undecided`` on:
///
/// ```text
/// held.append(fix)
/// for event in machine.handle(fix, at: moment) {
///   switch event {
///   case .legBegan(let from): open a file; drop what is held from before from.moment
///   case .legEnded(let leg): write what is held up to leg.to.moment; close the file
///   case .legWithdrawn: remove the file
///   case .stopEnded: break
///   }
/// }
/// write, or drop without a file, what is held from before machine.undecided
/// ```
///
/// These are the fixes of about two minutes. ``expire(at:)`` ends a leg in a silence, and ``finish()`` at the
/// end.
package struct TripMachine: Sendable {
  /// A longer silence ends a leg, in seconds.
  private static let longestSilence = 600.0
  /// A receiver that is out of a stop for less than this has not left it, in seconds.
  private static let shortestLeave = 10.0

  /// A stop that goes on.
  private struct Stay: Sendable {
    let from: TripFix
    var place: StopPlace
    /// The last fix that belongs to it.
    var last: TripFix
    /// Since when the receiver is out of reach; `nil` if it is not.
    var left: TripFix?
  }

  private var count = 0
  private var last: TripFix?
  /// A fix that is too far from the one before. The next one shows which of them is wrong.
  private var outlier: TripFix?
  /// The leg that goes on; in a stop, what becomes one if the receiver leaves.
  private var meter: LegMeter?
  /// Whether the leg has left the place where it began.
  private var isUnderWay = false
  private var window = TripWindow()
  /// `nil` in a leg.
  private var stay: Stay?

  package init() {}

  /// The moment of the earliest fix of which it is not decided whether it belongs to a leg; `nil` before the
  /// first fix. What is earlier is decided.
  package var undecided: Moment? {
    isUnderWay ? window.first?.fix.moment ?? last?.moment : meter?.from.moment
  }

  /// The length of the leg that goes on, in metres.
  var way: Double { stay == nil ? meter?.way ?? 0 : 0 }

  /// The speed of the receiver by its way, in metres per second; `nil` if it is unknown.
  var pace: Double? { stay == nil ? meter?.pace : 0 }

  /// Handles a fix that counts.
  ///
  /// - Parameter moment: When it came, by the clock of the updates.
  /// - Returns: What is known now, in the order in which it was.
  package mutating func handle(_ fix: LocationFix, at moment: Moment) -> [TripEvent] {
    defer { count += 1 }
    return handle(TripFix(fix, number: count, at: moment))
  }

  /// Handles the time: a leg ends after ten minutes without a fix.
  package mutating func expire(at moment: Moment) -> [TripEvent] {
    guard stay == nil, isUnderWay, let last,
      last.moment.nanoseconds(to: moment).inSeconds > Self.longestSilence
    else { return [] }
    let events = endLeg()
    begin(at: last)
    return events
  }

  /// Ends what goes on at the last fix.
  package mutating func finish() -> [TripEvent] {
    defer { self = TripMachine() }
    guard let stay else { return endLeg() }
    return [.stopEnded(stop(stay, to: stay.last))]
  }

  private mutating func handle(_ fix: TripFix) -> [TripEvent] {
    var fix = fix
    guard let last else {
      begin(at: fix)
      return []
    }
    let elapsed = last.elapsed(to: fix)
    fix.seconds = last.seconds + elapsed
    if last.isTooFar(from: fix, after: elapsed) {
      guard let jumped = outlier,
        !jumped.isTooFar(from: fix, after: jumped.elapsed(to: fix))
      else {
        outlier = fix
        return []
      }
      // Two fixes say the same: the receiver is there.
      let events = endStay() + endLeg()
      begin(at: jumped)
      fix.seconds = max(fix.seconds, jumped.seconds)
      return events + advance(to: fix, after: 0)
    }
    outlier = nil
    return advance(to: fix, after: elapsed)
  }

  /// Begins a leg, or what may become one.
  private mutating func begin(at fix: TripFix) {
    let meter = LegMeter(from: fix)
    self.meter = meter
    (last, outlier, stay, isUnderWay) = (fix, nil, nil, false)
    window = TripWindow()
    _ = window.add(fix, meter.totals)
  }

  private mutating func advance(to fix: TripFix, after elapsed: Double) -> [TripEvent] {
    defer { last = fix }
    return stay == nil
      ? advanceLeg(to: fix, after: elapsed) : advanceStay(to: fix, after: elapsed)
  }

  private mutating func advanceLeg(to fix: TripFix, after elapsed: Double) -> [TripEvent] {
    if elapsed > Self.longestSilence, let last, !isSamePlace(last, fix) {
      let events = endLeg()
      begin(at: fix)
      return events
    }
    meter?.add(fix)
    guard let meter else { return [] }
    var events: [TripEvent] = []
    if !isUnderWay, hasLeft(meter.from, fix) {
      isUnderWay = true
      events.append(.legBegan(meter.from.end))
    }
    guard window.add(fix, meter.totals) else { return events }
    if let place = window.place, let first = window.first {
      return events + beginStay(at: place, from: first, until: fix)
    }
    if !isUnderWay, fix.seconds - meter.from.seconds > TripWindow.seconds { begin(at: fix) }
    return events
  }

  private mutating func beginStay(
    at place: StopPlace, from first: TripWindow.Entry, until fix: TripFix
  ) -> [TripEvent] {
    defer {
      stay = Stay(from: first.fix, place: place, last: fix)
      meter = LegMeter(from: fix)
      isUnderWay = false
      window = TripWindow()
    }
    guard isUnderWay, let meter else { return [] }
    guard first.fix.number > meter.from.number else { return [.legWithdrawn] }
    return [.legEnded(meter.leg(to: first.fix, first.totals))]
  }

  private mutating func advanceStay(to fix: TripFix, after elapsed: Double) -> [TripEvent] {
    guard var stay, let candidate = meter?.from else { return [] }
    if stay.place.contains(fix) {
      stay.place.add(fix)
      stay.last = fix
      stay.left = nil
      // What goes on within reach for longer is no way out.
      if stay.place.isAtRest(fix) || fix.seconds - candidate.seconds > TripWindow.seconds {
        meter = LegMeter(from: fix)
      } else {
        meter?.add(fix)
      }
      self.stay = stay
      return []
    }
    if elapsed > Self.longestSilence {
      begin(at: fix)
      return [.stopEnded(stop(stay, to: stay.last))]
    }
    meter?.add(fix)
    let left = stay.left ?? fix
    stay.left = left
    self.stay = stay
    guard fix.seconds - left.seconds >= Self.shortestLeave, let meter else { return [] }
    self.stay = nil
    window = TripWindow()
    _ = window.add(fix, meter.totals)
    isUnderWay = hasLeft(meter.from, fix)
    return [.stopEnded(stop(stay, to: meter.from))]
      + (isUnderWay ? [.legBegan(meter.from.end)] : [])
  }

  private mutating func endStay() -> [TripEvent] {
    guard let ended = stay.take() else { return [] }
    return [.stopEnded(stop(ended, to: ended.last))]
  }

  /// Ends the leg at the last fix, if there is one.
  private mutating func endLeg() -> [TripEvent] {
    guard isUnderWay, let meter else { return [] }
    isUnderWay = false
    return [.legEnded(meter.leg(to: meter.last, meter.totals))]
  }

  private func stop(_ stay: Stay, to end: TripFix) -> Stop {
    Stop(
      from: stay.from.time, to: end.time,
      coordinate: stay.place.centre.coordinate ?? stay.from.coordinate,
      duration: .seconds(end.seconds - stay.from.seconds),
      fixes: stay.from.number..<end.number + 1)
  }

  /// Returns whether a receiver may have stood at the same place all the time between two fixes.
  private func isSamePlace(_ first: TripFix, _ second: TripFix) -> Bool {
    first.isSlow != false && second.isSlow != false
      && first.point.distance(to: second.point) <= reach(of: first, second)
  }

  /// Returns whether two fixes are too far apart to be of one stop.
  private func hasLeft(_ start: TripFix, _ fix: TripFix) -> Bool {
    start.point.distance(to: fix.point) > 2 * reach(of: start, fix)
  }

  private func reach(of first: TripFix, _ second: TripFix) -> Double {
    TripFix.reach(error: max(first.error ?? 0, second.error ?? 0))
  }
}
