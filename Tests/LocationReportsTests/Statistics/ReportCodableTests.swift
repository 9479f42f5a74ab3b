import Foundation
import LocationCore
import Testing

@testable import LocationReports

@Suite struct `An encoded report of a receiver` {
  /// A receiver that drives around a square, with whatever else a report may have.
  private func receiver() throws -> ReceiverReport {
    var report = LocationReport(countsFigures: true)
    let way = SyntheticTrack.square(side: 1000, speed: 10, stop: 300)
    for (fix, moment) in SyntheticTrack(noise: 2).fixes(1900, way) {
      report.add(.fix(fix), at: moment)
    }
    report.end(at: Moment(uptime: .seconds(3000)))
    var receiver = try #require(report.receivers.first)
    receiver.device = "/dev/ttyACM0"
    receiver.driver = "u-blox"
    receiver.states = [.searching: .seconds(30), .fix3D: .seconds(1970)]
    receiver.outages = [
      ReceiverReport.Outage(
        from: SyntheticTrack.start, duration: .milliseconds(1500),
        position: Coordinate(latitude: 48, longitude: 11.5), reason: "no-signal",
        satellitesUsed: 5, strongestSignal: 31.5)
    ]
    receiver.corrections = .seconds(12)
    let offset = ReceiverReport.ClockOffset(
      count: 30, median: .milliseconds(154), within95: .microseconds(2100))
    var timing = ReceiverReport.Timing(serial: offset, segment: "NTP0")
    timing.pulses = ReceiverReport.Pulses(
      count: 29, expected: 31, offset: offset,
      gaps: [ReceiverReport.TimeMark(time: nil, length: .seconds(2))], gapCount: 1)
    timing.steps = [ReceiverReport.TimeMark(time: SyntheticTrack.start, length: .seconds(-3))]
    receiver.timing = timing
    return receiver
  }

  @Test func `is decoded unchanged, except for the data of the figures`() throws {
    var receiver = try receiver()
    #expect(receiver.legs.count == 4 && receiver.stops.count == 5 && receiver.scatter != nil)
    let decoded = try JSONDecoder().decode(
      ReceiverReport.self, from: JSONEncoder().encode(receiver))
    #expect(decoded.figures == nil && receiver.figures != nil)
    receiver.figures = nil
    #expect(decoded == receiver)
    #expect(decoded.availability == 0.985 && decoded.legCount == 4)
  }

  @Test func `has the names of its states`() throws {
    let encoded = try JSONSerialization.jsonObject(with: JSONEncoder().encode(try receiver()))
    let members = try #require(encoded as? [String: Any])
    #expect((members["states"] as? [String: Any])?.keys.sorted() == ["fix-3d", "searching"])
    #expect(members["figures"] == nil)
  }
}
