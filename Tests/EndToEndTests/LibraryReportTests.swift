import DaemonHarness
import Foundation
import GPSDLocation
import LocationReports
import Testing

/// Reports of the library and of the command.
@Suite(.timeLimit(.minutes(5))) struct `A report by the library` {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../Fixtures").standardizedFileURL
  private static let recordings =
    (try? FileManager.default.contentsOfDirectory(atPath: folder.path))?
    .filter { $0.hasSuffix(".jsonl") }.sorted() ?? ["the folder of fixtures"]

  /// What is done to a recording.
  enum Variant: CaseIterable {
    case asItIs, withoutReceiveTimes
    /// The receiver is silent at the end.
    case longer

    func apply(to lines: [String]) -> [String] {
      switch self {
      case .asItIs: lines
      case .withoutReceiveTimes: lines.filter { !$0.hasPrefix(#"{"class":"LOCWATCH""#) }
      case .longer: lines + [#"{"class":"LOCWATCH","t":90000.000}"#]
      }
    }
  }

  @Test(arguments: recordings, Variant.allCases)
  func `is the same as the command's`(name: String, variant: Variant) async throws {
    let lines = variant.apply(
      to: try String(contentsOf: Self.folder.appending(path: name), encoding: .utf8)
        .split(whereSeparator: \.isNewline).map(String.init))
    let recording = try TemporaryFile(lines: lines)
    let file = try TemporaryFile()
    defer { withExtendedLifetime((recording, file)) {} }
    let path = "\(file.path).json"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let run = try await Locwatch.run("--replay", recording.path, "--report", path)
    var report = LocationReport()
    let provider = try GPSDLocationSource.recorded(contentsOf: recording.path)
    try await report.add(contentsOf: provider.updates(retries: .never))
    var looped = LocationReport()
    let again = try GPSDLocationSource.recorded(contentsOf: recording.path)
    for try await timed in again.updates(retries: .never).timed { looped.add(timed) }
    looped.end(at: again.clock.now)
    #expect(looped.json() == report.json())
    if run.status == .exited(0) {
      #expect(report.json() == (try String(contentsOfFile: path, encoding: .utf8)))
    } else {
      #expect(name == "no-receiver.jsonl" && report.receivers.isEmpty)
    }
  }
}
