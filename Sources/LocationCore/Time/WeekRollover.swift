/// GPS counts its weeks from zero again after 1,024 of them (IS-GPS-200, 20.3.3.3.1.1).
extension Timestamp {
  private static let week = Nanoseconds.seconds(7 * 86_400)

  /// Returns how many times 1,024 weeks `other` is later than this time, to within a week: one to three times, or
  /// as many times earlier; `nil` for anything else.
  package func rollovers(to other: Timestamp) -> Int? {
    let (late, turn) = (nanoseconds(to: other), Self.week * 1024)
    // Nearly all times end the comparison here, without a division.
    guard late.magnitude > turn / 2 else { return nil }
    let count = (late.inSeconds / turn.inSeconds).rounded()
    let rest = late - turn * Int64(count)
    // No firmware is older than GPS.
    guard 1...3 ~= abs(count), rest.magnitude < Self.week else { return nil }
    return Int(count)
  }

  /// Returns the same of a receiver's time and the local clock if the receiver is wrong. It is `nil` if the clock may be:
  /// one that was never set, or one that is later than a date at which a receiver can have reported to this program.
  package func rollovers(toClock clock: Timestamp) -> Int? {
    guard clock >= .clocksAreSet, let count = rollovers(to: clock) else { return nil }
    return count < 0 || self < .clocksAreSet ? count : nil
  }

  /// Returns the time that is later by a number of times 1,024 weeks, -3 to 3.
  func advanced(byRollovers count: Int) -> Timestamp {
    later(by: Self.week * 1024 * Int64(count))
  }
}
