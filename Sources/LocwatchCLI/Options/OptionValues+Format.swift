import LocationFormats
import LocationText
import LocwatchSystem

extension OptionValues {
  /// The names that `--format` accepts, besides templates.
  static let formats = LocationFormat.named.map(\.name)

  /// `gpx` or `csv:time,lat,lon`, with the name in upper or lower case, or a template.
  static func format(_ text: String) throws(UsageError) -> LocationFormat {
    let name = text.lowercased()
    if let named = LocationFormat.named.first(where: { $0.name == name }) { return named }
    if text.contains("%") { return .template(try Template(text), text) }
    if name.hasPrefix("csv:") { return try csv(text.dropFirst(4)) }
    guard let nearest = nearestName(to: text, among: formats) else {
      let names = formats.joined(separator: ", ")
      throw UsageError("unknown format '\(text)': use \(names) or a template, with a %")
    }
    throw UsageError("unknown format '\(text)'; did you mean \(nearest)? (Templates contain %.)")
  }

  private static func csv(_ list: Substring) throws(UsageError) -> LocationFormat {
    var columns: [FixField] = []
    var sourceIndex: Int?
    for name in list.split(separator: ",", omittingEmptySubsequences: false) {
      if name == "source" {
        guard sourceIndex == nil else { throw UsageError("the column source is given twice") }
        sourceIndex = columns.count
      } else if let field = FixField(name: String(name)) {
        columns.append(field)
      } else {
        let names = ["source"] + FixField.allCases.map(\.name)
        let advice =
          nearestName(to: String(name), among: names).map { "; did you mean \($0)?" }
          ?? ": 'man locwatch-formats' lists the columns"
        throw UsageError("'\(name)' is not a column\(advice)")
      }
    }
    return .csv(columns, sourceIndex: sourceIndex)
  }
}

extension UnitSystem {
  /// Reads `GPSD_UNITS`, as gpsd's own clients do; `nil` if it is not set or unknown.
  init?(environment: Environment) {
    self.init(rawValue: environment["GPSD_UNITS"]?.lowercased() ?? "")
  }
}
