package import LocationCore

/// The user's own form, one line a fix. `-` stands for what is unknown.
package struct TemplateRenderer: Renderer {
  private let parts: [Template.Part]
  private let coordinates: CoordinateStyle

  package init(_ template: Template, coordinates: CoordinateStyle = .decimal) {
    parts = template.parts
    self.coordinates = coordinates
  }

  package mutating func fix(_ fix: LocationFix, into output: inout TextBuffer) {
    for part in parts {
      switch part {
      case .text(let text): output.append(text: text)
      case .field(.lat): output.append(latitude: fix.coordinate.latitude, style: coordinates)
      case .field(.lon): output.append(longitude: fix.coordinate.longitude, style: coordinates)
      case .field(let field):
        if !output.append(field, of: fix) { output.append(character: "-") }
      }
    }
    output.append(character: "\n")
  }
}
