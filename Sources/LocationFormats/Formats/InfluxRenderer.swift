package import LocationCore
package import LocationText

/// Renders InfluxDB's line protocol: a point of the measurement `gps` for each fix, and a point without a
/// position when the position is no longer current. The latest `state` shows whether the latest position is
/// current.
package struct InfluxRenderer: Renderer {
  private let tags: String
  private var fixed = ReceiversWithFix()

  package init(source: String) {
    var text = TextBuffer()
    text.append(text: "gps,source=")
    text.append(tag: source)
    tags = text.string
  }

  /// The quantities that are floats, without those that few receivers report.
  private static let quantities = QuantitySet(
    FixField.quantities.filter { $0.row.kind == .number && $0.row.group != .rare })

  package mutating func begin(source: String) {
    let fixed = fixed
    self = InfluxRenderer(source: source)
    self.fixed = fixed
  }

  package mutating func fix(_ fix: LocationFix, into output: inout TextBuffer) {
    // The server would use its own time for a point without one.
    guard let time = fix.time ?? fix.received else { return }
    fixed.record(fix)
    begin(device: fix.device, into: &output)
    output.append(text: " lat=")
    output.append(number: fix.coordinate.latitude)
    output.append(text: ",lon=")
    output.append(number: fix.coordinate.longitude)
    var quantities = Self.quantities
    while let quantity = quantities.popFirst() {
      output.append(quantity.row.name, quantity == .eph ? fix.accuracy : fix.shown(quantity))
    }
    output.append("age", fix.age)
    output.append("timeJump", fix.timeJump?.inSeconds)
    output.append("satsUsed", integer: fix.satellitesUsed)
    output.append("satsSeen", integer: fix.satellitesSeen)
    output.append("mode", integer: Int(fix.mode.rawValue))
    if let quality = fix.quality { output.append(",quality", quoted: quality.name) }
    if !fix.isCurrent { output.append(text: ",current=false") }
    let state = fix.mode == .fix3D ? LocationState.fix3D : .fix2D
    output.append(",state", quoted: state.rawValue)
    end(at: time, into: &output)
  }

  package mutating func state(_ change: StateChange, into output: inout TextBuffer) {
    guard let instant = change.instant else { return }
    for device in fixed.end(by: change) {
      begin(device: device, into: &output)
      output.append(" state", quoted: change.state.rawValue)
      if let reason = change.reason { output.append(",reason", quoted: reason) }
      end(at: instant, into: &output)
    }
  }

  private func begin(device: String?, into output: inout TextBuffer) {
    output.append(text: tags)
    if let device, !device.isEmpty {
      output.append(text: ",device=")
      output.append(tag: device)
    }
  }

  private func end(at time: Timestamp, into output: inout TextBuffer) {
    output.append(character: " ")
    output.append(integer: Int(time.nanosecondsSince1970))
    output.append(character: "\n")
  }
}

extension TextBuffer {
  fileprivate mutating func append(_ name: String, _ number: Double?) {
    guard let number else { return }
    append(character: ",")
    append(text: name)
    append(character: "=")
    append(number: number)
  }

  fileprivate mutating func append(_ name: String, integer: Int?) {
    guard let integer else { return }
    append(character: ",")
    append(text: name)
    append(character: "=")
    append(integer: integer)
    append(character: "i")
  }

  fileprivate mutating func append(_ name: String, quoted text: String) {
    var visible = TextBuffer()
    visible.append(visible: text, maximum: .max)
    append(text: name)
    append(text: "=\"")
    for byte in visible.bytes {
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { append(character: "\\") }
      append(byte)
    }
    append(character: "\"")
  }

  /// Appends the value of a tag. VictoriaMetrics reads two backslashes as one, and InfluxDB as two. A
  /// backslash in the text therefore becomes `\u{5c}`.
  fileprivate mutating func append(tag text: String) {
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": append(text: "\\u{5c}")
      case " ", ",", "=":
        append(character: "\\")
        append(character: scalar)
      default: append(visible: String(scalar), maximum: .max)
      }
    }
  }
}

extension LocationFormat {
  /// The line protocol of InfluxDB: points of the measurement `gps`. A loss is a point without a position, with the
  /// state and the reason as fields.
  public static let influx = LocationFormat("influx", .receivers) {
    InfluxRenderer(source: $0.sourceName)
  }
}
