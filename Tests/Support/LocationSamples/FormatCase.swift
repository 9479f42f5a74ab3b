import LocationCore
package import LocationFormats

/// A format, and what tests of all formats expect of it: they loop over ``all``.
package struct FormatCase: Sendable, CustomStringConvertible {
  /// What a record has to be.
  package enum Grammar: Sendable {
    case line, json, csv, geojson, gpx, kml, object, nmea, metrics
  }

  package let format: LocationFormat
  /// The beginning of the document of ``Samples/lost`` and ``Samples/flat``.
  package let start: String
  package let grammar: Grammar

  package var name: String { format.name }
  package var description: String { name }

  private init(_ format: LocationFormat, _ grammar: Grammar, start: String) {
    self.format = format
    self.start = start
    self.grammar = grammar
  }

  package static let all: [FormatCase] = [
    FormatCase(.text, .line, start: "2026-11-20T07:06:31.090Z lost /dev/ttyACM0"),
    FormatCase(.ndjson, .json, start: #"{"type":"state","state":"lost""#),
    FormatCase(.csv, .csv, start: "time,lat,lon,altHAE,device\r\n"),
    FormatCase(.gpx, .gpx, start: "<?xml"),
    FormatCase(.kml, .kml, start: "<?xml"),
    FormatCase(.geoJSON, .geojson, start: #"{"type":"FeatureCollection""#),
    FormatCase(.ownTracks, .object, start: #"{"_type":"location""#),
    FormatCase(.signalK, .object, start: #"{"context":"vessels.self","updates":[{"#),
    FormatCase(.nmea, .nmea, start: "$GNGGA,070513.000"),
    FormatCase(.prometheus, .metrics, start: "# HELP locwatch_up Whether gpsd answers."),
  ]
}
