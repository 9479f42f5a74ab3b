import DaemonHarness
import Foundation
import GPSDLocation
import LocationFormats
import LocationSamples
import Testing

/// The product LocationFormats, compared with the command.
@Suite(.timeLimit(.minutes(3)))
struct `The records of a LocationWriter` {
  private static let fixtures = ["drive", "tunnel", "two-receivers", "unplug-replug"]

  @Test(arguments: FormatCase.streamed, fixtures)
  func `are the same as the command's, byte for byte`(
    format: FormatCase, fixture: String
  ) async throws {
    let path = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Fixtures/\(fixture).jsonl").standardizedFileURL.path
    let command = try await Locwatch.run("--replay", path, "--format", format.name)

    var writer = LocationWriter(format.format)
    var text = writer.begin()
    let session = try RecordedSession(contentsOf: path)
    for try await update in GPSDLocationSource(replaying: session).updates() {
      text += writer.write(update)
    }
    text += writer.end()
    let isMixed = fixture == "two-receivers" && format.mixture == .mixed
    let receivers = ["gps0", "gps1"].map { "/tmp/locwatch-sim/two-receivers/\($0)" }
    let warning =
      "locwatch: \(receivers.joined(separator: " and ")) are mixed in the output without their "
      + "names: choose one with --device\n"
    #expect(
      command == .init(status: .exited(0), output: text, errors: isMixed ? warning : ""))
    #expect(text.utf8.count > 400)
  }
}
