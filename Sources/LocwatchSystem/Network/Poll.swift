package import LocationCore

/// Constants and arguments of poll(2).
package enum Poll {
  /// POLLRDHUP, which Swift does not import: the peer has closed its end.
  package static let hangUp: CInt = 0x2000

  /// Returns a duration in milliseconds, at least 1 and at most a second.
  package static func milliseconds(of duration: Nanoseconds) -> CInt {
    CInt(max(1, min(1000, duration.count / 1_000_000)))
  }
}
