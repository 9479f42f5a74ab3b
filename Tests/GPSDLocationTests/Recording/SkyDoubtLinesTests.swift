import GPSDLocation
import LocationCore
import Testing

/// Fault 133.
@Suite struct `A sky of one transmitter` {
  /// What gpsd reports of ten satellites, all equally strong from the 100th second on.
  private static let lines = (0..<120).flatMap { second -> [String] in
    let seconds = second % 60 < 10 ? "0\(second % 60)" : "\(second % 60)"
    let time = "2026-11-20T07:0\(second / 60):\(seconds).000Z"
    let satellites = (1...10).map { number in
      let strength = second < 100 ? 30 + number : 45
      return #"{"PRN":\#(number),"el":\#(8 * number).0,"az":40.0,"ss":\#(strength).0,"used":true}"#
    }
    return [
      #"{"class":"SKY","device":"/dev/a","satellites":[\#(satellites.joined(separator: ","))]}"#,
      #"{"class":"TPV","device":"/dev/a","mode":3,"time":"\#(time)","lat":48.0,"lon":11.5,"speed":0.0,"altHAE":500.0,"eph":6.0}"#,
    ]
  }

  @Test(arguments: [true, false])
  func `is doubted, whether or not satellites are listed`(isListed: Bool) async throws {
    let source = GPSDLocationSource(
      replaying: RecordedSession(lines: Self.lines), kinds: [], satellites: isListed,
      statistics: nil)
    var told: [String] = []
    for try await case .change(let change) in source.updates(retries: .never) {
      if case .doubt(let doubts, _, _) = change.kind {
        told.append("\(change.time.map { "\($0)" } ?? "-") \(doubts)")
      }
    }
    #expect(told.count == 1)
    #expect(told.first?.hasPrefix("2026-11-20T07:01:4") == true, "\(told)")
    #expect(told.first?.hasSuffix("sky]") == true, "\(told)")
  }
}
