/// The classes of reports that are decoded, as they are spelled.
enum ReportClass: Int, CaseIterable, CodingKey {
  case TPV, SKY, GST, ATT, DEVICE, DEVICES, VERSION, WATCH, ERROR
}

/// The names that occur in reports.
struct DecoderKeys: Sendable {
  private(set) var classes = KeyTable()
  var tpv = KeyTable()
  var sky = KeyTable()
  var gst = KeyTable()
  var att = KeyTable()
  var device = KeyTable()
  var devices = KeyTable()
  var version = KeyTable()
  var watch = KeyTable()
  var error = KeyTable()
  var other = KeyTable()

  /// Takes the names that every report needs.
  @inline(__always)
  mutating func prepare() {
    classes.prepare(for: ReportClass.self)
    other.prepare(for: OtherRecord.Field.self)
  }
}
