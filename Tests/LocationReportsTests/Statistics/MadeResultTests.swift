import Foundation
import LocationCore
import LocationReports
import Testing

/// A screen that shows a trip is tested with results that no receiver gave.
@Suite struct `Results that a program makes` {
  private static let berlin = Coordinate(latitude: 52.5, longitude: 13.5)!
  private static let south = Coordinate(latitude: 52.4, longitude: 13.5)!
  private static let noon = Timestamp(iso8601: "2026-05-01T12:00:00Z")!

  private static func end(_ coordinate: Coordinate, _ seconds: Int) -> Leg.End {
    Leg.End(
      coordinate, time: noon.advanced(by: .seconds(seconds)),
      at: Moment(uptimeNanoseconds: Int64(seconds) * 1_000_000_000, wall: nil))
  }

  private static let leg = Leg(
    from: end(berlin, 0), to: end(south, 1000), distance: 12_000, movingTime: .seconds(800),
    topSpeed: 20, ascent: 30, descent: 10)
  private static let stop = Stop(from: end(south, 1000), to: end(south, 1600))
  private static let gap = Gap(from: end(south, 1600), to: end(berlin, 3000))

  @Test func `have the values that follow from their ends`() {
    #expect(Self.leg.duration == .seconds(1000) && Self.leg.meanSpeed == 12)
    #expect(Self.leg.meanMovingSpeed == 15)
    let bare = Leg(from: Self.leg.start, to: Self.leg.end)
    #expect(bare.distance == Self.berlin.distance(to: Self.south))
    #expect(bare.movingTime == .seconds(1000))
    #expect(Self.stop.duration == .seconds(600) && Self.stop.coordinate == Self.south)
    #expect(Self.stop.start.time == Self.noon.advanced(by: .seconds(1000)))
    #expect(Self.gap.duration == .seconds(1400))
    #expect(Self.gap.distance == Self.berlin.distance(to: Self.south))
  }

  @Test func `are a report with the sums of its parts`() throws {
    let scatter = Scatter(
      about: Self.south, positionCount: 600, cep50: 1.5, r95: 3, drms: 2,
      ellipse: Scatter.Ellipse(major: 3, minor: 2, azimuth: 45))
    let reference = Scatter(about: Self.south, positionCount: 1, isAboutReference: true)
    #expect(reference.isAboutReference && !reference.isOfStops)
    let report = ReceiverReport(
      device: "/dev/a", from: Self.noon, to: Self.noon.advanced(by: .seconds(3000)),
      states: [.fix3D: .seconds(1600), .lost: .seconds(1400)], fixCount: 1600,
      outages: [ReceiverReport.Outage(duration: .seconds(1400), reason: "lost")],
      legs: [Self.leg], stops: [Self.stop], gaps: [Self.gap], scatter: scatter)
    #expect((report.legCount, report.stopCount, report.gapCount) == (1, 1, 1))
    #expect(report.availability == 1600.0 / 3000 && report.fix3DCount == 1600)
    #expect((report.leftOutFixCount, report.outageCount, report.reconnectCount) == (0, 1, 0))
    #expect(report.doubts.isEmpty && report.doubtCount == 0 && report.doubted == .zero)
    #expect(ReceiverReport(fixCount: 9, fix3DCount: 4).fix3DCount == 4)
    #expect(
      report.days == [
        TripDay(
          date: "2026-05-01", distance: 12_000, duration: .seconds(1000),
          movingTime: .seconds(800), ascent: 30, descent: 10)
      ])
  }
}
