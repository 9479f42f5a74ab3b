/// A format of records, for a ``LocationWriter``.
///
/// Unless a format prescribes others, units are those of a fix: degrees, metres, and metres per second.
public struct LocationFormat: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    case ndjson, gpx, geoJSON, geoJSONSequence, geoURI, text
    case csv([FixField])
    case ownTracks, influx, signalK, nmea
  }

  let kind: Kind

  private init(_ kind: Kind) { self.kind = kind }

  /// NDJSON: an object per line, of which `type` is `fix`, `state` or the name of another change. A
  /// loss is a `state` with its reason and the last position.
  ///
  /// `locwatch --generate schema` prints the JSON Schema of the records.
  public static let ndjson = LocationFormat(.ndjson)

  /// CSV (RFC 4180) with the columns of gpscsv (time, latitude, longitude, and height above the
  /// ellipsoid) and the receiver's path. It has fixes alone; a loss is a gap in their times.
  public static let csv = LocationFormat(.csv(CSVRenderer.defaultColumns))

  /// Returns CSV with the given columns; `nil` if there are none, or one is no field of a fix.
  ///
  /// - Parameter columns: Names of fields, such as `altMSL`, `satsUsed` and `speed:kn`. The manual page
  ///   locwatch(1) lists them with their units.
  public static func csv(columns: [String]) -> LocationFormat? {
    let fields = columns.compactMap(FixField.init(name:))
    return fields.isEmpty || fields.count < columns.count ? nil : LocationFormat(.csv(fields))
  }

  /// GPX 1.1: a document of tracks with speed and course in Garmin's TrackPointExtension v2. After a
  /// loss, the next fix begins a new segment; another receiver begins a new track.
  public static let gpx = LocationFormat(.gpx)

  /// GeoJSON (RFC 7946): a document of one `FeatureCollection`, with the members of NDJSON as
  /// properties of each point. It has fixes alone.
  public static let geoJSON = LocationFormat(.geoJSON)

  /// A sequence of GeoJSON (RFC 8142): a `Feature` for each fix. A loss is a `Feature` without a
  /// geometry, with the state and the reason as properties.
  public static let geoJSONSequence = LocationFormat(.geoJSONSequence)

  /// A `geo` URI (RFC 5870) per line, with the accuracy as its uncertainty. It has fixes alone.
  public static let geoURI = LocationFormat(.geoURI)

  /// Lines for people, of words between spaces: time, state, latitude, longitude, and height above
  /// mean sea level. A loss is a line with its reason and the last position.
  public static let text = LocationFormat(.text)

  /// Messages of OwnTracks, one per line, with speeds in km/h. A loss is a message `lwt`.
  public static let ownTracks = LocationFormat(.ownTracks)

  /// The line protocol of InfluxDB: points of the measurement `gps`. A loss is a point without a
  /// position, whose field `state` says why.
  public static let influx = LocationFormat(.influx)

  /// Deltas of Signal K, one per line, with angles of motion in radians. A loss sets the position and
  /// the other values that were written to `null`.
  public static let signalK = LocationFormat(.signalK)

  /// NMEA 0183: GGA, GSA, GSV and RMC for each fix, with speeds in knots. A loss is a group of
  /// sentences marked as void.
  public static let nmea = LocationFormat(.nmea)
}
