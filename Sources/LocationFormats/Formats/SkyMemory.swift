package import LocationCore

/// The satellites last reported for each receiver.
package struct SkyMemory {
  private var skies = ReceiverTable<SkyView>()

  package init() {}

  /// Stores the list of satellites. A report without a list leaves the last one as it is.
  package mutating func remember(_ sky: SkyView) {
    if sky.satellites != nil { skies[sky.device] = sky }
  }

  /// Removes satellites after the link broke, or after a receiver was removed or fell silent.
  package mutating func update(after change: StateChange) {
    switch (change.state, change.subject) {
    case (.connecting, _), (.noService, _), (.noDevice, .link): skies.removeAll()
    case (.noDevice, .receiver(let device)): skies[device] = nil
    case (.lost, .receiver(let device)) where change.loss == .silence: skies[device] = nil
    case (.searching, _), (.fix2D, _), (.fix3D, _), (.lost, _): break
    }
  }

  package func satellites(of device: String?) -> [Satellite]? { skies[device]?.satellites }
}
