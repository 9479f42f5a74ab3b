import Foundation
import ReceiverRecordings
import Testing

/// What a real receiver sent on its serial line.
struct ReceiverLog: CustomTestStringConvertible, Sendable {
  let file: URL

  var testDescription: String { file.lastPathComponent }

  static let all: [ReceiverLog] = Recordings.logs.map(ReceiverLog.init)

  /// NMEA and binary, one and several reports an epoch, without a time, without a fix.
  static let handful = all.filter {
    [
      "bu303-nofix", "garmin48", "neo-m8n", "skytraq-bin", "sirfstarv",
      "trimble-lassen_iq-3dfix", "ublox-lea-4s",
    ].contains($0.name)
  }

  var name: String { file.deletingPathExtension().lastPathComponent }

  /// What gpsd reported of it.
  var recording: URL { file.appending(path: "../../json/\(name).jsonl").standardized }

  /// The bytes without the comment on top, in the pieces that a serial line gives.
  func chunks() throws -> [[UInt8]] {
    var bytes = Array(try Data(contentsOf: file))[...]
    while bytes.first == UInt8(ascii: "#"), let end = bytes.firstIndex(of: 0x0a) {
      bytes = bytes[(end + 1)...]
    }
    return stride(from: bytes.startIndex, to: bytes.endIndex, by: 256).map {
      Array(bytes[$0..<min($0 + 256, bytes.endIndex)])
    }
  }
}
