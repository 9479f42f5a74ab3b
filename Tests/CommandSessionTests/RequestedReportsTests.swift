import GPSDLocation
import LocationFormats
import LocwatchTestSupport
import Testing

@testable import LocwatchCLI

/// An output shows what is requested from gpsd. Which outputs need what is a list beside the code that writes them.
@Suite struct `What a command line requests from gpsd` {
  /// A receiver with all that can be requested.
  private static let session = Session(
    file: "", rule: "",
    inputs: [
      Session.Input(
        kind: .gpsd, name: "",
        lines: [
          "0 DEVICES /dev/a", "0..9 TPV",
          #"0.1..9 {"class":"SKY","device":"/dev/a","hdop":1.1,"uSat":1,"nSat":2,"satellites":["#
            + #"{"PRN":7,"gnssid":0,"svid":7,"el":45.0,"az":90.0,"ss":41.0,"used":true},"#
            + #"{"PRN":9,"gnssid":0,"svid":9,"el":15.0,"az":200.0,"ss":21.0,"used":false}]}"#,
          #"0.2..9 {"class":"GST","device":"/dev/a","rms":1.5,"lat":1.0,"lon":1.0,"alt":2.0}"#,
          #"0.3..9 {"class":"ATT","device":"/dev/a","heading":90.0,"pitch":1.0,"roll":2.0}"#,
          #"0.4..9 {"class":"TOFF","device":"/dev/a","real_sec":1795158300,"real_nsec":0,"#
            + #""clock_sec":1795158300,"clock_nsec":120000000}"#,
          #"0.5..9 {"class":"PPS","device":"/dev/a","real_sec":1795158300,"real_nsec":0,"#
            + #""clock_sec":1795158300,"clock_nsec":2000,"precision":-20}"#,
        ]),
      Session.Input(
        kind: .user, name: "",
        lines: [
          "0.5 get / ./begin.html", "7.7 look", "7.8 $ cat out", "7.9 get /fix",
          "8.7 get / ./page.html", "8.8 get /metrics",
        ]),
    ])

  private static let words: [[String]] =
    LocationFormat.named.map { ["--format", $0.name, "--output", "./out"] }
    + FixField.allCases.map { ["--format", "%\($0.name)"] }
    + ["html", "json", "txt"].map { ["--report", "./report.\($0)"] }
    + OptionValues.classes.map { ["--json", "--class", $0] }
    + OptionTable.options.filter { $0.valueName == nil && ![.best, .doctor].contains($0.name) }.map
  {
    ["--\($0.long)"]
  }
    + [
      ["--serve", "PORT"], ["--json", "--satellites"], ["--best", "a=h", "b=h"],
      ["-o", "./a.prom"],
    ]

  @Test(arguments: words) func `is all that it shows`(words: [String]) async throws {
    let arguments = words + ["--duration", "9s"]
    let requested = try await outcome(of: arguments) { _ in }
    let all = try await outcome(of: arguments) {
      $0.neededClasses = Set(OptionValues.classes.map(ServiceReport.Kind.init))
      $0.needsSatellites = true
    }
    #expect(requested.contains { $0.hasSuffix("= 0") })
    let difference = requested.difference(from: all)
    #expect(difference.isEmpty, "\(difference)")
  }

  /// Returns what comes out, and the files that are left.
  private func outcome(
    of arguments: [String], with change: @Sendable (inout Options) -> Void
  ) async throws -> [String] {
    let folder = try TemporaryFolder()
    let terminal = arguments.contains("--view") ? ["TERM": "xterm"] : [:]
    let output = try await Play.output(
      of: arguments, terminal, in: Self.session, folder, with: change)
    let files = Stage.shell("for name in *; do echo $name; cat $name; done", in: folder)
    // The lines of gpsd are counted, and it sends more if more is requested.
    return (output + files).filter {
      !$0.contains("locwatch_lines_total") && !$0.hasSuffix("PPS reports: 9")
    }
  }
}
