import DaemonHarness
import Foundation
import SimulatedReceiver
import Testing

@Suite(
  .enabled(if: GPSDProcess.program != nil, "gpsd is not installed"), .timeLimit(.minutes(3)))
struct `A real gpsd` {
  /// What gpsd makes of a scenario: its reports of one class, up to one that contains `last`.
  private func reports(
    _ scenario: Scenario, class name: String, until last: String
  ) async throws -> [[String: Any]] {
    let receiver = try SimulatedReceiver(scenario)
    let gpsd = try await GPSDProcess.start([receiver.path])
    try await waitUntil("gpsd has opened the receiver") { receiver.isOpen }
    let client = try LoopbackClient(port: gpsd.port)
    try client.send(#"?WATCH={"enable":true,"json":true};"#)
    _ = try await client.output.waitForLine(containing: #""class":"WATCH""#)
    let feeding = Task { try await receiver.run(speed: 20) }
    defer { feeding.cancel() }
    let isOfClass = { (line: String) in line.contains(#""class":"\#(name)""#) }
    let line = try await client.output.waitForLine(timeout: .seconds(30)) {
      isOfClass($0) && $0.contains(last)
    }
    let lines = client.output.lines
    let end = try #require(lines.firstIndex(of: line))
    return try lines[...end].filter(isOfClass).map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
  }

  @Test func `turns a cold start into modes 1, 2 and 3`() async throws {
    let reports = try await reports(.coldStart, class: "TPV", until: #""climb""#)
    var modes: [Int] = []
    for mode in reports.compactMap({ $0["mode"] as? Int }) where mode != modes.last {
      modes.append(mode)
    }
    #expect(modes == [1, 2, 3])
    #expect(reports.allSatisfy { ($0["lat"] != nil) == ($0["mode"] as? Int != 1) })
    #expect(reports.allSatisfy { ($0["altMSL"] != nil) == ($0["mode"] as? Int == 3) })
  }

  @Test func `reports time and place as the scenario has them, once an epoch`() async throws {
    let reports = try await reports(.drive, class: "TPV", until: "07:05:20.000Z")
    // Until it has met a second epoch, gpsd does not know what ends one.
    let timed = reports.filter { $0["time"] != nil }
    let times = timed.compactMap { $0["time"] as? String }
    #expect(times.count >= 17)
    #expect(
      times
        == (21 - times.count...20).map {
          "2026-11-20T07:05:\(String(format: "%02d", $0)).000Z"
        })
    for (report, second) in zip(timed, (21 - timed.count)...) {
      let place = try #require(Scenario.drive.epoch(at: second)?.place)
      let height = place.altitudeMSL + place.geoidSeparation
      for (name, value, tolerance) in [
        ("lat", place.latitude, 1e-8), ("lon", place.longitude, 1e-8),
        ("altMSL", place.altitudeMSL, 0.001), ("altHAE", height, 0.002),
        ("geoidSep", place.geoidSeparation, 0.001), ("speed", place.speed, 0.001),
        ("track", place.course, 0.01),
      ] {
        let reported = try #require(report[name] as? Double, "\(name) at \(second) s")
        #expect(abs(reported - value) <= tolerance, "\(name) at \(second) s")
      }
    }
  }

  @Test func `sees the satellites and dilutions`() async throws {
    let sky = try #require(try await reports(.still, class: "SKY", until: "nSat").last)
    #expect(sky["nSat"] as? Int == 13)
    #expect(sky["uSat"] as? Int == 9)
    #expect(sky["hdop"] as? Double == 0.9)
    #expect(sky["vdop"] as? Double == 1.2)
    #expect(sky["pdop"] as? Double == 1.5)
    let satellites = try #require(sky["satellites"] as? [[String: Any]])
    let expected = try #require(Scenario.still.epoch(at: 0)).satellites
    #expect(satellites.map { $0["PRN"] as? Int } == expected.map(\.number))
    #expect(satellites.map { $0["el"] as? Int } == expected.map(\.elevation))
    #expect(satellites.map { $0["az"] as? Int } == expected.map(\.azimuth))
    #expect(satellites.map { $0["used"] as? Bool } == expected.map(\.isUsed))
  }

  @Test func `makes several TPVs of an epoch where either sentence may end it`() async throws {
    let reports = try await reports(.severalTPVs, class: "TPV", until: "07:05:15.000Z")
    let times = reports.dropFirst(4).compactMap { $0["time"] as? String }
    #expect(times.count > Set(times).count + 3)
  }
}
