import DaemonHarness
import SimulatedReceiver
import Testing

/// `--class`: gpsd's reports of other classes in the JSON.
@Suite(.needsGPSD, .timeLimit(.minutes(5)))
struct `Reports of the classes that are named` {
  @Test func `come from a real gpsd, and a report counts them without the option`() async throws {
    let site = try await Site()
    let locwatch = try Locwatch.start("--json", "--class", "TOFF", site.address)
    let report = try await locwatch.output.waitForLine(containing: #""class":"TOFF""#)
    #expect(report.contains(#""device":"\#(site.receiver.path)""#))
    #expect(report.contains(#","offset":"#) && report.contains(#""real_sec":"#))
    let file = try TemporaryFile(ending: ".json")
    // gpsd reports no offset before the fourth fix since it has opened the receiver.
    let result = try await Locwatch.run("--json", "--report", file.path, "-n", "20", site.address)
    #expect(result.status == .exited(0) && !result.output.contains("TOFF"))
    #expect(file.text.contains(#","serialTime":{"count":"#))
  }
}
