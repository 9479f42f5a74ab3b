/// One report of gpsd's, by its class.
public enum GPSDReport: Hashable, Sendable {
  case tpv(TPV)
  case sky(SKY)
  case gst(GST)
  case att(ATT)
  case device(DeviceReport)
  /// All the receivers that gpsd has; an empty list where it has none.
  case devices([DeviceReport])
  case version(VersionReport)
  case watch(WatchReport)
  case error(ErrorReport)
  /// A report that is not decoded further, such as `AIS`.
  case other(class: String)
}
