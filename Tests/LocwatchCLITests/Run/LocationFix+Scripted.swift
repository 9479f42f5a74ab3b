import LocationCore
import LocationTestKit

extension LocationFix {
  /// The receiver's time at second 0 of a script.
  static let origin = Timestamp(secondsSince1970: 1_795_158_000)

  /// A complete fix of a script.
  ///
  /// - Parameters:
  ///   - second: The receiver's time; `nil` where it knows none.
  ///   - north: How many metres to the north of where it began.
  static func scripted(
    _ second: Double?, north: Double = 0, accuracy: Double? = 5, mode: FixMode = .fix3D,
    device: String = "/dev/a"
  ) -> LocationFix {
    .at(
      latitude: 48 + north / 111_195, longitude: 11, horizontalError: accuracy, mode: mode,
      device: device,
      time: second.map { origin.advanced(by: .milliseconds(Int64(($0 * 1000).rounded()))) })
  }
}
