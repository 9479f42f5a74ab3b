import GPSDLocation
package import LocationFormats

extension Options {
  /// Returns a renderer for the chosen format.
  ///
  /// - Parameter usesColor: Whether text records are coloured.
  package func makeRenderer(usesColor: Bool = false) -> any Renderer {
    switch format {
    case .text:
      TextRenderer(
        positionOnly: once, events: events, coordinates: coordinates, units: units ?? .metric,
        showsSatellites: satellites, usesColor: usesColor, source: source)
    case .json:
      JSONRenderer(
        source: source, events: once ? .fixesOnly : events, showsSatellites: satellites)
    case .csv(let columns):
      CSVRenderer(columns: columns, source: source ?? (takesBest || isOfFleet ? "" : nil))
    case .gpx: GPXRenderer(source: source, limits: isReplay ? .replay : .live)
    case .geojson: GeoJSONRenderer(source: source)
    case .geojsonseq: GeoJSONSequenceRenderer(source: sourceName)
    case .geo: GeoRenderer()
    case .owntracks: OwnTracksRenderer(source: sourceName)
    case .influx: InfluxRenderer(source: sourceName)
    case .signalk: SignalKRenderer(source: sourceName)
    case .nmea: NMEARenderer()
    case .prometheus: PrometheusRenderer(source: sourceName, statistics: GPSDStatistics())
    case .template(let template):
      TemplateRenderer(template, coordinates: coordinates, source: sourceName)
    }
  }
}
