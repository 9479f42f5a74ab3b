/// The classes of reports that are decoded, as they are spelled.
enum ReportClass: UInt8, CaseIterable {
  case TPV, SKY, GST, ATT, DEVICE, DEVICES, VERSION, WATCH, ERROR
}

/// The names that occur in reports.
struct DecoderKeys: Sendable {
  let `class` = JSONKey("class".utf8)
  let classes = KeyTable(ReportClass.self)
  let tpv = KeyTable(TPV.Field.self)
  let sky = KeyTable(SKY.Field.self)
  let gst = KeyTable(GST.Field.self)
  let att = KeyTable(ATT.Field.self)
  let device = KeyTable(DeviceReport.Field.self)
  let devices = KeyTable(DeviceListRecord.Field.self)
  let version = KeyTable(VersionReport.Field.self)
  let watch = KeyTable(WatchReport.Field.self)
  let error = KeyTable(ErrorReport.Field.self)
  let other = KeyTable(OtherRecord.Field.self)
}
