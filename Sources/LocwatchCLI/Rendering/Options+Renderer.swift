extension Options {
  /// A renderer for the format that was asked for.
  ///
  /// Pass it to a generic function: it is then opened once, and not at each record.
  ///
  /// - Parameter usesColor: Whether records of text are coloured.
  package func makeRenderer(usesColor: Bool = false) -> any Renderer {
    switch format {
    case .text:
      TextRenderer(
        isAlone: once, events: events, coordinates: coordinates, units: units ?? .metric,
        showsSatellites: satellites, usesColor: usesColor)
    case .json:
      JSONRenderer(
        source: source, events: once ? .fixesOnly : events, showsSatellites: satellites)
    case .csv(let columns): CSVRenderer(columns: columns)
    case .gpx: GPXRenderer()
    case .geojson: GeoJSONRenderer()
    case .geo: GeoRenderer()
    case .template(let template): TemplateRenderer(template, coordinates: coordinates)
    }
  }
}
