package import LocationText

/// A format of records.
///
/// Units are degrees, metres, and metres per second, unless a format prescribes others.
package struct LocationFormat: Sendable {
  /// The format as `--format` accepts it, such as `gpx` or `csv:time,lat,lon`.
  package let specification: String
  package let traits: Traits
  /// The extensions of files that may have the format. The first format in ``named`` that has an extension is the one
  /// that it chooses.
  package let endings: [String]
  /// Returns a renderer for the records of a source.
  package let makeRenderer: @Sendable (RecordStyle) -> any Renderer

  package init(
    _ specification: String, _ traits: Traits = [], endings: [String] = [],
    makeRenderer: @escaping @Sendable (RecordStyle) -> any Renderer
  ) {
    self.specification = specification
    self.traits = traits
    self.endings = endings
    self.makeRenderer = makeRenderer
  }

  /// The formats that need only their names, and ``csv``, in the order of the help.
  package static let named: [LocationFormat] = [
    .text, .ndjson, .csv, .gpx, .kml, .geoJSON, .ownTracks, .signalK, .nmea,
    .prometheus,
  ]

  /// The extensions of files of any JSON.
  static let jsonEndings = ["json", "jsonl", "ndjson"]

  /// The name of the format, without columns.
  package var name: String {
    String(specification.prefix { $0 != ":" })
  }
}

extension LocationFormat: Hashable {
  /// Whether both formats are specified in the same way.
  package static func == (first: LocationFormat, second: LocationFormat) -> Bool {
    first.specification == second.specification
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(specification) }
}

extension LocationFormat {
  /// A capability of a format.
  package struct Traits: OptionSet, Sendable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Records of only transitions and regions.
    package static let transitions = Traits(rawValue: 1)
    /// Satellites, if they are requested.
    package static let satellites = Traits(rawValue: 2)
    /// gpsd's own reports.
    package static let reports = Traits(rawValue: 4)
    /// A choice of units.
    package static let units = Traits(rawValue: 8)
    /// Positions in each ``CoordinateStyle``.
    package static let coordinates = Traits(rawValue: 16)
    /// Separate latitudes and longitudes. Grid coordinates do not have them.
    package static let separateAngles = Traits(rawValue: 32)
    /// The receiver of each fix.
    package static let receivers = Traits(rawValue: 64)
    /// The mean of positions, with its standard errors.
    package static let averages = Traits(rawValue: 128)
    /// Complete documents of positions, of which each leg of a trip can have one.
    package static let legs = Traits(rawValue: 256)
  }
}

/// The options for records of any format. A format ignores the options that it cannot apply.
package struct RecordStyle: Sendable {
  /// The name of the source; `nil` if it has none.
  package var source: String?
  /// The name of the source for formats that need one.
  package var sourceName = "localhost"
  /// Whether several sources take turns. Each source is named before its records.
  package var isOfSeveralSources = false
  /// Whether only the first fix is written.
  package var isOnce = false
  /// Whether the mean of positions is written instead of fixes.
  package var isAverage = false
  package var events = EventChoice.all
  package var coordinates = CoordinateStyle.decimal
  package var units = UnitSystem.metric
  package var showsSatellites = false
  package var usesColor = false
  /// Whether memory may grow with the length of the run, as in a replay.
  package var isReplay = false

  package init() {}
}
