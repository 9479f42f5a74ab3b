package import LocationCore

/// NDJSON: one record a line, with gpsd's own names.
package struct JSONRenderer: Renderer {
  private let fixStart: [UInt8]
  private let stateStart: [UInt8]
  private let events: Options.EventChoice
  private let showsSatellites: Bool
  private var skies = SkyMemory()

  package init(
    source: String? = nil, events: Options.EventChoice = .all, showsSatellites: Bool = false
  ) {
    fixStart = Self.start(of: "fix", source: source)
    stateStart = Self.start(of: "state", source: source)
    self.events = events
    self.showsSatellites = showsSatellites
  }

  package mutating func fix(_ fix: LocationFix, into output: inout [UInt8]) {
    guard events != .transitionsOnly else { return }
    output.append(contentsOf: fixStart)
    output.append(jsonOriginOf: fix)
    output.append(jsonMember: #","lat":"#, fix.coordinate.latitude)
    output.append(jsonMember: #","lon":"#, fix.coordinate.longitude)
    output.append(jsonQuantitiesOf: fix)
    if showsSatellites, let satellites = skies.satellites(of: fix.device) {
      output.append(jsonSatellites: satellites)
    }
    output.append(text: "}\n")
  }

  package mutating func state(_ change: StateChange, into output: inout [UInt8]) {
    skies.update(after: change)
    guard events != .fixesOnly else { return }
    output.append(contentsOf: stateStart)
    output.append(jsonMember: #","state":"#, change.state.rawValue)
    output.append(jsonMember: #","previous":"#, change.previous?.rawValue)
    if let reason = change.reason {
      output.append(text: #","reason":"#)
      output.append(json: reason, longest: longestTextShown)
    }
    output.append(jsonMember: #","device":"#, change.device.flatMap { $0.isEmpty ? nil : $0 })
    if let lastFix = change.lastFix {
      output.append(text: #","lastFix":""#)
      output.append(time: lastFix)
      output.append(character: "\"")
    }
    if let retryIn = change.retryIn {
      output.append(text: #","retryIn":"#)
      output.append(rounded: retryIn.inSeconds, places: 3)
    }
    if let received = change.moment.wall {
      output.append(text: #","received":""#)
      output.append(milliseconds: received)
      output.append(character: "\"")
    }
    output.append(text: "}\n")
  }

  package mutating func sky(_ sky: SkyView, into output: inout [UInt8]) {
    if showsSatellites { skies.remember(sky) }
  }

  private static func start(of type: String, source: String?) -> [UInt8] {
    var start = Array(#"{"type":"\#(type)""#.utf8)
    start.append(jsonMember: #","source":"#, source)
    return start
  }
}
