/// GPS counts its weeks from zero again after 1,024 of them (IS-GPS-200, 20.3.3.3.1.1).
extension Timestamp {
  private static let week = Nanoseconds.seconds(7 * 86_400)

  /// Returns how many times 1,024 weeks `other` is later than this time, to within a week: one to three times, or
  /// as many times earlier; `nil` for anything else.
  package func rollovers(to other: Timestamp) -> Int? {
    let (late, turn) = (nanoseconds(to: other), Self.week * 1024)
    let count = (late.inSeconds / turn.inSeconds).rounded()
    let rest = late - turn * Int64(count)
    // No firmware is older than GPS.
    guard 1...3 ~= abs(count), rest < Self.week, .zero - rest < Self.week else { return nil }
    return Int(count)
  }

  /// Returns the time that is later by a number of times 1,024 weeks, -3 to 3.
  func advanced(byRollovers count: Int) -> Timestamp {
    later(by: Self.week * 1024 * Int64(count))
  }
}
