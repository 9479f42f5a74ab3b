import LocationCore
package import LocationFormats

/// A format, and what tests of all formats expect of it: they loop over ``all``.
package struct FormatCase: Sendable, CustomStringConvertible {
  /// What the fixes of several receivers become.
  package enum Mixture: Sendable {
    /// Each record names its receiver.
    case named
    /// Nobody can tell them apart.
    case mixed
    /// The tracks of the receivers alternate.
    case alternating
  }

  /// What a record has to be.
  package enum Grammar: Sendable {
    case line, json, csv, geojson, gpx, kml, object, nmea, metrics
  }

  package let format: LocationFormat
  /// The beginning of the document of ``Samples/lost`` and ``Samples/flat``.
  package let start: String
  package let mixture: Mixture
  package let grammar: Grammar

  package var name: String { format.name }
  package var description: String { name }

  private init(_ format: LocationFormat, _ mixture: Mixture, _ grammar: Grammar, start: String) {
    self.format = format
    self.start = start
    self.mixture = mixture
    self.grammar = grammar
  }

  package static let all: [FormatCase] = [
    FormatCase(.text, .named, .line, start: "2026-11-20T07:06:31.090Z lost /dev/ttyACM0"),
    FormatCase(.ndjson, .named, .json, start: #"{"type":"state","state":"lost""#),
    FormatCase(.csv, .named, .csv, start: "time,lat,lon,altHAE,device\r\n"),
    FormatCase(.gpx, .alternating, .gpx, start: "<?xml"),
    FormatCase(.kml, .alternating, .kml, start: "<?xml"),
    FormatCase(.geoJSON, .named, .geojson, start: #"{"type":"FeatureCollection""#),
    FormatCase(.ownTracks, .mixed, .object, start: #"{"_type":"location""#),
    FormatCase(.signalK, .named, .object, start: #"{"context":"vessels.self","updates":[{"#),
    FormatCase(.nmea, .mixed, .nmea, start: "$GNGGA,070513.000"),
    FormatCase(.prometheus, .named, .metrics, start: "# HELP locwatch_up Whether gpsd answers."),
  ]

  /// Those that can be written to stdout.
  package static let streamed = all.filter { $0.format != .prometheus }
}
