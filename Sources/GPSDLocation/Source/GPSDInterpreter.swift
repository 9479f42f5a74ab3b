import LocationCore

/// Says what a report of gpsd's means for a ``LocationProvider``.
struct GPSDInterpreter: Sendable {
  private let device: String?
  /// Until gpsd has confirmed the watch, an error is its answer to it.
  private var awaitsAck = true
  private var recycler = FixRecycler()

  /// - Parameter device: The receiver that was asked for. Reports of others are left out here too,
  ///   because a gpsd that did not understand the request sends them all.
  init(device: String?) { self.device = device }

  /// Returns `nil` for a report that says nothing about places.
  ///
  /// - Parameter received: The time of day at which the report came.
  mutating func event(
    of kind: GPSDDecoder.Kind, in decoder: borrowing GPSDDecoder, received: Timestamp?
  ) -> LocationEvent? {
    switch kind {
    case .tpv:
      guard isWanted(decoder.tpv.device) else { return nil }
      guard var fix = FixValues(decoder.tpv) else { return .noFix(NoFix(decoder.tpv)) }
      fix.received = received
      return .fix(recycler.fix(fix))
    case .sky:
      return isWanted(decoder.sky.device) ? .sky(SkyView(decoder.sky)) : nil
    case .device:
      guard isWanted(decoder.device.path) else { return nil }
      return decoder.device.activated == .closed
        ? .removed(path: decoder.device.path) : .receiver(Receiver(decoder.device))
    case .devices:
      return .receivers(decoder.devices.filter { isWanted($0.path) }.map(Receiver.init))
    case .version:
      return .service(LocationService(name: "gpsd \(decoder.version.release)"))
    case .watch:
      awaitsAck = false
      guard let device, decoder.watch.device != device else { return nil }
      return .notice("gpsd does not confirm that it watches \(device) alone")
    case .error:
      guard let device, awaitsAck else { return .notice(decoder.error.message) }
      awaitsAck = false
      return .refused(path: device, reason: decoder.error.message)
    case .gst, .att, .other, .blank, .malformed:
      return nil
    }
  }

  /// A report that names no receiver is taken for one of the wanted.
  private func isWanted(_ path: String?) -> Bool {
    guard let device, let path, !path.isEmpty else { return true }
    return path == device
  }
}
