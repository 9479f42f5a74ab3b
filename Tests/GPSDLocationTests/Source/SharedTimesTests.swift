import GPSDLocation
import LocationCore
import Testing

/// Positions that a program sends together, under one time.
@Suite(.timeLimit(.minutes(5))) struct `Positions under one time` {
  private static func tpv(_ second: Int, _ latitude: Double, device: String = "/dev/a") -> String {
    #"{"class":"TPV","device":"\#(device)","mode":3,"time":"2026-11-20T07:05:0\#(second).000Z","#
      + #""lat":\#(latitude),"lon":8.5}"#
  }

  /// Replays lines, and returns how many fixes there were, what was counted, and what was said.
  private func replay(
    _ lines: [String]
  ) async throws -> (fixes: Int, leftOut: Int, notices: [String]) {
    let statistics = GPSDStatistics()
    let source = GPSDLocationSource(
      replaying: RecordedSession(lines: lines), statistics: statistics)
    var (fixes, notices) = (0, [String]())
    for try await update in source.updates() {
      switch update {
      case .fix: fixes += 1
      case .event(.notice(let text)): notices.append(text)
      default: break
      }
    }
    return (fixes, statistics.counts.leftOutPositions, notices)
  }

  private static let notice =
    "several positions have the same time, and only the first of each time is used"

  @Test func `are counted except for the first, and said once`() async throws {
    let batches = (0..<5).flatMap { batch in
      (0..<7).map { Self.tpv(batch, 47 + Double(batch * 7 + $0) * 0.001) }
    }
    let result = try await replay([Lines.version] + batches)
    #expect(result.fixes == 5 && result.leftOut == 30)
    #expect(result.notices == [Self.notice])
  }

  @Test(arguments: [
    // 10.008 m and 9.996 m to the north.
    (0.00009, true), (0.0000899, false), (-0.00009, true), (0, false), (0.00003, false),
  ])
  func `are others from 10 m on`(difference: Double, isOther: Bool) async throws {
    let lines = (0..<3).map { Self.tpv(1, 47 + ($0 == 0 ? 0 : difference)) }
    let result = try await replay(lines)
    #expect(result.fixes == 1 && result.leftOut == (isOther ? 2 : 0))
    #expect(result.notices == [])
  }

  @Test func `of several receivers are different ones`() async throws {
    let lines = (0..<9).flatMap { [Self.tpv($0, 47), Self.tpv($0, 48, device: "/dev/b")] }
    let result = try await replay(lines)
    #expect(result.fixes == 18 && result.leftOut == 0 && result.notices == [])
  }

  @Test func `are said from the third on`() async throws {
    func lines(_ count: Int) -> [String] { (0...count).map { Self.tpv(1, 47 + Double($0)) } }
    let two = try await replay(lines(2))
    #expect(two.leftOut == 2 && two.notices == [])
    let three = try await replay(lines(3))
    #expect(three.leftOut == 3 && three.notices == [Self.notice])
  }

  @Test func `are none without a time`() async throws {
    let lines = (0..<5).map {
      #"{"class":"TPV","device":"/dev/a","mode":3,"lat":\#(47 + $0),"lon":8.5}"#
    }
    let result = try await replay(lines)
    #expect(result.fixes > 0 && result.leftOut == 0 && result.notices == [])
  }
}
