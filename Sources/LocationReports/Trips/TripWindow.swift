/// The fixes of the last two minutes of a leg, one a second, which turn out to be a stop or not.
struct TripWindow: Sendable {
  struct Entry: Sendable {
    let fix: TripFix
    /// What was measured of the leg up to the fix.
    let totals: LegMeter.Totals
  }

  /// The least length of a stop, in seconds.
  static let seconds = 120.0
  /// How far apart fixes are, in seconds. Times are not exact to the nanosecond.
  private static let step = 0.99
  /// The least number of fixes that show a stop of a receiver that never stands.
  private static let manyFixes = 10

  private var entries: [Entry] = []
  private var dropped = 0

  /// The earliest entry; `nil` if there is none.
  var first: Entry? { entries.isEmpty ? nil : entries[dropped] }

  /// Adds a fix, unless the last one is less than a second before. Returns whether it was added.
  mutating func add(_ fix: TripFix, _ totals: LegMeter.Totals) -> Bool {
    if let last = entries.last, fix.seconds - last.fix.seconds < Self.step { return false }
    entries.append(Entry(fix: fix, totals: totals))
    while dropped + 1 < entries.count,
      fix.seconds - entries[dropped + 1].fix.seconds >= Self.seconds
    { dropped += 1 }
    if dropped > 64 {
      entries.removeFirst(dropped)
      dropped = 0
    }
    return true
  }

  /// Returns the place at which 19 of 20 fixes of two minutes are, if the first and the last one are at rest,
  /// or none is; `nil` if there is none.
  var place: StopPlace? {
    guard let first = first?.fix, let last = entries.last?.fix,
      last.seconds - first.seconds >= Self.seconds
    else { return nil }
    let reach = TripFix.reach(error: max(first.error ?? 0, last.error ?? 0))
    guard first.point.distance(to: last.point) <= 2 * reach else { return nil }
    let fixes = entries[dropped...].map(\.fix)
    let place = StopPlace(of: fixes)
    guard place.contains(first), place.contains(last),
      20 * fixes.count(where: { !place.contains($0) }) <= fixes.count
    else { return nil }
    if place.isAtRest(first), place.isAtRest(last) { return place }
    return fixes.count >= Self.manyFixes && !fixes.contains(where: place.isAtRest) ? place : nil
  }
}
