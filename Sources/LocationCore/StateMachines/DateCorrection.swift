/// Adds the multiples of 1,024 weeks that the dates of a receiver lack.
///
/// A date is corrected if it is off from a right clock by such a multiple to within the seconds that a report can be
/// late. From then on, dates that are off by the same multiple to within a week are corrected, however late they
/// come.
struct DateCorrection: Sendable {
  /// Returns by how many seconds the clock can be wrong; `nil` if nothing keeps it right.
  private let clockError: @Sendable () -> Double?
  /// How many times 1,024 weeks the receiver's dates are too early; `nil` until that is known.
  private var count: Int?

  init(clockError: @escaping @Sendable () -> Double?) { self.clockError = clockError }

  /// Corrects a time of the receiver.
  ///
  /// - Parameter clock: When the report with the time arrived, by the clock; `nil` if that is unknown.
  /// - Returns: How many times 1,024 weeks were added; `nil` if the time stays as it is.
  mutating func correct(_ time: inout Timestamp?, by clock: Timestamp?) -> Int? {
    guard let told = time, let clock, clock >= .clocksAreSet, let count = told.rollovers(to: clock)
    else { return nil }
    let corrected = told.advanced(byRollovers: count)
    if count != self.count {
      let ahead = clock.nanoseconds(to: corrected).inSeconds
      let excess = ahead > 0 ? ahead - TimeDoubt.early : -ahead - TimeDoubt.late
      guard let error = clockError(), excess <= error else { return nil }
      self.count = count
    }
    time = corrected
    return count
  }
}
