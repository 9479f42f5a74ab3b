package import LocationFormats

/// The format of the output.
package enum OutputFormat: Equatable, Sendable {
  case text
  case json
  /// The columns, by default those of gpscsv and the receiver.
  case csv([FixField])
  case gpx
  case geojson, geojsonseq
  case geo
  case owntracks, influx, signalk, nmea, prometheus
  case template(Template)
}

extension OutputFormat {
  /// The names that `--format` accepts, besides templates.
  static let words = [
    "text", "json", "csv", "gpx", "geojson", "geojsonseq", "geo", "owntracks", "influx", "signalk",
    "nmea", "prometheus",
  ]

  /// The name of the format in messages.
  var name: String {
    switch self {
    case .text: "text"
    case .json: "json"
    case .csv: "csv"
    case .gpx: "gpx"
    case .geojson: "geojson"
    case .geojsonseq: "geojsonseq"
    case .geo: "geo"
    case .owntracks: "owntracks"
    case .influx: "influx"
    case .signalk: "signalk"
    case .nmea: "nmea"
    case .prometheus: "prometheus"
    case .template: "a template"
    }
  }

  init(_ text: String) throws(UsageError) {
    switch text {
    case "text": self = .text
    case "json": self = .json
    case "csv": self = .csv(CSVRenderer.defaultColumns)
    case "gpx": self = .gpx
    case "geojson": self = .geojson
    case "geojsonseq": self = .geojsonseq
    case "geo": self = .geo
    case "owntracks": self = .owntracks
    case "influx": self = .influx
    case "signalk": self = .signalk
    case "nmea": self = .nmea
    case "prometheus": self = .prometheus
    case _ where text.contains("%"): self = .template(try Template(text))
    case _ where text.hasPrefix("csv:"): self = .csv(try Self.columns(text.dropFirst(4)))
    default:
      guard let nearest = nearestName(to: text, among: Self.words) else {
        let words = Self.words.joined(separator: ", ")
        throw UsageError("unknown format '\(text)': use \(words) or a template, with a %")
      }
      throw UsageError("unknown format '\(text)'; did you mean \(nearest)? (Templates contain %.)")
    }
  }

  private static func columns(_ list: Substring) throws(UsageError) -> [FixField] {
    var columns: [FixField] = []
    for name in list.split(separator: ",", omittingEmptySubsequences: false) {
      guard let field = FixField(name: String(name)) else {
        let nearest = nearestName(to: String(name), among: FixField.allCases.map(\.name))
        throw UsageError(
          "'\(name)' is not a column" + (nearest.map { "; did you mean \($0)?" } ?? ""))
      }
      columns.append(field)
    }
    return columns
  }
}

extension UnitSystem {
  /// Reads `GPSD_UNITS`, as gpsd's own clients do; `nil` if it is not set or unknown.
  init?(environment: Environment) {
    self.init(rawValue: environment["GPSD_UNITS"]?.lowercased() ?? "")
  }
}
