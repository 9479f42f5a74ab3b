import LocationCore
import TestSupport
import Testing

@testable import LocationReports

/// Where a track is, and how well it is received.
struct TrackCase: CustomTestStringConvertible, Sendable {
  var place = "48"
  var latitude = 48.0
  var longitude = 11.5
  var noise = 0.0
  var hasSpeed = true
  var claims = true

  var track: SyntheticTrack {
    SyntheticTrack(
      origin: Coordinate(latitude: latitude, longitude: longitude)!, noise: noise,
      hasSpeed: hasSpeed, claims: claims)
  }

  var testDescription: String {
    "\(place), noise \(noise) m" + (hasSpeed ? "" : ", no speed") + (claims ? "" : ", no error")
  }

  /// Outside a release build, every third.
  static let all = every.enumerated().filter { isReleaseBuild || $0.offset % 3 == 2 }.map(\.element)

  private static let every: [TrackCase] =
    [("48", 48.0, 11.5), ("70 N", 70, 20), ("180 E", -17, 179.999), ("a pole", 89.9999, 0)].flatMap
  {
    place, latitude, longitude in
    [0.0, 1, 3].map {
      TrackCase(place: place, latitude: latitude, longitude: longitude, noise: $0)
    }
  } + [
    TrackCase(hasSpeed: false), TrackCase(noise: 1, hasSpeed: false),
    TrackCase(noise: 3, hasSpeed: false), TrackCase(noise: 3, claims: false),
    TrackCase(noise: 3, hasSpeed: false, claims: false),
  ]
}

@Suite struct `The legs and stops of a known track` {
  private func isWithin(_ percent: Double, _ value: Double, of truth: Double) -> Bool {
    abs(value / truth - 1) <= percent / 100
  }

  @Test(arguments: TrackCase.all)
  func `a circle of 1 km is one leg, with an error of at most 1 %`(track: TrackCase) throws {
    let length = 2000 * Double.pi
    for rate in [1.0, 10] {
      var generator = track.track
      generator.rate = rate
      let log = TripLog(
        generator.fixes(length / 10, SyntheticTrack.circle(radius: 1000, speed: 10)))
      let leg = try #require(log.legs.first)
      #expect(log.legs.count == 1 && log.stops.isEmpty)
      #expect(isWithin(1, leg.distance, of: length), "\(leg.distance) at \(rate) Hz")
      #expect(abs(leg.duration.inSeconds - length / 10) < 1)
      #expect(isWithin(1, leg.movingTime.inSeconds, of: length / 10))
      #expect(isWithin(1, try #require(leg.meanMovingSpeed), of: 10))
      let top = try #require(leg.topSpeed)
      // Noise makes the way a little longer, and the mean speed is not above the top speed.
      #expect(isWithin(track.hasSpeed ? 0.3 : 15, top, of: 10), "top \(top)")
      if track.hasSpeed {
        #expect(isWithin(1, try #require(leg.dopplerDistance), of: length))
      } else {
        #expect(leg.dopplerDistance == nil)
      }
    }
  }

  @Test(arguments: TrackCase.all)
  func `at walking speed, the length of a circle is right to 2 %`(track: TrackCase) throws {
    let length = 2000 * Double.pi
    let log = TripLog(
      track.track.fixes(length, SyntheticTrack.circle(radius: 1000, speed: 1)))
    let leg = try #require(log.legs.first)
    #expect(log.legs.count == 1 && log.stops.isEmpty)
    #expect(isWithin(track.noise < 3 ? 1.5 : 2.5, leg.distance, of: length), "\(leg.distance)")
  }

  @Test(arguments: TrackCase.all)
  func `the length of a geodesic of 100 km is right`(track: TrackCase) throws {
    let log = TripLog(track.track.fixes(4000, SyntheticTrack.straight(speed: 25)))
    let leg = try #require(log.legs.first)
    #expect(log.legs.count == 1 && log.stops.isEmpty)
    #expect(isWithin(track.noise == 0 ? 0.001 : 0.1, leg.distance, of: 100_000), "\(leg.distance)")
  }

  @Test(arguments: TrackCase.all)
  func `a square with stops of 3 min has four legs and five stops, to 5 s`(track: TrackCase) {
    let seconds = 5 * 180 + 4 * 100.0
    let log = TripLog(
      track.track.fixes(seconds, SyntheticTrack.square(side: 1000, speed: 10, stop: 180)))
    #expect(log.legs.count == 4 && log.stops.count == 5)
    // Without a speed, noise of the place may look like the beginning of a way.
    let slack = track.hasSpeed || track.noise < 3 ? 5.0 : 20
    for stop in log.stops {
      #expect(abs(stop.duration.inSeconds - 180) <= slack, "\(stop.duration)")
    }
    #expect(isWithin(1, log.summary.distance, of: 4000), "\(log.summary.distance)")
    for (number, leg) in log.legs.enumerated() {
      #expect(isWithin(track.noise < 3 ? 1 : 2, leg.distance, of: 1000), "\(leg.distance)")
      let begin = SyntheticTrack.start.duration(to: leg.start.time!).inSeconds
      #expect(abs(begin - (180 + 280 * Double(number))) <= slack, "\(begin)")
    }
  }

  @Test(arguments: TrackCase.all)
  func `a receiver that stands for 8 hours makes one stop`(track: TrackCase) throws {
    let log = TripLog(track.track.fixes(28_800) { _ in (0, 0, 0) })
    #expect(log.legs.isEmpty && log.stops.count == 1)
    let stop = try #require(log.stops.first)
    #expect(stop.duration == .seconds(28_800) && stop.fixes == 0..<28_801)
    #expect(stop.coordinate.distance(to: track.track.origin) < 1)
  }

  @Test func `a walker stops where the speed shows it`() {
    var track = SyntheticTrack(noise: 3)
    track.rate = 1
    let log = TripLog(
      track.fixes(5 * 180 + 4 * 300, SyntheticTrack.square(side: 300, speed: 1, stop: 180)))
    #expect(log.legs.count == 4 && log.stops.count == 5)
    for stop in log.stops {
      #expect(abs(stop.duration.inSeconds - 180) <= 5, "\(stop.duration)")
    }
  }
}
