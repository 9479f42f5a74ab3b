package import LocationCore

/// Renders CSV (RFC 4180), one line per fix. The cell of an unknown value is empty.
package struct CSVRenderer: Renderer {
  /// The columns of gpscsv.
  package static let defaultColumns: [FixField] = [.time, .lat, .lon, .altHAE]

  private let columns: [FixField]
  private let lineEnd = ShortText("\r\n")

  package init(columns: [FixField] = CSVRenderer.defaultColumns) { self.columns = columns }

  package mutating func begin(into output: inout TextBuffer) {
    output.append(text: columns.map(\.rawValue).joined(separator: ",") + "\r\n")
  }

  package mutating func fix(_ fix: LocationFix, into output: inout TextBuffer) {
    for (index, column) in columns.enumerated() {
      if index > 0 { output.append(character: ",") }
      if column == .device {
        output.append(csv: fix.device ?? "")
      } else {
        output.append(column, of: fix)
      }
    }
    output.append(lineEnd)
  }
}
