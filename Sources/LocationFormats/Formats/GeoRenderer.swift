package import LocationCore
package import LocationText

/// Renders `geo` URIs (RFC 5870), one per line: latitude, longitude, height above the ellipsoid,
/// and the uncertainty in metres.
package struct GeoRenderer: Renderer {
  package init() {}

  package mutating func fix(_ fix: LocationFix, into output: inout TextBuffer) {
    output.append(text: "geo:")
    output.append(number: fix.coordinate.latitude)
    output.append(character: ",")
    output.append(number: fix.coordinate.longitude)
    if let height = fix.altHAE {
      output.append(character: ",")
      output.append(number: height)
    }
    if let accuracy = fix.accuracy, accuracy >= 0 {
      output.append(text: ";u=")
      output.append(accuracy: accuracy, of: fix)
    }
    // Readers that use only the position must not mistake it for a real one.
    if fix.quality == .simulated { output.append(text: ";quality=simulated") }
    output.append(character: "\n")
  }
}

extension LocationFormat {
  /// A `geo` URI (RFC 5870) per line, with the accuracy as its uncertainty. It contains only fixes.
  public static let geoURI = LocationFormat("geo") { _ in GeoRenderer() }
}
