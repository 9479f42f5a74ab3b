internal import LocationCore

/// What most readers want of a list of satellites.
struct SkyListSummary: Sendable {
  /// Whether the report has a list.
  var hasList = false
  private(set) var count = 0
  private(set) var used = 0
  /// In dBHz.
  private(set) var strongest: Double?

  @inline(__always)
  mutating func add(_ satellite: Satellite) {
    count += 1
    if satellite.isUsed { used += 1 }
    if let strength = satellite.signalStrength { strongest = max(strength, strongest ?? strength) }
  }
}
