import LocationCore
import Testing

@testable import LocationReports

/// The parts that stops and legs are made of, each by itself.
@Suite struct `Of a receiver that moves` {
  private static let origin = Coordinate(latitude: 48, longitude: 11.5)!

  private func fix(at seconds: Double) -> TripFix {
    var fix = TripFix(
      LocationFix(coordinate: Self.origin, mode: .fix3D), number: 0,
      at: Moment(uptime: .seconds(seconds)))
    fix.seconds = seconds
    return fix
  }

  @Test func `an even part has all elements up to 128, then every second one, then every fourth`() {
    var part = EvenPart<Int>()
    let first = (0..<128).map { part.add($0) }
    #expect(first.allSatisfy(\.self) && part.elements == Array(0..<128))
    #expect(part.add(128) && !part.add(129) && part.add(130))
    #expect(part.elements == Array(stride(from: 0, through: 130, by: 2)))
    for number in 131..<256 { _ = part.add(number) }
    #expect(part.elements == Array(stride(from: 0, to: 256, by: 2)))
    #expect(part.add(256) && !part.add(257) && !part.add(258) && !part.add(259) && part.add(260))
    #expect(part.elements == Array(stride(from: 0, through: 260, by: 4)))
  }

  @Test func `a window has a fix a second, of two minutes`() {
    var window = TripWindow()
    func add(_ seconds: Double) -> Bool {
      window.add(fix(at: seconds), LegMeter(from: fix(at: 0)).totals)
    }
    #expect(add(0) && !add(0.2) && !add(0.98) && add(0.99) && !add(1.9))
    #expect(window.first?.fix.seconds == 0)
    #expect(add(120.98) && window.first?.fix.seconds == 0)
    #expect(add(122) && window.first?.fix.seconds == 0.99)
    #expect(add(300) && window.first?.fix.seconds == 122)
  }

  @Test func `a track is thinned by distance, and has every point that is farther from the last`() {
    var track = TrackTrace()
    func add(_ east: Float) {
      track.add(TrackTrace.Point(east: east, north: 0, speed: 1, isStart: false))
    }
    for metre in 0..<2500 { add(Float(metre)) }
    let far = (1...1596).map { Float(2499 + 10 * $0) }
    for east in far { add(east) }
    #expect(track.points.count == 4096 && track.points.map(\.isStart).firstIndex(of: false) == 1)
    add(30_000)
    let easts = track.points.map(\.east)
    #expect(easts == (0..<1250).map { Float(2 * $0) } + far + [30_000])
    // From here on points are two metres apart; the last one is always there.
    add(30_001)
    #expect(track.points.count == easts.count + 1 && track.points.last?.east == 30_001)
    add(30_002)
    #expect(track.points.map(\.east) == easts + [30_002])
  }

  @Test func `a track of many outages keeps every second point`() {
    var track = TrackTrace()
    for number in 0...4096 {
      track.add(TrackTrace.Point(east: Float(number), north: 0, speed: 1, isStart: true))
    }
    #expect(track.points.map(\.east) == (0...2048).map { Float(2 * $0) })
  }

  @Test func `the samples of stops deviate from the mean of their own stop, also when thinned`() {
    var samples = LocationReports.Samples(limit: 8)
    for number in 0..<16 {
      let way = Double(number)
      samples.append(Sample(east: way, north: -way, height: number < 9 ? 100 + way : nil))
    }
    // Every second one.
    #expect(samples.map(\.east) == [0, 2, 4, 6, 8, 10, 12, 14])
    let stops = [0..<5, 5..<6, 9..<15].map {
      Stop(coordinate: Self.origin, duration: .seconds(120), fixes: $0)
    }
    let ofStops = StopSamples(of: samples, in: stops)
    #expect(ofStops.samples.map(\.east) == [-2, 0, 2, -2, 0, 2])
    #expect(ofStops.samples.map(\.north) == [2, 0, -2, 2, 0, -2])
    #expect(ofStops.samples.map(\.height) == [-2, 0, 2, nil, nil, nil])
    #expect(ofStops.meanHeight == 102)
    let number = ofStops.numbers
    #expect((0..<6).map(number) == [0, 2, 4, 10, 12, 14])
  }
}
