package import LocationCore

/// `geo` URIs (RFC 5870), one a line: latitude, longitude, height above the ellipsoid, and the
/// uncertainty in metres.
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
    output.append(character: "\n")
  }
}
