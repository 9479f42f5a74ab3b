import Foundation
import GPSDTestKit
import LibGPS
import Testing

/// Runs the code of the articles that is not a test itself.
@Suite(.timeLimit(.minutes(5))) struct `The code of the articles` {
  private static let drive = Package.root.appending(path: "Fixtures/drive.jsonl").path

  @Test func `counts a recording`() async throws {
    let counts = try await count(path: Self.drive)
    #expect(counts.reports["TPV"] ?? 0 > 10)
    #expect(counts.badLines == 0)
  }

  @Test func `reads a fix from a recording`() async throws {
    #expect(try await replayOften(path: Self.drive).device != nil)
  }

  @Test func `restarts a gpsd that sends a recording`() async throws {
    let fixes = try await withVirtualTime { clock in
      let gpsd = try restartingGPSD(sending: Self.drive, by: clock)
      return await clock.whileAdvancing {
        var fixes = [0]
        var updates = gpsd.source().updates(retries: RetryPolicy()).makeAsyncIterator()
        while fixes.last != 6, let update = try? await updates.next() {
          switch update {
          case .fix: fixes[fixes.count - 1] += 1
          case .retry: fixes.append(0)
          default: break
          }
        }
        updates.close()
        return fixes
      }
    }
    #expect(fixes == [4, 6])
  }

  @Test func `shows other reports`() async throws {
    let lines = [
      #"{"class":"TOFF","device":"/dev/pps0","real_sec":1,"real_nsec":2}"#,
      #"{"class":"OSC","running":true}"#, #"{"class":"SKY","hdop":1.5}"#,
    ]
    let reports = Collector<String>()
    try await showReports(of: GPSDLocationSource.recorded(lines: lines), reports.add)
    #expect(reports.values == [lines[0], lines[2]])
  }

  @Test func `takes the best of two receivers`() async throws {
    let fix = LocationFix.at(latitude: 48.1, longitude: 11.5)
    let clock = ManualClock()
    let ship = try await position(
      bow: ScriptedLocationSource(clock: clock, scripts: [.event(.noFix(NoFix()))]),
      stern: ScriptedLocationSource(clock: clock, scripts: [.event(.fix(fix))]))
    #expect(ship == fix.coordinate)
  }

  @Test func `keeps regions over a restart`() async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: file) }
    let regions = KeptRegions(file: file)
    let home = Coordinate(latitude: 48.1, longitude: 11.5)!
    try regions.save(RegionMonitor([.circle("home", around: home, radius: 100)]))
    let events = Collector<String>()
    for latitude in [48.1, 48.1, 48.2] {
      try await withVirtualTime { clock in
        let fix = LocationFix.at(latitude: latitude, longitude: 11.5)
        let source = ScriptedLocationSource(
          clock: clock, scripts: [.event(.fix(fix)), .wait(.seconds(6)), .event(.fix(fix)), .end])
        try await clock.whileAdvancing {
          try await watch(regions, of: source) { events.add($0.presence.rawValue) }
        }
      }
    }
    #expect(events.values == ["inside", "outside"])
  }

  @Test func `converts times and measurements`() {
    let time = Timestamp(iso8601: "2026-11-27T08:00:00.5Z")!
    #expect(Date(time).timeIntervalSince1970 == 1_795_766_400.5)
    #expect(Timestamp(Date(time)) == time)
    #expect(Timestamp(Date.distantFuture) == nil)
    var fix = LocationFix(
      coordinate: Coordinate(latitude: 48.1, longitude: 11.5)!, mode: .fix3D)
    #expect(fix.speedMeasurement == nil && fix.altitudeMeasurement == nil)
    (fix.speed, fix.altitude) = (10, 500)
    #expect(fix.speedMeasurement == Measurement(value: 10, unit: .metersPerSecond))
    #expect(fix.altitudeMeasurement == Measurement(value: 500, unit: .meters))
  }

  @Test func `decides by the code of an error`() async {
    let source = ScriptedLocationSource(
      clock: ManualClock(),
      scripts: [.fail(LocationError(.unreachable, "refused"))],
      [.event(.refused(path: "a", reason: "No such device as a")), .end])
    #expect(await decide(source) == "Is gpsd running?")
    #expect(await decide(source) == "Is the receiver plugged in, and may gpsd open it?")
  }

  @Test func `reports states, and fails if there are no retries`() async throws {
    try await tell(
      ScriptedLocationSource(clock: ManualClock(), scripts: [.event(.noFix(NoFix())), .end]))
  }
}
