package import LocationCore

extension Receiver {
  /// What the device sends if gpsd has recognised it as something else than a receiver of positions; `nil` for a
  /// receiver, and before gpsd has recognised anything.
  package var otherData: String? {
    switch driver {
    case "AIVDM": "the reports of ships"
    case "RTCM104V2", "RTCM104V3": "corrections"
    default: nil
    }
  }
}
