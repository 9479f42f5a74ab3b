package import LocationCore

/// Renders CSV (RFC 4180), one line per fix. The cell of an unknown value is empty. If the source has a
/// name, it is in the first column.
package struct CSVRenderer: Renderer {
  /// The columns of gpscsv, and the receiver, because there can be several.
  package static let defaultColumns: [FixField] = [
    .time, .lat, .lon, .quantity(.altHAE), .device,
  ]

  private let columns: [FixField]
  private var source: String?
  private let lineEnd = ShortText("\r\n")

  package init(columns: [FixField] = CSVRenderer.defaultColumns, source: String? = nil) {
    self.columns = columns
    self.source = source
  }

  package mutating func begin(into output: inout TextBuffer) {
    let names = (source == nil ? [] : ["source"]) + columns.map(\.name)
    output.append(text: names.joined(separator: ",") + "\r\n")
  }

  package mutating func begin(source: String) {
    // All lines have as many cells as the header.
    if self.source != nil { self.source = source }
  }

  package mutating func fix(_ fix: LocationFix, into output: inout TextBuffer) {
    if let source {
      output.append(csv: source)
      output.append(character: ",")
    }
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

extension LocationFormat {
  /// CSV (RFC 4180) with the columns of gpscsv (time, latitude, longitude, and height above the
  /// ellipsoid) and the receiver's path. It has fixes alone; a loss is a gap in their times.
  public static let csv = csv("csv", CSVRenderer.defaultColumns)

  /// Returns CSV with the given columns. Without any, the columns are those of ``csv``.
  public static func csv(columns: [FixField]) -> LocationFormat {
    columns.isEmpty ? .csv : csv(columns)
  }

  /// Returns CSV with the given columns.
  package static func csv(_ columns: [FixField]) -> LocationFormat {
    columns == CSVRenderer.defaultColumns
      ? .csv : csv("csv:" + columns.map(\.name).joined(separator: ","), columns)
  }

  private static func csv(_ specification: String, _ columns: [FixField]) -> LocationFormat {
    var traits: LocationFormat.Traits = columns.contains(.device) ? .receivers : []
    // An average has columns of its own.
    if columns == CSVRenderer.defaultColumns { traits.insert(.averages) }
    return LocationFormat(specification, traits) {
      if $0.isAverage { return AverageRenderer(.csv, $0) }
      return CSVRenderer(columns: columns, source: $0.source ?? ($0.isOfSeveralSources ? "" : nil))
    }
  }
}
