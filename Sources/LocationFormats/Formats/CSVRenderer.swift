package import LocationCore
package import LocationText

/// Renders CSV (RFC 4180), one line per fix. The cell of an unknown value is empty. If the source has a name,
/// a column contains it, by default the first one.
package struct CSVRenderer: Renderer {
  /// The columns of gpscsv, followed by the receiver, because there can be several.
  package static let defaultColumns: [FixField] = [
    .time, .lat, .lon, .quantity(.altHAE), .device,
  ]

  private let columns: [FixField]
  private var source: String?
  /// The number of columns before the column of the source.
  private let sourceIndex: Int
  private let lineEnd = ShortText("\r\n")

  package init(
    columns: [FixField] = CSVRenderer.defaultColumns, source: String? = nil, sourceIndex: Int = 0
  ) {
    self.columns = columns
    self.source = source
    self.sourceIndex = sourceIndex
  }

  package var continuesDocuments: Bool { true }

  package mutating func begin(into output: inout TextBuffer) {
    var names = columns.map(\.name)
    if source != nil { names.insert("source", at: sourceIndex) }
    output.append(text: names.joined(separator: ",") + "\r\n")
  }

  package mutating func begin(source: String) {
    // Every line has as many cells as the header.
    if self.source != nil { self.source = source }
  }

  package mutating func fix(_ fix: LocationFix, into output: inout TextBuffer) {
    for (index, column) in columns.enumerated() {
      if index > 0 { output.append(character: ",") }
      if let source, index == sourceIndex {
        output.append(csv: source)
        output.append(character: ",")
      }
      if column == .device {
        output.append(csv: fix.device ?? "")
      } else {
        output.append(column, of: fix)
      }
    }
    if let source, sourceIndex == columns.count {
      if sourceIndex > 0 { output.append(character: ",") }
      output.append(csv: source)
    }
    output.append(lineEnd)
  }
}

extension LocationFormat {
  /// CSV (RFC 4180) with the columns of gpscsv (time, latitude, longitude, and height above the ellipsoid) and the
  /// receiver's path. It contains only fixes; a loss appears only as a gap in their times.
  package static let csv = csv("csv", CSVRenderer.defaultColumns)

  /// Returns CSV with the given columns, or with the columns of ``csv`` if there are none.
  package static func csv(columns: [FixField]) -> LocationFormat {
    columns.isEmpty ? .csv : csv(columns)
  }

  /// Returns CSV with the given columns.
  ///
  /// - Parameter sourceIndex: The number of columns before the column of the source. If it is `nil`, the
  ///   first column contains the source, but only if the source has a name.
  package static func csv(
    _ columns: [FixField], sourceIndex: Int? = nil
  ) -> LocationFormat {
    if columns == CSVRenderer.defaultColumns, sourceIndex == nil { return .csv }
    var names = columns.map(\.name)
    if let sourceIndex { names.insert("source", at: sourceIndex) }
    return csv("csv:" + names.joined(separator: ","), columns, sourceIndex: sourceIndex)
  }

  private static func csv(
    _ specification: String, _ columns: [FixField], sourceIndex: Int? = nil
  ) -> LocationFormat {
    var traits: LocationFormat.Traits = columns.contains(.device) ? .receivers : []
    // An average has columns of its own.
    if columns == CSVRenderer.defaultColumns, sourceIndex == nil { traits.insert(.averages) }
    return LocationFormat(specification, traits, endings: ["csv"]) {
      if $0.isAverage { return AverageRenderer(.csv, $0) }
      let unnamed = sourceIndex == nil ? nil : $0.sourceName
      return CSVRenderer(
        columns: columns, source: $0.source ?? ($0.isOfSeveralSources ? "" : unnamed),
        sourceIndex: sourceIndex ?? 0)
    }
  }
}
