import DaemonHarness
import Foundation
import Testing

/// What each option makes of one recording.
@Suite(.timeLimit(.minutes(3)))
struct `Each option, in a replay,` {
  /// Eleven fixes of a receiver that goes north, 11.1 m a second: those of 07:05:00 to 07:05:09, and,
  /// after nine seconds of silence, that of 07:05:18. Each comes 0.1 to 0.18 s late.
  ///
  /// Every other one is accurate to 4 m, the others to 30 m; that of second 3 has no height, and that
  /// of second 5 no accuracy.
  private static let recording: [String] =
    [
      #"{"class":"LOCWATCH","t":0.000,"start":"2026-11-20T07:05:00.000Z"}"#, Reports.version,
      Reports.devices, sky,
    ] + (Array(0...9) + [18]).flatMap { [timestamp($0), fix($0)] }

  private static let sky =
    #"{"class":"SKY","device":"\#(Reports.device)","satellites":["#
    + #"{"PRN":5,"gnssid":0,"svid":5,"el":45.0,"az":120.0,"ss":38.0,"used":true},"#
    + #"{"PRN":71,"el":5.5,"az":300.0,"used":false}]}"#

  private static func timestamp(_ second: Int) -> String {
    let late = [100, 180, 110, 170, 130][second % 5]
    return #"{"class":"LOCWATCH","t":\#(second).\#(late)}"#
  }

  private static func fix(_ second: Int) -> String {
    let height = second == 3 ? "" : #","altHAE":592.300,"altMSL":545.400"#
    let accuracy = second == 5 ? "" : #","eph":\#(second.isMultiple(of: 2) ? 4 : 30).0"#
    return #"{"class":"TPV","device":"\#(Reports.device)","mode":\#(second == 3 ? 2 : 3),"#
      + #""time":"\#(Reports.time(second * 10))","lat":48.\#(1000 + second),"lon":11.5,"#
      + #""speed":11.524,"track":0.0\#(height)\#(accuracy)}"#
  }

  /// - Parameter name: What comes before the path of the recording.
  private func run(_ arguments: [String], as name: String = "") async throws -> Locwatch.Result {
    let file = try TemporaryFile(lines: Self.recording)
    var result = try await Locwatch.run(["--replay", name + file.path] + arguments)
    result.errors.replace(file.path, with: "FILE")
    return result
  }

  private static let all = Array(0...9) + [18]

  @Test(
    arguments: [
      ([], all), (["--accuracy", "10"], [0, 2, 4, 6, 8, 18]), (["--accuracy", "3.9"], []),
      (["--accuracy", "30"], all.filter { $0 != 5 }), (["--fix", "3d"], all.filter { $0 != 3 }),
      (["--fix", "2d"], all), (["-m", "30"], [0, 3, 6, 9, 18]), (["-m", "0"], all),
      (["--min-move", "105"], [0, 18]), (["-i", "1s"], all), (["-i", "2s"], [0, 2, 4, 6, 8, 18]),
      (["--interval", "5s"], [0, 5, 18]), (["-i", "10s"], [0, 18]),
      (["-i", "2s", "-m", "30"], [0, 3, 6, 9, 18]), (["-n", "4"], [0, 1, 2, 3]), (["-n11"], all),
      (["-n", "2", "-i", "2s"], [0, 2]), (["-1"], [0]), (["-1", "--accuracy", "10"], [0]),
      (["--duration", "5s"], [0, 1, 2, 3, 4]), (["--duration", "1h"], all), (["-t", "10s"], all),
      (["-d", Reports.device], all), (["--speed", "max"], all), (["--speed", "100"], all),
      (["-q"], all),
    ] as [([String], [Int])])
  func `writes the expected fixes`(arguments: [String], seconds: [Int]) async throws {
    let result = try await run(["-f", "%time"] + arguments)
    #expect(
      result
        == .init(
          status: .exited(0), output: seconds.map { Reports.time($0 * 10) + "\n" }.joined(),
          errors: ""))
  }

  @Test(arguments: [
    (["-n", "12"], all, "FILE ends before fix 12"),
    (["-1", "--fix", "3d", "--accuracy", "1"], [], "FILE ends before the fix: accurate to "),
    (["-t", "5s"], Array(0...9), "no fix within 5 s of the recording: no newer fix"),
    (
      ["-1", "--accuracy", "1", "--duration", "4s"], [],
      "no fix within 4 s of the recording: accurate to "
    ),
  ])
  func `says what is missing`(
    arguments: [String], seconds: [Int], message: String
  ) async throws {
    let result = try await run(["-f", "%time"] + arguments)
    #expect(result.status == .exited(124))
    #expect(result.output == seconds.map { Reports.time($0 * 10) + "\n" }.joined())
    #expect(result.errors.hasPrefix("locwatch: \(message)"), "\(result.errors)")
  }

  @Test(arguments: [
    (
      [],
      [
        "connecting < -", "fix-3d < connecting", "fix-2d < fix-3d", "fix-3d < fix-2d",
        "lost < fix-3d", "fix-3d < lost",
      ]
    ),
    (
      ["--stale", "10s"],
      ["connecting < -", "fix-3d < connecting", "fix-2d < fix-3d", "fix-3d < fix-2d"]
    ),
    (
      ["--stale", "500ms", "--duration", "3s"],
      [
        "connecting < -", "fix-3d < connecting", "lost < fix-3d", "fix-3d < lost",
        "lost < fix-3d", "fix-3d < lost", "lost < fix-3d",
      ]
    ),
  ])
  func `reports the expected transitions`(
    arguments: [String], transitions: [String]
  ) async throws {
    let events = try Transcript.records(in: try await run(["-j", "--events"] + arguments).output)
    #expect(events.compactMap(\.transition) == transitions && events.count == transitions.count)
    let all = try Transcript.records(in: try await run(["-j"] + arguments).output)
    #expect(all.compactMap(\.transition) == transitions)
    let fixes = try Transcript.records(in: try await run(["-j", "--no-events"] + arguments).output)
    #expect(fixes.count { $0.isFix } == fixes.count)
    #expect(fixes.map(\.time) == all.filter(\.isFix).map(\.time) && !fixes.isEmpty)
  }

  @Test func `reports when the receiver leaves a region and enters another`() async throws {
    let result = try await run([
      "--events", "--region=home=48.1,11.5,50",
      "--region=north=48.1008,11.4:48.1008,11.6:48.2,11.6:48.2,11.4,0s",
    ])
    #expect(
      result.output.split(separator: "\n").filter { $0.contains(" region ") } == [
        "2026-11-20T07:05:00.000Z region /dev/ttyACM0 home inside, was unknown",
        "2026-11-20T07:05:00.000Z region /dev/ttyACM0 north outside, was unknown",
        "2026-11-20T07:05:18.000Z region /dev/ttyACM0 home outside, was inside",
        "2026-11-20T07:05:18.000Z region /dev/ttyACM0 north inside, was outside",
      ])
    #expect(result.errors == "")
  }

  @Test func `adds the satellites and the source on request`() async throws {
    let lines = try await run(["-j", "--satellites"], as: "van=").output.split(separator: "\n")
    #expect(lines.allSatisfy { $0.contains(#","source":"van","#) })
    let fix = try #require(lines.first { $0.contains(#""type":"fix""#) })
    #expect(
      fix.contains(
        #""satellites":[{"PRN":5,"gnssid":0,"svid":5,"el":45.0,"az":120.0,"ss":38.0,"used":true},"#
          + #"{"PRN":71,"el":5.5,"az":300.0,"used":false}]"#), "\(fix)")
    let plain = try await run(["-j"]).output
    #expect(!plain.contains("satellites") && !plain.contains("source"))
  }

  @Test func `counts at the end of --verbose`() async throws {
    let result = try await run(["-f", "%time", "-v", "--accuracy", "10"])
    #expect(result.status == .exited(0))
    let lines = result.errors.split(separator: "\n")
    #expect(lines.contains("locwatch: TPV reports: 11") && lines.contains("locwatch: fixes: 6"))
  }

  @Test(arguments: [
    ("metric", "545.4 m", "41.5 km/h"), ("imperial", "1789.4 ft", "25.8 mph"),
    ("nautical", "1789.4 ft", "22.4 kn"),
  ])
  func `shows people the units that they want`(
    units: String, height: String, speed: String
  ) async throws {
    let file = try TemporaryFile(lines: Self.recording)
    let locwatch = try Locwatch.startOnTerminal(
      "--replay", file.path, "--speed", "100", "--units", units, columns: 150)
    #expect(try await locwatch.waitForExit() == .exited(0))
    #expect(locwatch.output.text.contains(" \(height) "))
    #expect(locwatch.output.text.contains(" \(speed) "))
  }
}
