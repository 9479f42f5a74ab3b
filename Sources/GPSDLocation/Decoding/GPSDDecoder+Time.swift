import LocationCore

extension GPSDDecoder {
  /// The receiver's own time in the report that was decoded last, where it has one.
  func time(of kind: Kind) -> Timestamp? {
    switch kind {
    case .tpv: tpv.time
    case .sky: sky.time
    case .gst: gst.time
    case .att: att.time
    case .device, .devices, .version, .watch, .error, .other, .blank, .malformed: nil
    }
  }
}
