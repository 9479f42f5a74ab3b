/// One report of gpsd's, by its class.
public enum GPSDReport: Hashable, Sendable {
  /// Where a receiver is, when, and how it moves.
  case tpv(TPV)
  /// The satellites over a receiver.
  case sky(SKY)
  /// How noisy a receiver's ranges are.
  case gst(GST)
  /// How a vehicle lies in space.
  case att(ATT)
  /// A receiver that gpsd opened, closed or recognised.
  case device(DeviceReport)
  /// All the receivers that gpsd has; an empty list where it has none.
  case devices([DeviceReport])
  /// Who answers.
  case version(VersionReport)
  /// What gpsd will send.
  case watch(WatchReport)
  /// What gpsd did not like about a command.
  case error(ErrorReport)
  /// A report that is not decoded further, such as `AIS`.
  case other(class: String)
}
