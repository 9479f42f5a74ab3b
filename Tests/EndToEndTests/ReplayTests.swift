import DaemonHarness
import Foundation
import Testing

/// Fault 86.
@Suite(.timeLimit(.minutes(3)))
struct `A replay` {
  @Test func `of a pipe that is no recording says what it is, and writes nothing`() async throws {
    let cat = try ChildProcess(
      "bash", ["-c", "echo garbage | \"$0\" -f gpx --replay -", Locwatch.program])
    #expect(try await cat.waitForExit() == .exited(65))
    #expect(cat.output.text == "")
    #expect(
      cat.errors.text == """
        locwatch: standard input has no gpsd report: it is neither gpsd's JSON nor a receiver's log
        locwatch: 'locwatch --record FILE' and 'gpspipe -w' write files that can be replayed.

        """)
  }

  /// Whoever ends it before anything came has asked for no more.
  @Test func `that is interrupted leaves a whole document`() async throws {
    let locwatch = try Locwatch.start(["--replay", "-", "-f", "geojson", "-v"], input: .pipe)
    try await locwatch.write(
      "\(Reports.version)\n\(Reports.devices)\n{\"class\":\"WATCH\",\"enable\":true}\n")
    _ = try await locwatch.errors.waitForLine(containing: "receiver /dev/ttyACM0")
    locwatch.signal(SIGINT)
    #expect(try await locwatch.waitForExit() == .exited(130))
    #expect(locwatch.output.text == "{\"type\":\"FeatureCollection\",\"features\":[\n]}\n")
  }

  @Test(arguments: [nil, "a"])
  func `of more files than can be open reads them all`(source: String?) async throws {
    let folder = try TemporaryFile()
    try FileManager.default.createDirectory(
      atPath: folder.path, withIntermediateDirectories: false)
    let name = source.map { #","source":"\#($0)""# } ?? ""
    for number in 1000..<2100 {
      let text =
        #"{"class":"LOCWATCH","t":\#(number).000\#(name)}"# + "\n" + Reports.fix(number) + "\n"
      try Data(text.utf8).write(to: URL(filePath: "\(folder.path)/\(number).jsonl"))
    }
    let locwatch = try ChildProcess(
      "bash",
      [
        "-c", "ulimit -n 64; \"$0\" -j --no-events --replay \"$1\"", Locwatch.program, folder.path,
      ])
    #expect(try await locwatch.waitForExit() == .exited(0))
    #expect(locwatch.errors.text == "")
    #expect(locwatch.output.lines.count == 1100)
  }
}
