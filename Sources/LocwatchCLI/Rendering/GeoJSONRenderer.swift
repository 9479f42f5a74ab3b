package import LocationCore

/// GeoJSON (RFC 7946): a collection of points, whose properties are the members of the JSON
/// records.
package struct GeoJSONRenderer: Renderer {
  private let keys = JSONKeys()
  private var isEmpty = true

  package init() {}

  package var trailer: String { "\n]}\n" }

  package mutating func begin(into output: inout TextBuffer) {
    output.append(text: #"{"type":"FeatureCollection","features":["#)
  }

  package mutating func fix(_ fix: LocationFix, into output: inout TextBuffer) {
    output.append(text: isEmpty ? "\n" : ",\n")
    isEmpty = false
    output.append(text: #"{"type":"Feature","geometry":{"type":"Point","coordinates":["#)
    output.append(number: fix.coordinate.longitude)
    output.append(character: ",")
    output.append(number: fix.coordinate.latitude)
    if let height = fix.altHAE {
      output.append(character: ",")
      output.append(number: height)
    }
    output.append(text: #"]},"properties":{"type":"fix""#)
    output.append(keys.device, fix.device.isEmpty ? nil : fix.device)
    output.append(jsonCircumstancesOf: fix, keys)
    output.append(jsonQuantitiesOf: fix, keys)
    output.append(text: "}}")
  }
}
