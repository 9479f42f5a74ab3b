import Foundation
import GPSDTestKit
import LocationCore
import Testing
import VirtualTimeTesting

@Suite(.virtualTime, .timeLimit(.minutes(5))) struct `Steps of a recording` {
  private func stamp(_ seconds: String, _ rest: String = "") -> String {
    #"{"class":"LOCWATCH","t":\#(seconds)\#(rest)}"#
  }

  @Test func `lines are sent at the times of their arrival`() {
    let steps: [ScriptedGPSD.Step] = .recorded(lines: [
      "a", stamp("0.000", #","start":"2026-05-01T08:00:00.000Z""#), "b", "c", stamp("1.500"),
      stamp("2.250"), "d", stamp("2.250"), "e", stamp("9.000"),
    ])
    #expect(
      steps == [
        .lines("a"), .lines("b", "c"), .wait(.milliseconds(2250)), .lines("d"), .lines("e"),
      ])
  }

  @Test func `an appended recording starts a new timeline`() {
    let steps: [ScriptedGPSD.Step] = .recorded(lines: [
      stamp("0.000"), "a", stamp("60.000"), "b", stamp("0.000"), "c", stamp("2.000"), "d",
      stamp("0.000"), stamp("1.000"), "e",
    ])
    #expect(
      steps == [
        .lines("a"), .wait(.seconds(60)), .lines("b"), .lines("c"), .wait(.seconds(2)),
        .lines("d"), .wait(.seconds(1)), .lines("e"),
      ])
  }

  @Test func `a line of gpsd's that looks like a time stamp is sent`() {
    let verbatim = stamp("3.000")
    let steps: [ScriptedGPSD.Step] = .recorded(lines: [
      stamp("0.000", #","verbatim":1"#), verbatim, stamp("1.000"), "a",
    ])
    #expect(steps == [.lines(verbatim), .wait(.seconds(1)), .lines("a")])
  }

  @Test func `one source of several is chosen`() {
    let lines = [
      stamp("0.000", #","source":"boat""#), "a", stamp("1.000", #","source":"car""#), "b",
      stamp("2.000", #","source":"boat""#), "c",
    ]
    #expect(
      [ScriptedGPSD.Step].recorded(lines: lines, source: "boat")
        == [.lines("a"), .wait(.seconds(2)), .lines("c")])
    #expect(
      [ScriptedGPSD.Step].recorded(lines: lines, source: "car")
        == [.wait(.seconds(1)), .lines("b")])
    #expect([ScriptedGPSD.Step].recorded(lines: lines).count == 5)
  }

  @Test func `a drive in a file is reported as its replay reports it`() async throws {
    let path = URL(filePath: #filePath).appending(path: "../../../Fixtures/tunnel.jsonl")
      .standardized.path
    let clock = ManualClock()
    let drive = try [ScriptedGPSD.Step].recorded(contentsOf: path)
    let gpsd = ScriptedGPSD(clock: clock, scripts: drive + [.hangUp])
    let found = await clock.whileAdvancing { await coordinates(gpsd.source()) }
    let replayed = try await coordinates(.recorded(contentsOf: path))
    #expect(!found.isEmpty && found == replayed)
  }

  private func coordinates(_ source: GPSDLocationSource) async -> [Coordinate] {
    var coordinates: [Coordinate] = []
    var events = source.events().makeAsyncIterator()
    while let event = try? await events.next() {
      if case .fix(let fix) = event { coordinates.append(fix.coordinate) }
    }
    return coordinates
  }

  @Test func `a file that is missing is named`() {
    let error = #expect(throws: LocationError.self) {
      try [ScriptedGPSD.Step].recorded(contentsOf: "/nowhere/drive.jsonl")
    }
    #expect(error?.code == .disconnected)
    #expect(error.map { "\($0)" }?.contains("/nowhere/drive.jsonl") == true)
  }
}
