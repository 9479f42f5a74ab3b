package import LocationCore
package import LocationText

/// Renders a sequence of GeoJSON (RFC 8142): a record separator and a Feature per line. When a
/// position is no longer current, a Feature without a geometry has the state and the reason.
package struct GeoJSONSequenceRenderer: Renderer {
  private static let recordSeparator: UInt8 = 0x1e

  private let keys = JSONKeys.shared
  private var source: String
  private var fixed = FixedReceivers()

  package init(source: String) { self.source = source }

  package mutating func begin(source: String) { self.source = source }

  package mutating func fix(_ fix: LocationFix, into output: inout TextBuffer) {
    fixed.record(fix)
    output.append(Self.recordSeparator)
    output.append(feature: fix, source: source, keys)
    output.append(character: "\n")
  }

  package mutating func state(_ change: StateChange, into output: inout TextBuffer) {
    for device in fixed.end(by: change) {
      output.append(Self.recordSeparator)
      output.append(text: #"{"type":"Feature","geometry":null,"properties":"#)
      output.append(jsonStartOf: "state", source: source, keys)
      output.append(keys.device, device)
      if let instant = change.instant { output.append(jsonTime: instant, after: keys.time) }
      output.append(keys.state, change.state.rawValue)
      output.append(keys.reason, change.reason, maximum: maximumTextShown)
      output.append(text: "}}\n")
    }
  }
}

extension LocationFormat {
  /// A sequence of GeoJSON (RFC 8142): a `Feature` for each fix. A loss is a `Feature` without a
  /// geometry, with the state and the reason as properties.
  public static let geoJSONSequence = LocationFormat("geojsonseq", .receivers) {
    GeoJSONSequenceRenderer(source: $0.sourceName)
  }
}
