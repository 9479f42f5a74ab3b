import LocationCore
import LocationFormats

/// The JSON Schema of the records that `--json` writes: `locwatch.schema.json`. The properties of all
/// quantities replace its member `insert`.
enum OutputSchema {
  static var text: String {
    let template = String(decoding: PackageResources.locwatch_schema_json, as: UTF8.self)
    return template.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0 == mark ? fields : String($0) }.joined(separator: "\n")
  }

  private static let mark = #"        "insert": "quantities","#

  /// The properties of a fix after its position, from the table of quantities.
  private static var fields: String {
    FixField.quantities.map { property(for: $0.row) }.joined(separator: "\n")
  }

  private static func property(for row: LocationFix.Quantity.Row) -> String {
    let keywords = type(of: row) + ["\"description\": \"\(row.meaning)\""]
    return """
              "\(row.name)": {
                \(keywords.joined(separator: ",\n          "))
              },
      """
  }

  private static func limits(of range: QuantityRange) -> [String] {
    [("minimum", range.minimum), ("maximum", range.maximum)].compactMap { name, limit in
      limit.map { "\"\(name)\": \(Int(exactly: $0).map(String.init) ?? "\($0)")" }
    }
  }

  /// The keywords for the values, each with its value.
  private static func type(of row: LocationFix.Quantity.Row) -> [String] {
    switch row.kind {
    case .number: return [#""type": "number""#] + limits(of: row.range)
    case .integer: return [#""type": "integer""#] + limits(of: row.range)
    case .words(let words):
      let names = words.filter { !$0.isEmpty }.map { "            \"\($0)\"" }
      return ["\"enum\": [\n\(names.joined(separator: ",\n"))\n          ]"]
    }
  }
}
