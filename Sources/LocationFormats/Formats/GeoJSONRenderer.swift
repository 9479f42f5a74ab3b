package import LocationCore
package import LocationText

/// Renders GeoJSON (RFC 7946): a collection of points with the members of the JSON records as
/// properties.
package struct GeoJSONRenderer: Renderer {
  private let keys = JSONKeys.shared
  private var source: String?
  private var isEmpty = true

  package init(source: String? = nil) { self.source = source }

  package var trailer: String { "\n]}\n" }

  package mutating func begin(into output: inout TextBuffer) {
    output.append(text: #"{"type":"FeatureCollection","features":["#)
  }

  package mutating func begin(source: String) { self.source = source }

  package mutating func resume(after other: inout any Renderer, into output: inout TextBuffer) {
    if let other = other as? GeoJSONRenderer { isEmpty = other.isEmpty }
  }

  package mutating func fix(_ fix: LocationFix, into output: inout TextBuffer) {
    output.append(text: isEmpty ? "\n" : ",\n")
    isEmpty = false
    output.append(feature: fix, source: source, keys)
  }
}

extension TextBuffer {
  /// Appends a Feature of GeoJSON, with the members of the JSON record as properties.
  mutating func append(feature fix: LocationFix, source: String?, _ keys: JSONKeys) {
    append(text: #"{"type":"Feature","geometry":{"type":"Point","coordinates":["#)
    append(number: fix.coordinate.longitude)
    append(character: ",")
    append(number: fix.coordinate.latitude)
    if let height = fix.ellipsoidalAltitude {
      append(character: ",")
      append(number: height)
    }
    append(text: #"]},"properties":"#)
    append(jsonStartOf: "fix", source: source, keys)
    append(keys.device, fix.device)
    append(jsonCircumstancesOf: fix, keys)
    append(jsonQuantitiesOf: fix, keys)
    append(text: "}}")
  }
}

extension LocationFormat {
  /// GeoJSON (RFC 7946): a document of one `FeatureCollection`, with the members of NDJSON as
  /// properties of each point. It contains only fixes.
  package static let geoJSON = LocationFormat(
    "geojson", [.receivers, .legs], endings: ["geojson"] + LocationFormat.jsonEndings
  ) {
    GeoJSONRenderer(source: $0.source)
  }
}
