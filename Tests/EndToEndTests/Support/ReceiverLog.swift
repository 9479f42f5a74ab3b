import Foundation
import Testing

/// What a real receiver sent on its serial line. The logs are not part of this package.
struct ReceiverLog: CustomTestStringConvertible, Sendable {
  let name: String

  var testDescription: String { name }

  static let whyNone: Comment =
    "there are no logs of receivers in LOCWATCH_RECEIVERS, nor in ../shared/receivers"

  static let all: [ReceiverLog] = {
    let names = try? FileManager.default.contentsOfDirectory(atPath: folder)
    return (names ?? []).filter { $0.hasSuffix(".log") }.sorted().map(ReceiverLog.init)
  }()

  /// NMEA and binary, one and several reports an epoch, without a time, without a fix.
  static let handful = all.filter {
    [
      "bu303-nofix.log", "garmin48.log", "neo-m8n.log", "skytraq-bin.log", "sirfstarv.log",
      "trimble-lassen_iq-3dfix.log", "ublox-lea-4s.log",
    ].contains($0.name)
  }

  private static let folder: String = {
    let given = ProcessInfo.processInfo.environment["LOCWATCH_RECEIVERS"]
    let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let beside = package.deletingLastPathComponent().appending(path: "shared/receivers").path()
    return (given ?? beside) + "/log"
  }()

  var path: String { "\(Self.folder)/\(name)" }

  /// What gpsd reported of it.
  var reports: String {
    "\(Self.folder)/../json/\(name.replacingOccurrences(of: ".log", with: ".jsonl"))"
  }

  /// The bytes without the comment on top, in the pieces that a serial line gives.
  func chunks() throws -> [[UInt8]] {
    var bytes = Array(try Data(contentsOf: URL(filePath: "\(Self.folder)/\(name)")))[...]
    while bytes.first == UInt8(ascii: "#"), let end = bytes.firstIndex(of: 0x0a) {
      bytes = bytes[(end + 1)...]
    }
    return stride(from: bytes.startIndex, to: bytes.endIndex, by: 256).map {
      Array(bytes[$0..<min($0 + 256, bytes.endIndex)])
    }
  }
}
