import LocationFormats

extension OptionValues {
  /// The names that `--format` accepts, besides templates.
  static let formats = LocationFormat.named.map(\.name)

  /// `gpx`, `csv:time,lat,lon`, or a template.
  static func format(_ text: String) throws(UsageError) -> LocationFormat {
    if let named = LocationFormat.named.first(where: { $0.name == text }) { return named }
    if text.contains("%") { return .template(try Template(text), text) }
    if text.hasPrefix("csv:") { return .csv(try columns(text.dropFirst(4))) }
    guard let nearest = nearestName(to: text, among: formats) else {
      let names = formats.joined(separator: ", ")
      throw UsageError("unknown format '\(text)': use \(names) or a template, with a %")
    }
    throw UsageError("unknown format '\(text)'; did you mean \(nearest)? (Templates contain %.)")
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
