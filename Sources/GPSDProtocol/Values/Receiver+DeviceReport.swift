package import LocationCore

extension Receiver {
  /// Creates a receiver from a report. It is active if gpsd reports when it opened the device.
  package init(_ device: DeviceReport) {
    let isActive = if case .opened = device.activated { true } else { false }
    self.init(
      path: device.path, driver: device.driver, subtype: device.subtype,
      bitsPerSecond: device.bps, cycle: device.cycle.flatMap(Duration.init(cycle:)),
      isActive: isActive)
  }
}

extension Duration {
  /// Creates the duration of a reporting cycle; `nil` if it is negative or longer than a day.
  fileprivate init?(cycle: Double) {
    guard (0...86_400).contains(cycle) else { return nil }
    self = .nanoseconds(Int64((cycle * 1e9).rounded()))
  }
}
