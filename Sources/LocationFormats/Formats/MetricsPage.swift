import LocationText

/// A page in Prometheus's text format. Each sample has the label `source`.
struct MetricsPage {
  typealias Label = (name: String, value: String)

  private var buffer = TextBuffer()
  private var name = ""
  /// The source of the samples that follow.
  var source = ""

  var text: String { buffer.string }

  /// Begins a metric that can rise and fall. Its samples follow.
  mutating func gauge(_ name: String, _ help: String) { begin(name, help, type: "gauge") }

  /// Begins a metric that only rises. Its samples follow.
  mutating func counter(_ name: String, _ help: String) { begin(name, help, type: "counter") }

  private mutating func begin(_ name: String, _ help: String, type: String) {
    self.name = name
    buffer.append(text: "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n")
  }

  /// Appends a sample.
  ///
  /// - Parameter device: The receiver; `nil` for the link, and for a receiver without a name.
  mutating func sample(_ value: Double, device: String? = nil, _ label: Label? = nil) {
    buffer.append(text: name)
    append(label: ("source", source), after: "{")
    if let device { append(label: ("device", device), after: ",") }
    if let label { append(label: label, after: ",") }
    buffer.append(text: "} ")
    if let integer = Int(exactly: value) {
      buffer.append(integer: integer)
    } else {
      buffer.append(number: value)
    }
    buffer.append(character: "\n")
  }

  private mutating func append(label: Label, after separator: Unicode.Scalar) {
    var visible = TextBuffer()
    visible.append(visible: label.value, maximum: .max)
    buffer.append(character: separator)
    buffer.append(text: label.name)
    buffer.append(text: "=\"")
    for byte in visible.bytes {
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
        buffer.append(character: "\\")
      }
      buffer.append(byte)
    }
    buffer.append(character: "\"")
  }
}
