import LocationCore
import TestSupport
import Testing

@testable import GPSDLocation

/// Recordings whose dates are wrong for a moment, or go back. Fault 132.
@Suite(.timeLimit(.minutes(5))) struct `A part of a recording with wrong dates` {
  /// 2026-06-15T08:00:00Z, in seconds.
  private static let morning = 1_781_510_400
  private static let day = 86_400
  /// 2043-10-14.
  private static let far = 546_912_000

  private static func time(_ second: Int) -> Timestamp {
    Timestamp(secondsSince1970: Int64(morning + second))
  }

  /// A report with the number of its second as longitude.
  private static func fix(_ second: Int, off: Int = 0) -> String {
    #"{"class":"TPV","device":"/dev/a","mode":3,"time":"\#(time(second + off))","#
      + #""lat":1,"lon":\#(second)}"#
  }

  private static func fixes(_ seconds: Range<Int>, off: [Int: Int] = [:]) -> [String] {
    [Lines.version] + seconds.flatMap { [fix($0, off: off[$0] ?? 0), Lines.sky()] }
  }

  private func bound(_ second: Int) -> RecordedRange.Bound { .time(Self.time(second)) }

  private func bound(_ hour: Int, _ minute: Int) -> RecordedRange.Bound {
    .timeOfDay(.seconds((hour * 60 + minute) * 60))
  }

  private struct Result {
    /// The seconds of the fixes in the part.
    var fixes: [Int] = []
    /// How many lines were before it.
    var before = 0
    /// The seconds from the beginning of the part to its fixes, and to the end.
    var moments: [Double] = []
    var end = 0.0
  }

  private func read(
    _ lines: [String], from: RecordedRange.Bound? = nil, to: RecordedRange.Bound? = nil
  ) async throws -> Result {
    let file = try TemporaryFile(lines: lines)
    let session = RecordedSession(
      [try RecordingFile(path: FilePath(file.path))], pace: .asFastAsPossible, realClock: .live,
      range: RecordedRange(from: from, to: to))
    session.restart()
    var result = Result()
    var moments: [Moment] = []
    while case .received(let lines) = try await session.read(by: session.clock) {
      guard !lines.isBeforePart else {
        result.before += lines.reduce(0) { count, _ in count + 1 }
        continue
      }
      for line in lines {
        let text = String(decoding: line, as: UTF8.self)
        guard let number = text.split(separator: #""lon":"#).dropFirst().first else { continue }
        result.fixes.append(try #require(Int(number.prefix { $0.isNumber || $0 == "-" })))
        moments.append(try #require(lines.received))
      }
    }
    let beginning = session.replay.beginning.flatMap { $0 == .past ? nil : $0 } ?? moments.first
    if let beginning {
      result.moments = moments.map { beginning.nanoseconds(to: $0).inSeconds }
      result.end = beginning.nanoseconds(to: session.clock.now).inSeconds
    }
    withExtendedLifetime(file) {}
    return result
  }

  /// One date, two in a row, and two apart, at the beginning, in the middle and at the end.
  private static let wrongDates: [[Int]] = [
    [80], [80, 81], [80, 200], [0], [0, 1], [150, 151], [117, 118], [237, 238], [299], [298, 299],
  ]

  @Test(arguments: wrongDates, [far, -far, -619_315_200, 43_201])
  func `includes dates that nothing agrees with by those around them`(
    seconds: [Int], off: Int
  ) async throws {
    let lines = Self.fixes(
      0..<300, off: Dictionary(uniqueKeysWithValues: seconds.map { ($0, off) }))
    // Nothing contradicts the last dates of a recording.
    let last = seconds.contains(299) ? Set(seconds) : []
    func expected(_ range: Range<Int>) -> [Int] {
      (0..<300).filter { range.contains(last.contains($0) ? $0 + off : $0) }
    }
    #expect(
      try await read(lines, to: bound(Self.day)).fixes == expected(.min..<Self.day))
    let late = try await read(lines, from: bound(120))
    #expect(late.fixes == expected(120..<Int.max) && late.before == 241)
    #expect(zip(late.fixes, late.moments).allSatisfy { abs(Double($0 - 120) - $1) <= 1 })
    let middle = try await read(lines, from: bound(120), to: bound(240))
    #expect(middle.fixes == expected(120..<240) && middle.end == 120)
    let clock = try await read(lines, from: bound(8, 2), to: bound(8, 4))
    #expect(clock.fixes == expected(120..<240))
  }
}
