import LocationCore

/// Says what a report of gpsd's means for a ``LocationProvider``.
struct GPSDInterpreter: Sendable {
  private let device: String?
  private let tally: GPSDTally?
  /// The receiver that was told of last.
  private var lastNamed: String?
  /// Until gpsd has confirmed the watch, an error is its answer to it.
  private var awaitsAck = true
  // The last ones that were given out. Their memory is used again for the next.
  private var fix = LocationFix.blank
  private var sky = SkyView()

  /// - Parameters:
  ///   - device: The receiver that was asked for. Reports of others are left out here too, because a
  ///     gpsd that did not understand the request sends them all.
  ///   - tally: Is told which receivers there are where one was asked for.
  init(device: String?, tally: GPSDTally? = nil) {
    self.device = device
    self.tally = tally
  }

  /// Returns `nil` for a report that says nothing about places.
  ///
  /// - Parameters:
  ///   - decoder: Is only read. A stored value that is borrowed would be copied, all its records.
  ///   - received: The time of day at which the report came.
  mutating func event(
    of kind: GPSDDecoder.Kind, in decoder: inout GPSDDecoder, received: Timestamp?
  ) -> LocationEvent? {
    switch kind {
    case .tpv:
      return event(of: decoder.tpv, received: received)
    case .sky:
      guard isWanted(decoder.sky.device) else { return nil }
      sky.replace(decoder.skyValues)
      return .sky(sky)
    case .device:
      guard isWanted(decoder.device.path) else { return nil }
      return decoder.device.activated == .closed
        ? .removed(path: decoder.device.path) : .receiver(Receiver(decoder.device))
    case .devices:
      var receivers: [Receiver] = []
      for device in decoder.devices where isWanted(device.path) {
        receivers.append(Receiver(device))
      }
      return .receivers(receivers)
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

  private mutating func event(of tpv: TPV, received: Timestamp?) -> LocationEvent? {
    guard isWanted(tpv.device) else { return nil }
    guard tpv.hasFix, let coordinate = tpv.coordinate else { return .noFix(NoFix(tpv)) }
    tpv.fill(&fix, at: coordinate, received: received)
    return .fix(fix)
  }

  /// A report that names no receiver is taken for one of the wanted.
  private mutating func isWanted(_ path: String?) -> Bool {
    device == nil || isWantedOne(path ?? "")
  }

  private mutating func isWantedOne(_ path: String) -> Bool {
    if path != lastNamed {
      lastNamed = path
      tally?.note(receiver: path)
    }
    return path.isEmpty || path == device
  }
}
