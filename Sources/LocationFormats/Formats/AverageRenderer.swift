package import LocationCore
package import LocationText

/// Renders the mean of a receiver's positions, as a record instead of fixes.
package struct AverageRenderer: Renderer {
  package enum Form: Sendable { case text, json, csv }

  private static let columns = [
    "from", "to", "lat", "lon", "altHAE", "altMSL", "east", "north", "up", "fixes", "outliers",
    "device",
  ]

  private let form: Form
  private let style: RecordStyle
  private let keys = JSONKeys.shared

  package init(_ form: Form, _ style: RecordStyle) {
    self.form = form
    self.style = style
  }

  package mutating func begin(into output: inout TextBuffer) {
    guard form == .csv else { return }
    let columns = (style.source == nil ? [] : ["source"]) + Self.columns
    output.append(text: columns.joined(separator: ",") + "\r\n")
  }

  package mutating func state(_ change: StateChange, into output: inout TextBuffer) {}
  package mutating func fix(_ fix: LocationFix, into output: inout TextBuffer) {}

  package mutating func average(_ mean: MeanPosition, into output: inout TextBuffer) {
    switch form {
    case .text: appendText(of: mean, to: &output)
    case .json: appendJSON(of: mean, to: &output)
    case .csv: appendCells(of: mean, to: &output)
    }
  }

  /// `48.118633333 11.517333333 545.4 0.31 0.28 0.62 600`: latitude, longitude, height above mean sea level, the
  /// standard errors to the east, to the north and in height, and the number of fixes.
  private func appendText(of mean: MeanPosition, to output: inout TextBuffer) {
    output.append(startOf: style.source)
    output.append(mean.coordinate, style: style.coordinates)
    let error = mean.standardError
    for length in [mean.altMSL, error.east, error.north, error.up] {
      output.append(character: " ")
      if let length {
        output.append(height: length, in: style.units)
      } else {
        output.append(character: "-")
      }
    }
    output.append(character: " ")
    output.append(integer: mean.fixCount)
    output.append(character: "\n")
  }

  private func appendJSON(of mean: MeanPosition, to output: inout TextBuffer) {
    output.append(jsonStartOf: "average", source: style.source, keys)
    output.append(keys.device, mean.device)
    if let start = mean.start { output.append(jsonTime: start, after: keys.from) }
    if let end = mean.end { output.append(jsonTime: end, after: keys.to) }
    output.append(keys.lat, mean.coordinate.latitude)
    output.append(keys.lon, mean.coordinate.longitude)
    output.append(keys.key(of: .altHAE), mean.altHAE)
    output.append(keys.key(of: .altMSL), mean.altMSL)
    output.append(keys.errEast, mean.standardError.east)
    output.append(keys.errNorth, mean.standardError.north)
    output.append(keys.errUp, mean.standardError.up)
    output.append(keys.fixes, mean.fixCount)
    output.append(keys.outliers, mean.outlierCount)
    output.append(keys.end)
  }

  private func appendCells(of mean: MeanPosition, to output: inout TextBuffer) {
    if let source = style.source {
      output.append(csv: source)
      output.append(character: ",")
    }
    for time in [mean.start, mean.end] {
      if let time { output.append(time: time) }
      output.append(character: ",")
    }
    let error = mean.standardError
    let numbers = [
      mean.coordinate.latitude, mean.coordinate.longitude, mean.altHAE, mean.altMSL, error.east,
      error.north, error.up,
    ]
    for number in numbers {
      if let number { output.append(number: number) }
      output.append(character: ",")
    }
    output.append(text: "\(mean.fixCount),\(mean.outlierCount),")
    output.append(csv: mean.device ?? "")
    output.append(text: "\r\n")
  }
}
