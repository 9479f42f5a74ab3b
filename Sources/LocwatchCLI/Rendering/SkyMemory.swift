import LocationCore

/// The satellites last reported for each receiver.
struct SkyMemory {
  private var skies: [SkyView] = []

  /// More receivers than a gpsd has; what goes beyond is not kept.
  private static let mostReceivers = 64

  /// Keeps the list of satellites. A report without one says nothing, and erases none.
  mutating func remember(_ sky: SkyView) {
    guard sky.satellites != nil else { return }
    if let index = skies.firstIndex(where: { $0.device == sky.device }) {
      skies[index] = sky
    } else if skies.count < Self.mostReceivers {
      skies.append(sky)
    }
  }

  /// Forgets what a broken link, or a receiver that is removed or silent, makes untrue.
  mutating func update(after change: StateChange) {
    switch (change.state, change.device) {
    case (.connecting, _), (.noDaemon, _), (.noDevice, nil): skies.removeAll()
    case (.noDevice, let device?): skies.removeAll { $0.device == device }
    case (.lost, let device?) where change.reason == "silence":
      skies.removeAll { $0.device == device }
    case (.searching, _), (.fix2D, _), (.fix3D, _), (.lost, _): break
    }
  }

  func satellites(of device: String) -> [Satellite]? {
    skies.first { $0.device == device }?.satellites
  }
}
