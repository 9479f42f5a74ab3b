import LocationCore

extension Moment {
  /// The moment this number of seconds after the start of a test's clock.
  static func at(_ seconds: Double) -> Moment {
    Moment(uptime: .milliseconds(Int64((seconds * 1000).rounded())))
  }
}
