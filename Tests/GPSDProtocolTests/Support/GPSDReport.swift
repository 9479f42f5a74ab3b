import GPSDProtocol

/// One report of gpsd's as a value of its own, by its class, to compare it whole.
enum GPSDReport: Equatable {
  case tpv(TPV)
  case sky(SKY)
  case gst(GST)
  case att(ATT)
  case device(DeviceReport)
  case devices([DeviceReport])
  case version(VersionReport)
  case watch(WatchReport)
  case error(ErrorReport)
  case other(class: String)
}

extension GPSDDecoder {
  /// The report in one line; `nil` where that is blank or malformed.
  mutating func report(in line: Span<UInt8>) -> GPSDReport? {
    switch decode(line) {
    case .tpv: .tpv(tpv)
    case .sky: .sky(sky)
    case .gst: .gst(gst)
    case .att: .att(att)
    case .device: .device(device)
    case .devices: .devices(devices)
    case .version: .version(version)
    case .watch: .watch(watch)
    case .error: .error(error)
    case .other: .other(class: otherClass)
    case .blank, .malformed: nil
    }
  }
}
