import DaemonHarness
import Foundation
import GPSDLocation
import LocationReports
import Testing

/// Reports of the library and of the command.
@Suite(.timeLimit(.minutes(5))) struct `A report by the library` {
  private static let recordings = [
    "cold-start", "drive", "hour", "no-receiver", "several-tpvs", "ten-hertz", "tunnel",
    "two-receivers", "unplug-replug",
  ]

  @Test(arguments: recordings, [true, false])
  func `is that of the command`(name: String, hasReceiveTimes: Bool) async throws {
    let fixture = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Fixtures/\(name).jsonl").standardizedFileURL
    let lines = try String(contentsOf: fixture, encoding: .utf8)
      .split(whereSeparator: \.isNewline).map(String.init)
      .filter { hasReceiveTimes || !$0.hasPrefix(#"{"class":"LOCWATCH""#) }
    let recording = try TemporaryFile(lines: lines)
    let file = try TemporaryFile()
    defer { withExtendedLifetime((recording, file)) {} }
    let path = "\(file.path).json"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let run = try await Locwatch.run("--replay", recording.path, "--report", path)
    var report = LocationReport()
    let provider = try GPSDLocationSource.recorded(contentsOf: recording.path)
    try await report.add(contentsOf: provider.updates(retries: .never))
    if run.status == .exited(0) {
      #expect(report.json() == (try String(contentsOfFile: path, encoding: .utf8)))
    } else {
      #expect(name == "no-receiver" && report.receivers.isEmpty)
    }
  }
}
