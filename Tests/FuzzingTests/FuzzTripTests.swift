import LocationCore
import LocationReports
import LocationTestKit
import TestSupport
import Testing

@testable import Fuzzing

@Suite struct `Trips of the fuzzer` {
  @Test func `have rows that follow each other, and stops that are no wider than a stop`()
    async throws
  {
    var tally = FuzzTally()
    for seed in [6086] + Array(1...(isReleaseBuild ? 3000 : 300) as ClosedRange<UInt64>) {
      let complaint = try await TripTarget().round(seed: seed, into: &tally)
      #expect(complaint == nil, "seed \(seed)")
    }
  }

  @Test(arguments: [(0.0, 75.0), (1, 89), (3, 267)])
  func `may be as wide as the noise`(noise: Double, farthest: Double) {
    for (east, isTooFar) in [(farthest, false), (farthest + 0.2, true)] {
      let places = Array(repeating: 0.0, count: 300) + [east, east]
      let stops = [0...301]
      #expect((complaint(places, stops: stops, noise: noise) != nil) == isTooFar)
    }
  }

  /// Where a receiver is each second, in metres.
  private func complaint(
    _ east: [Double], stops: [ClosedRange<Int>], leg: ClosedRange<Int>? = nil, noise: Double = 0
  )
    -> String?
  {
    let fixes = east.enumerated().map { second, east in
      (
        fix: LocationFix(coordinate: .nullIsland.moved(by: east, bearing: 90), mode: .fix3D),
        moment: Moment(uptime: .seconds(second))
      )
    }
    func end(_ index: Int) -> Leg.End {
      Leg.End(fixes[index].fix.coordinate, at: fixes[index].moment)
    }
    var events = stops.map { stop -> TripEvent in
      .stopEnded(Stop(from: end(stop.lowerBound), to: end(stop.upperBound)))
    }
    if let leg {
      let leg = Leg(from: end(leg.lowerBound), to: end(leg.upperBound), distance: 0)
      events.insert(.legEnded(leg), at: 1)
    }
    return StopCheck.complaint(about: events, of: fixes, noise: noise)
  }

  @Test func `are noticed if a stop has another place, or a row does not follow the last one`() {
    let here = Array(repeating: 0.0, count: 300)
    let there = Array(repeating: 300.0, count: 300)
    #expect(complaint(here + there + here, stops: [0...899])?.hasPrefix("a stop at ") == true)
    #expect(
      complaint(here + there, stops: [0...310])?.hasPrefix("a stop that ends elsewhere") == true)
    #expect(complaint(here + Array(there.prefix(200)) + here, stops: [0...799]) == nil)
    #expect(
      complaint(here + there, stops: [0...299, 300...599])?.hasPrefix("a row from ") == true)
    #expect(complaint(here + there, stops: [0...299, 300...599], leg: 299...300) == nil)
    #expect(complaint(here, stops: [0...100])?.hasPrefix("a stop of ") == true)
  }

  @Test func `are noticed if a leg stays at its place, or is faster than its top speed`() {
    let here = Array(repeating: 0.0, count: 300)
    let leg = complaint(here, stops: [0...150], leg: 150...160)
    #expect(leg?.hasPrefix("a leg of 0.0 m that stays at its place") == true)
    let start = Leg.End(.nullIsland, at: Moment(uptime: .seconds(0)))
    let end = Leg.End(.nullIsland, at: Moment(uptime: .seconds(10)))
    for (top, isOdd) in [(19.9, true), (20.1, false)] {
      let event = TripEvent.legEnded(Leg(from: start, to: end, distance: 200, topSpeed: top))
      #expect((StopCheck.complaint(about: [event], of: [], noise: 0) != nil) == isOdd)
    }
  }
}
