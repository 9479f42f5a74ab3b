import Foundation
import LocationCore
import LocationSamples
import Testing

@testable import LocationReports

/// Fault 133.
@Suite struct `A report of a receiver that is doubted` {
  private static let boat = "/dev/ttyACM0"

  private func at(_ second: Int) -> Moment { .start.advanced(by: .seconds(second)) }
  private func time(_ second: Int) -> Timestamp {
    Timestamp(secondsSince1970: 1_700_000_000 + Int64(second))
  }

  /// A fix each second until 100, without one from 50 to 70.
  private func report(
    _ changes: [(second: Int, doubts: [Doubt], detail: String?)]
  ) throws -> LocationReport {
    var report = LocationReport()
    for second in 0...100 {
      if [0, 50, 70].contains(second) {
        let state = second == 50 ? LocationState.lost : .fix3D
        report.add(
          .state(
            StateChange(
              state, of: .receiver(Self.boat), time: time(second), at: at(second))),
          at: at(second))
      }
      for change in changes where change.second == second {
        let kind = ReceiverChange.Kind.doubt(change.doubts, previous: [], detail: change.detail)
        report.add(
          .change(ReceiverChange(kind, of: Self.boat, time: time(second), at: at(second))),
          at: at(second))
      }
      guard !(50..<70).contains(second) else { continue }
      let fix = LocationFix(
        coordinate: Coordinate(latitude: 48, longitude: 11.5)!, mode: .fix3D, device: Self.boat,
        time: time(second))
      report.add(.fix(fix), at: at(second))
    }
    report.end(at: at(101))
    return report
  }

  @Test func `says how long, and why`() throws {
    let report = try report([
      (10, [.jump], "1.2 km in 1 s"), (20, [.jump, .sky], "<rose>"), (40, [.sky], nil),
      (80, [], nil), (91, [.height, .simulated], "145.0 m up"),
    ])
    let receiver = try #require(report.receivers.first)
    #expect(
      receiver.doubts == [
        ReceiverReport.DoubtfulTime(
          doubt: .jump, from: time(10), duration: .seconds(30), detail: "1.2 km in 1 s"),
        ReceiverReport.DoubtfulTime(
          doubt: .sky, from: time(20), duration: .seconds(40), detail: "<rose>"),
        ReceiverReport.DoubtfulTime(
          doubt: .height, from: time(91), duration: .seconds(10), detail: "145.0 m up"),
        ReceiverReport.DoubtfulTime(
          doubt: .simulated, from: time(91), duration: .seconds(10), detail: nil),
      ])
    #expect(receiver.doubtCount == 4 && receiver.doubted == .seconds(60))
    let text = report.text()
    #expect(
      text.contains(
        "  Positions were doubted for 1 min: jump, height, sky and simulated.\n"))
    #expect(
      text.contains(
        """

          2023-11-14T22:13:30.000Z  30 s          doubt: jump, 1.2 km in 1 s
          2023-11-14T22:13:40.000Z  40 s          doubt: sky, <rose>
          2023-11-14T22:14:51.000Z  10 s          doubt: height, 145.0 m up
          2023-11-14T22:14:51.000Z  10 s          doubt: simulated

        """))
    #expect(
      report.json().contains(
        #""doubted":60.0,"doubts":[{"from":"2023-11-14T22:13:30.000Z","duration":30.0,"doubt":"jump","detail":"1.2 km in 1 s"},"#
      ))
    #expect(report.json().contains(#""doubt":"simulated"}],"doubtCount":4"#))
    let page = report.page()
    #expect(page.contains("<h3>Doubts</h3>"))
    #expect(
      page.contains("Positions were doubted for 1\u{a0}min: jump, height, sky and simulated."))
    #expect(page.contains("&lt;rose&gt;") && !page.contains("<rose>"))
  }

  @Test func `says nothing if it is not`() throws {
    let report = try report([])
    #expect(!(report.text() + report.json() + report.page()).localizedStandardContains("doubt"))
  }

  @Test func `counts the times that it does not list, and needs no time of the receiver`() throws {
    var report = LocationReport()
    func add(_ doubts: [Doubt], at second: Int) {
      let kind = ReceiverChange.Kind.doubt(doubts, previous: [], detail: nil)
      report.add(.change(ReceiverChange(kind, of: Self.boat, at: at(second))), at: at(second))
    }
    report.add(.state(StateChange(.fix3D, of: .receiver(Self.boat), at: at(0))), at: at(0))
    for number in 0..<1003 {
      add([.jump], at: 2 * number)
      add([], at: 2 * number + 1)
    }
    let text = report.text()
    #expect(
      text.hasSuffix(
        "\n  -                         1 s           doubt: jump\n  and 3 shorter ones\n"))
    #expect(report.page().contains("and 3 shorter ones"))
    #expect(report.json().contains("\"doubtCount\":1003"))
    #expect(!(try self.report([(10, [.jump], nil)]).text()).contains("shorter"))
  }

  @Test func `keeps the thousand longest times`() throws {
    var log = DoubtLog()
    for number in 1...1100 {
      log.handle([.jump], detail: nil, at: nil)
      log.add(.seconds(number))
      log.handle([], detail: nil, at: nil)
    }
    log.handle([.sky], detail: nil, at: nil)
    #expect(log.count == 1101 && log.times.count == 1001)
    #expect(log.times.first?.duration == .seconds(101))
    #expect(log.times.last?.doubt == .sky && log.times.last?.duration == .zero)
    #expect(log.duration == .seconds(1100 * 1101 / 2))
  }
}
