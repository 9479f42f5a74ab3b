import GPSDLocation
import LocationFormats
import LocwatchRecordings
import LocwatchSystem

/// The extension of a file's name, which determines the format.
struct FormatEnding {
  /// The extension in lower case, without its dot.
  let text: String
  /// The format of such a file.
  let format: LocationFormat
  /// The names of other formats that are allowed for such a file.
  private let others: Set<String>

  /// - Returns: `nil` for a folder, and for a file with another extension or none.
  init?(_ path: FilePath) {
    guard !path.isFolder else { return nil }
    let name = String(decoding: path.lastComponent, as: UTF8.self)
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return nil }
    text = name[name.index(after: dot)...].lowercased()
    switch text {
    case "gpx": (format, others) = (.gpx, [])
    case "kml": (format, others) = (.kml, [])
    case "geojson": (format, others) = (.geoJSON, [])
    case "json", "jsonl", "ndjson":
      (format, others) = (.ndjson, ["geojson", "owntracks", "signalk"])
    case "csv": (format, others) = (.csv, [])
    case "nmea": (format, others) = (.nmea, [])
    case "prom": (format, others) = (.prometheus, [])
    default: return nil
    }
  }

  /// Returns whether a format is allowed for a file with this extension. A template allows any extension.
  func accepts(_ format: LocationFormat) -> Bool {
    format.name.contains("%") || format.name == self.format.name || others.contains(format.name)
  }
}
