import LocationCore

/// How much a caster may send: far more than corrections take, and so little that it costs nothing.
///
/// The messages of all satellites of four systems, in their longest form, take 5 KB; five times a second they
/// are 25 KB/s. gpsd delays positions from about 1 MB/s on.
struct CasterAllowance {
  /// In bytes a second.
  static let rate = 64 * 1024
  /// How much may come at once, in bytes: what a caster has kept for its next client.
  static let burst = 4 * rate
  private static let byteDuration = Nanoseconds(Int64(1_000_000_000 / rate))

  /// When everything that came would have come at the rate that is allowed.
  private var settled = Moment.past

  /// Records bytes that arrived at a moment.
  ///
  /// - Returns: `false` if they are too many.
  mutating func take(_ count: Int, at now: Moment) -> Bool {
    settled = max(settled, now).later(by: Self.byteDuration * Int64(count))
    return now.nanoseconds(to: settled) <= Self.byteDuration * Int64(Self.burst)
  }
}
