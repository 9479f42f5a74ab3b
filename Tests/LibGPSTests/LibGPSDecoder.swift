import CGPS
import CGPSUnpack
import GPSDLocation
import GPSDProtocol

/// libgps's decoder, made safe to call.
///
/// It is not thread-safe, so that there is one, and its memory lives as long as the process.
final class LibGPSDecoder {
  let gps = UnsafeMutablePointer<gps_data_t>.allocate(capacity: 1)
  private let line = UnsafeMutablePointer<CChar>.allocate(
    capacity: LineFramer.maximumLineLength + 1)

  deinit {
    gps.deallocate()
    line.deallocate()
  }

  /// Decodes one line: whether libgps takes it.
  func decode(_ bytes: ArraySlice<UInt8>) -> Bool {
    for (offset, byte) in bytes.enumerated() { line[offset] = CChar(bitPattern: byte) }
    line[bytes.count] = 0
    return lw_unpack(line, gps) == 0
  }

  /// Why libgps must not see a report: `gps_unpack` would never return.
  static func whyNot(_ kind: GPSDDecoder.Kind, in decoder: GPSDDecoder) -> String? {
    let maximumPathLength = Int(GPS_PATH_MAX) - 1
    return switch kind {
    case .devices where decoder.devices.count > lw_unpacked_most_devices():
      "it loops for ever on more devices than it has room for"
    case .devices where decoder.devices.contains { $0.path.utf8.count > maximumPathLength }:
      "it loops for ever on a path that it has no room for"
    case .device where decoder.device.path.utf8.count > maximumPathLength:
      "it has no room for the path"
    case .sky where (decoder.sky.satellites?.count ?? 0) > lw_unpacked_most_satellites():
      "it drops a report with more satellites than it has room for"
    case .device where decoder.device.activated == .closed:
      #"it refuses "activated":0"#
    case .other: "we do not decode the class"
    default: nil
    }
  }
}
