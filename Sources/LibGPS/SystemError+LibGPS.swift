package import LocationCore

extension SystemError.Domain {
  /// The domain of numbers that `gps_open` returns, such as `NL_NOHOST`.
  package static let libgps = SystemError.Domain(rawValue: "libgps")
}

extension SystemError {
  /// Returns the error for a number that `gps_open` returned, such as `NL_NOHOST`.
  package static func libgps(_ number: Int32) -> SystemError { SystemError(.libgps, number) }
}
