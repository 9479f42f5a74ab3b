package import LocationCore
import LocationFormats
package import LocationText

/// Renders a user's template, one line per fix. An unknown value is written as `-`.
package struct TemplateRenderer: Renderer {
  private let parts: [Template.Part]
  private let coordinates: CoordinateStyle
  private var source: String

  package init(
    _ template: Template, coordinates: CoordinateStyle = .decimal, source: String = "localhost"
  ) {
    parts = template.parts
    self.coordinates = coordinates
    self.source = source
  }

  package mutating func begin(source: String) { self.source = source }

  package mutating func fix(_ fix: LocationFix, into output: inout TextBuffer) {
    for part in parts {
      switch part {
      case .text(let text): output.append(text: text)
      case .source: output.append(visible: source)
      case .field(.lat): output.append(latitude: fix.coordinate.latitude, style: coordinates)
      case .field(.lon): output.append(longitude: fix.coordinate.longitude, style: coordinates)
      case .field(let field):
        if !output.append(field, of: fix) { output.append(character: "-") }
      }
    }
    output.append(character: "\n")
  }
}

extension LocationFormat {
  /// Returns the format of a template.
  static func template(_ template: Template, _ text: String) -> LocationFormat {
    var traits: Traits = .coordinates
    if template.names(.lat) || template.names(.lon) { traits.insert(.separateAngles) }
    if template.names(.device) { traits.insert(.receivers) }
    return LocationFormat(text, traits) {
      TemplateRenderer(template, coordinates: $0.coordinates, source: $0.sourceName)
    }
  }

  /// The name of the format in messages.
  var title: String { specification.contains("%") ? "a template" : name }
}
