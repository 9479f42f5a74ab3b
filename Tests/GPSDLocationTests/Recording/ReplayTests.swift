import GPSDLocation
import LocationCore
import LocationTestKit
import Testing

/// The updates of a replay: the same at any speed.
@Suite(.timeLimit(.minutes(5))) struct `Replay of a recording` {
  private static let untimed = [
    Lines.version, Lines.devices, Lines.tpv(1), Lines.tpv(2), Lines.sky(), Lines.tpv(20), "torn",
    #"{"class":"TPV","device":"/dev/a","mode":0,"time":"2026-11-20T07:05:21.000Z"}"#,
  ]
  private static let timed = [
    #"{"class":"LOCWATCH","t":0.000,"start":"2026-11-20T07:05:00.000Z"}"#, Lines.version,
    #"{"class":"LOCWATCH","t":1.250}"#, Lines.tpv(1), #"{"class":"LOCWATCH","t":30.000}"#,
    Lines.tpv(2), Lines.tpv(3), #"{"class":"LOCWATCH","t":30.100}"#, Lines.tpv(30),
  ]

  private func updates(
    _ lines: [String], pace: RecordedSession.Pace
  ) async throws -> [TimedRead<LocationUpdate>] {
    let session = RecordedSession(lines: lines, pace: pace)
    var updates = GPSDLocationSource(replaying: session).updates().makeAsyncIterator()
    var reads: [TimedRead<LocationUpdate>] = []
    repeat { reads.append(try await updates.next(until: nil)) } while reads.last != .ended
    return reads
  }

  @Test(arguments: [timed, untimed])
  func `gives the same updates at the same moments, fast and paced`(lines: [String]) async throws {
    let fast = try await updates(lines, pace: .asFastAsPossible)
    let paced = try await updates(lines, pace: .recorded(speed: 1000))
    #expect(fast == paced)
    #expect(fast.count > 8)
  }

  @Test func `has the new position of each time, where the one before is repeated first`()
    async throws
  {
    // A u-blox receiver that sends NMEA and UBX, as gpsd 3.22 reports it.
    let reports = [
      (21, 46.404600167, 25.84), (21, 46.404600167, 25.84), (22, 46.404600167, 25.84),
      (22, 46.4046016, 17.85), (22, 46.404601667, 25.84), (23, 46.404601667, 25.84),
      (23, 46.4046057, 15.92), (24, 46.4046057, 11.8), (24, 46.4046013, 12.402),
    ]
    let lines = reports.map { second, latitude, eph in
      #"{"class":"TPV","device":"/dev/a","mode":3,"time":"2024-03-24T20:42:\#(second).000Z","#
        + #""lat":\#(latitude),"lon":-117.02,"altHAE":268,"altMSL":286,"speed":0.01,"climb":0,"#
        + #""track":30.8,"epv":40.48,"eph":\#(eph)}"#
    }
    let fixes = try await updates(lines, pace: .asFastAsPossible).compactMap { read in
      if case .value(.fix(let fix), _) = read { fix } else { nil }
    }
    #expect(
      fixes.map(\.coordinate.latitude) == [46.404600167, 46.4046016, 46.4046057, 46.4046013])
    #expect(fixes.map { $0[.eph] } == [25.84, 17.85, 15.92, 12.402])
  }

  @Test func `ends in the recording's time`() async throws {
    let reads = try await updates(Self.untimed, pace: .asFastAsPossible)
    // A silence has ended what was known of the satellites.
    let last = Lines.fix(20)
    let end = StateChange(
      .lost, of: .receiver("/dev/a"), previous: .fix3D, loss: .noFix,
      lastFix: last, time: last.time?.advanced(by: .seconds(1)), at: .at(20))
    #expect(reads.suffix(2) == [.value(.state(end), at: .at(20)), .ended])
  }
}
