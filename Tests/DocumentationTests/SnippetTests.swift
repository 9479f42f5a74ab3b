import Foundation
import GPSDTestKit
import LibGPS
import LocationReports
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

  @Test func `merges two recordings`() async throws {
    let tunnel = Package.root.appending(path: "Fixtures/tunnel.jsonl").path
    let track = try await merge(bow: tunnel, stern: Self.drive)
    #expect(track.count > 10)
    #expect(try await merge(bow: tunnel, stern: Self.drive) == track)
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
        await updates.close()
        return fixes
      }
    }
    #expect(fixes == [4, 6])
  }

  @Test func `keeps the lines of a session`() async throws {
    let session = keep(RecordedSession(lines: [#"{"class":"TPV","mode":1}"#]))
    let source = GPSDLocationSource(makeSession: { session })
    #expect(try await source.events().first { _ in true } == .noFix(NoFix()))
  }

  @Test func `decodes a longitude`() {
    #expect(longitudes(in: [Array(#"{"class":"TPV","lon":8.54}"#.utf8), []]) == [8.54])
  }

  @Test func `decides by the code of an error`() async {
    let source = ScriptedLocationSource(
      clock: ManualClock(),
      scripts: [.fail(LocationError(.unreachable, "refused"))],
      [.event(.refused(path: "a", reason: "No such device as a"))])
    #expect(await decide(source) == "Is gpsd running?")
    #expect(await decide(source) == "Is the receiver plugged in, and may gpsd open it?")
  }

  @Test func `keeps the leg under way when it is cancelled`() async throws {
    let home = Coordinate(latitude: 48.1, longitude: 11.5)!
    let start = Timestamp(iso8601: "2026-11-27T08:00:00Z")!
    let steps = (0..<400).flatMap { second -> [LocationScriptStep] in
      let place = home.moved(by: 10 * Double(second), bearing: 0)
      var fix = LocationFix.at(place, time: start.advanced(by: .seconds(second)))
      fix.speed = 10
      return [.event(.fix(fix)), .wait(.seconds(1))]
    }
    let events = try await withVirtualTime { clock in
      let car = ScriptedLocationSource(clock: clock, scripts: steps + [.stayOpen])
      let events = Collector<TripEvent>()
      let following = Task { try await followTrip(of: car, show: events.add) }
      await clock.advance(by: .seconds(400))
      following.cancel()
      try await following.value
      return events.values
    }
    guard case .legEnded(let leg) = try #require(events.last) else {
      return #expect(Bool(false), "\(events)")
    }
    #expect(events.count == 2)
    #expect(leg.end.time == start.advanced(by: .seconds(399)))
  }

  @Test func `reports states, and fails if there are no retries`() async throws {
    try await tell(
      ScriptedLocationSource(clock: ManualClock(), scripts: [.event(.noFix(NoFix()))]))
  }
}
