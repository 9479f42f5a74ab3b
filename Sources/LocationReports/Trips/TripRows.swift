import LocationCore

/// The rows of a trip, as events. Each begins where the one before has ended.
struct TripRows: Sendable {
  private var times = AgreeingTimes()
  /// Where the last row ended; `nil` before the first one.
  private(set) var end: TripFix?
  private(set) var events: [TripEvent] = []

  mutating func record(_ fix: LocationFix, at moment: Moment) {
    if let time = fix.time { times.record(time, at: moment.sinceStart) }
  }

  /// Returns the events since the last call.
  mutating func take() -> [TripEvent] {
    defer { events = [] }
    return events
  }

  mutating func beginLeg(at fix: TripFix) { events.append(.legBegan(timed(fix))) }

  mutating func beginStop(at fix: TripFix) { events.append(.stopBegan(timed(fix))) }

  mutating func add(_ meter: LegMeter) {
    extend(from: meter.from, to: meter.last)
    var leg = meter.leg
    (leg.start, leg.end) = (timed(meter.from), timed(meter.last))
    assert(leg.meanSpeed ?? 0 <= leg.topSpeed ?? .infinity, "a mean speed above the top speed")
    events.append(.legEnded(leg))
  }

  mutating func add(_ rest: Rest, until last: TripFix) {
    let from = rest.stay.from
    extend(from: from, to: last)
    let climbs = rest.climbs.sums
    events.append(
      .stopEnded(
        Stop(
          start: timed(from), end: timed(last),
          coordinate: rest.stay.place.coordinate ?? from.coordinate,
          duration: .seconds(last.seconds - from.seconds), ascent: climbs?.ascent,
          descent: climbs?.descent, fixes: from.number..<last.number + 1)))
  }

  /// Adds a gap from the end of the last row.
  ///
  /// - Parameter origin: Where the observation began, if there is no row.
  mutating func addGap(from origin: TripFix, to fix: TripFix) {
    let from = end ?? origin
    extend(from: from, to: fix)
    events.append(
      .gapEnded(
        Gap(
          start: timed(from), end: timed(fix), duration: .seconds(fix.seconds - from.seconds),
          distance: from.distance(to: fix), fix: fix.number)))
  }

  private mutating func extend(from: TripFix, to last: TripFix) {
    assert(end.map { $0.number == from.number } ?? true, "a row that does not follow the last one")
    assert(from.number <= last.number, "a row that ends before it begins")
    end = last
  }

  private func timed(_ fix: TripFix) -> Leg.End {
    var end = fix.end
    // By the receiver's clock, if it is believed.
    end.time = times.time(fix.time, at: fix.moment.sinceStart)
    return end
  }
}

extension Moment {
  fileprivate var sinceStart: Nanoseconds { Nanoseconds(uptimeNanoseconds) }
}
