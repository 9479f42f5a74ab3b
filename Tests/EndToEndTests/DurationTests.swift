import DaemonHarness
import Foundation
import Glibc
import Testing

@Suite(.timeLimit(.minutes(3)))
struct `For a given time, locwatch` {
  private static let recording = [Reports.version] + (0..<10).map { Reports.fix($0 * 10) }

  @Test func `ends although nobody reads its output`() async throws {
    let impostor = try Impostor([
      .sendLines(Reports.version), .generate { Array("\(Reports.fix($0))\r\n".utf8) },
    ])
    let locwatch = try Locwatch.start("--json", "--duration", "1s", "127.0.0.1:\(impostor.port)")
    locwatch.output.pause()
    try await waitUntil("end") { locwatch.status != nil }
    #expect(locwatch.status == .exited(0))
  }

  @Test(arguments: ["gpx", "geojson", "csv"])
  func `closes its document at the end, with and without a fix`(format: String) async throws {
    let file = try TemporaryFile(lines: Self.recording)
    for arguments in [["--replay", file.path], ["127.0.0.1:\(try freePort())", "--quiet"]] {
      for output in [ChildProcess.Stream.pipe, .file(try TemporaryFile([]).path)] {
        let locwatch = try Locwatch.start(
          arguments + ["--duration", "1500ms", "-f", format], output: output)
        #expect(try await locwatch.waitForExit() == .exited(0))
        #expect(locwatch.errors.text == "")
        guard output == .pipe else { continue }
        let text = locwatch.output.text
        switch format {
        case "gpx": #expect(text.hasPrefix("<?xml") && text.hasSuffix("</gpx>\n"))
        case "csv": #expect(text.hasPrefix("time,lat,lon,altHAE,device\r\n"))
        default: _ = try JSONSerialization.jsonObject(with: Data(locwatch.output.bytes))
        }
        #expect(
          text.components(separatedBy: "48.118633333").count
            == (arguments.contains("--replay") ? 3 : 1))
      }
    }
  }
}
