import LocationCore
import Testing

@testable import LocationReports

/// Fault 75.
@Suite struct `A report of updates whose moments overlap` {
  private func at(_ second: Double) -> Moment {
    .start.advanced(by: .milliseconds(Int64(second * 1000)))
  }

  private func fix(_ device: String, _ time: Int64? = nil) -> LocationUpdate {
    .fix(
      LocationFix(
        coordinate: Coordinate(latitude: 48, longitude: 11.5)!, mode: .fix3D, device: device,
        time: time.map { Timestamp(secondsSince1970: $0) }))
  }

  private func state(_ state: LocationState, of device: String?, at second: Double)
    -> LocationUpdate
  {
    .state(StateChange(state, of: device.map { .receiver($0) } ?? .link, at: at(second)))
  }

  @Test func `is observed to its latest moment`() throws {
    var report = LocationReport(countsFigures: true)
    report.add(state(.connecting, of: nil, at: 0), at: at(0))
    report.add(.event(.sky(SkyView(device: "b"))), at: at(2))
    // The fix was held for the rest of its epoch.
    report.add(state(.fix3D, of: "a", at: 1.9), at: at(1.9))
    report.add(fix("a"), at: at(1.9))
    report.add(state(.fix3D, of: "b", at: 1.5), at: at(1.5))
    report.add(fix("b"), at: at(1.5))
    report.end(at: at(3))
    report.end(at: at(2.5))
    let (a, b) = (report.receivers[0], report.receivers[1])
    #expect(a.states == [.connecting: .seconds(2), .fix3D: .seconds(1)])
    #expect(a.firstFix == .milliseconds(1900) && a.observed == .seconds(3))
    // The second one appeared when two seconds had passed.
    #expect(b.states == [.fix3D: .seconds(1)] && b.firstFix == .zero)
    #expect(
      b.figures?.timeline.spans
        == [.init(.fix3D, from: 0, to: 1)])
    #expect(b.figures?.columns.fixes(in: 0) == 0..<1)
  }

  @Test func `has no outage that ends before it begins`() throws {
    var report = LocationReport()
    report.add(state(.fix3D, of: "a", at: 0), at: at(0))
    report.add(fix("a"), at: at(0))
    report.add(state(.lost, of: "a", at: 5), at: at(5))
    report.add(state(.fix3D, of: "a", at: 4), at: at(4))
    report.add(state(.lost, of: "a", at: 6), at: at(6))
    report.end(at: at(5.5))
    let receiver = try #require(report.receivers.first)
    #expect(receiver.outages.map(\.duration) == [.zero] && receiver.outageCount == 1)
    report.end(at: at(8))
    #expect(report.receivers.first?.outages.map(\.duration) == [.zero, .seconds(2)])
    #expect(report.receivers.first?.outageCount == 2)
  }

  @Test func `computes the time between fixes from their times, or else from their moments`() throws
  {
    var report = LocationReport()
    report.add(fix("a", 100), at: at(0))
    report.add(fix("a", 101), at: at(3))
    #expect(report.receivers.first?.interval == .init(median: .seconds(1), p99: nil))
    report.add(fix("a"), at: at(7))
    report.add(fix("a"), at: at(11))
    #expect(report.receivers.first?.interval == .init(median: .seconds(4), p99: nil))
  }

  @Test func `keeps the 64 receivers that reported last`() {
    var report = LocationReport()
    for number in 0..<70 { report.add(fix("\(number)"), at: at(Double(number))) }
    #expect(report.receivers.map(\.device) == (6..<70).map { "\($0)" })
  }

  /// The mean of fixes at some latitudes and longitudes.
  private func centre(of places: [(Double, Double)]) throws -> Coordinate {
    var report = LocationReport()
    for (second, place) in places.enumerated() {
      report.add(
        .fix(
          LocationFix(
            coordinate: Coordinate(latitude: place.0, longitude: place.1)!, mode: .fix2D)),
        at: at(Double(second)))
    }
    return try #require(report.receivers.first?.scatter).center
  }

  @Test func `is right at the poles and the date line`() throws {
    for (first, second, mean) in [
      ((90.0, 0.0), (90.0, 180.0), 90.0), ((-90, 10), (-90, -10), -90), ((0, 179), (0, -179), 0),
      ((89.9999, 90), (89.9999, -90), 90), ((-89.9999, 0), (-89.9999, 180), -90),
    ] {
      let centre = try centre(of: [first, second])
      #expect(centre.latitude == mean)
      if mean == 0 { #expect(centre.longitude.magnitude == 180) }
    }
  }

  @Test func `has the mean of places near a pole, and not that of their degrees`() throws {
    // A quarter of a circle apart, so that the pole is nearer to their middle.
    let centre = try centre(of: [(89.9999, 0), (89.9999, 90)])
    #expect(abs(centre.latitude - (90 - 0.0001 * 0.5.squareRoot())) < 1e-12)
    #expect(abs(centre.longitude - 45) < 1e-9)
  }
}
