package import LocationCore

/// NDJSON: one record a line, with gpsd's own names.
package struct JSONRenderer: Renderer {
  private let keys = JSONKeys()
  private let source: String?
  private let events: Options.EventChoice
  private let showsSatellites: Bool
  private var skies = SkyMemory()
  /// How all fixes of a device begin.
  private var starts: [(device: String, text: [ShortText])] = []
  /// More receivers than a gpsd has; beyond, all are forgotten and learned anew.
  private static let mostReceivers = 64

  package init(
    source: String? = nil, events: Options.EventChoice = .all, showsSatellites: Bool = false
  ) {
    self.source = source
    self.events = events
    self.showsSatellites = showsSatellites
  }

  package mutating func fix(_ fix: LocationFix, into output: inout TextBuffer) {
    guard events != .transitionsOnly else { return }
    let device = fix.device
    output.append(start(ofFixesBy: device))
    output.append(jsonCircumstancesOf: fix, keys)
    output.append(keys.lat, fix.coordinate.latitude)
    output.append(keys.lon, fix.coordinate.longitude)
    output.append(jsonQuantitiesOf: fix, keys)
    if showsSatellites, let satellites = skies.satellites(of: device) {
      output.append(satellites, keys)
    }
    output.append(keys.end)
  }

  package mutating func state(_ change: StateChange, into output: inout TextBuffer) {
    skies.update(after: change)
    guard events != .fixesOnly else { return }
    output.append(jsonStartOf: "state", source: source, keys)
    output.append(keys.state, change.state.rawValue)
    output.append(keys.previous, change.previous?.rawValue)
    output.append(keys.reason, change.reason, longest: longestTextShown)
    output.append(keys.device, change.device.flatMap { $0.isEmpty ? nil : $0 })
    if let lastFix = change.lastFix { output.append(lastFix: lastFix, keys) }
    if let retryIn = change.retryIn {
      output.append(keys.retryIn)
      output.append(rounded: retryIn.inSeconds, places: 3)
    }
    if let received = change.moment.wall {
      output.append(jsonMilliseconds: received, after: keys.received)
    }
    output.append(keys.end)
  }

  package mutating func sky(_ sky: SkyView, into output: inout TextBuffer) {
    if showsSatellites { skies.remember(sky) }
  }

  private mutating func start(ofFixesBy device: String) -> [ShortText] {
    if let known = starts.first(where: { $0.device == device }) { return known.text }
    var text = TextBuffer()
    text.append(jsonStartOf: "fix", source: source, keys)
    text.append(keys.device, device.isEmpty ? nil : device)
    if starts.count == Self.mostReceivers { starts.removeAll() }
    starts.append((device, ShortText.pieces(of: text)))
    return ShortText.pieces(of: text)
  }
}
