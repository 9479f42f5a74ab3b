/// The classes of reports that are decoded, as they are spelled.
enum ReportClass: UInt8, CaseIterable {
  case TPV, SKY, GST, ATT, DEVICE, DEVICES, VERSION, WATCH, ERROR
}

/// The names that occur in reports.
struct DecoderKeys: Sendable {
  let classes = KeyTable(ReportClass.self)
  var tpv = KeyTable(TPV.Field.self)
  var sky = KeyTable(SKY.Field.self)
  var gst = KeyTable(GST.Field.self)
  var att = KeyTable(ATT.Field.self)
  var device = KeyTable(DeviceReport.Field.self)
  var devices = KeyTable(DeviceListRecord.Field.self)
  var version = KeyTable(VersionReport.Field.self)
  var watch = KeyTable(WatchReport.Field.self)
  var error = KeyTable(ErrorReport.Field.self)
  var other = KeyTable(OtherRecord.Field.self)
}
