import LocationCore
import LocationTestKit
import Testing

@testable import LocwatchCLI
@testable import LocwatchSystem

@Suite struct `Averaging positions, locwatch` {
  private static let seconds = [LocationScriptStep].fixes(
    (0..<10).map { (Double($0), .scripted(Double($0), north: Double($0 % 2))) })

  @Test(arguments: [
    ("3", 3, 2.0), ("2", 2, 1), ("10", 10, 9), ("4s", 5, 4), ("3500ms", 5, 4), ("1s", 2, 1),
  ])
  func `shows the mean of a number of fixes, and nothing else`(
    span: String, fixes: Int, end: Double
  ) async throws {
    let run = try await WatchRun(["-1", "--average", span], Self.seconds + [.stayOpen])
    #expect(run.fixes == [])
    #expect(run.means.map(\.fixCount) == [fixes])
    #expect(run.means.map(\.start) == [LocationFix.origin])
    #expect(
      run.means.map(\.end) == [LocationFix.origin.advanced(by: .milliseconds(Int64(end * 1000)))])
    #expect(run.elapsed.inSeconds == end)
    #expect(run.result.exitStatus == .success)
    #expect(run.messages == [])
  }

  @Test func `counts only fixes with the requested interval and accuracy`() async throws {
    let run = try await WatchRun(["-1", "--average", "3", "-i", "3s"], Self.seconds + [.stayOpen])
    #expect(run.elapsed == .seconds(6))
    let weak = try await WatchRun(
      ["-1", "--average", "2", "--fix", "3d"],
      .fixes(.scripted(0), .scripted(1, mode: .fix2D), .scripted(2)) + [.stayOpen])
    #expect(weak.elapsed == .seconds(2))
    #expect(weak.means.map(\.fixCount) == [2])
  }

  @Test func `uses the first receiver with a fix`() async throws {
    let fixes = (0..<6).map { second -> (Double, LocationFix) in
      let device = second % 3 == 0 ? "/dev/a" : "/dev/b"
      return (Double(second), .scripted(Double(second), device: device))
    }
    let run = try await WatchRun(["-1", "--average", "2"], .fixes(fixes) + [.stayOpen])
    #expect(run.means.map(\.device) == ["/dev/a"])
    #expect(run.elapsed == .seconds(3))
  }

  @Test func `gives up when that receiver has no more fixes, whatever the others have`()
    async throws
  {
    let fixes =
      [(0.0, LocationFix.scripted(0))]
      + (1..<60).map { (Double($0), LocationFix.scripted(Double($0), device: "/dev/b")) }
    let run = try await WatchRun(
      ["-1", "--average", "2", "-t", "10s"], .fixes(fixes) + [.stayOpen])
    #expect(run.elapsed == .seconds(10))
    #expect(run.means.map(\.fixCount) == [1])
    #expect(run.result.exitStatus == .timedOut)
    #expect(
      run.result.message?.text.hasPrefix(
        "the average of 2 fixes is not complete: 1 so far; no fix within 10 s: ") == true)
  }

  @Test func `says what the average lacks when gpsd goes away`() async throws {
    let run = try await WatchRun(
      ["-1", "--average", "1m"],
      .fixes(.scripted(0), .scripted(1)) + [.fail(LocationError(.disconnected, "closed by gpsd"))])
    #expect(run.means.map(\.fixCount) == [2])
    #expect(run.result.exitStatus == .unavailable)
    let message = try #require(run.result.message)
    #expect(message.text.hasPrefix("the average of 60 s is not complete: 2 so far; "), "\(message)")
  }

  @Test func `says of a source without a fix what it says without an average`() async throws {
    let run = try await WatchRun(["-1", "--average", "1m", "-t", "5s"], [.stayOpen])
    let plain = try await WatchRun(["-1", "-t", "5s"], [.stayOpen])
    #expect(run.result.message == plain.result.message)
  }

  @Test func `continues the average after a reconnect`() async throws {
    let run = try await WatchRun(
      ["-1", "--average", "3", "--reconnect"],
      .fixes(.scripted(0), .scripted(1)) + [.fail(LocationError(.disconnected, "closed by gpsd"))],
      .fixes(.scripted(20)) + [.stayOpen])
    #expect(run.means.map(\.fixCount) == [3])
  }

  private static let longPath = "/dev/serial/by-id/" + String(repeating: "x", count: 82)

  /// It may read the same, or be cut off.
  @Test(arguments: [
    ("/dev/\u{e9}", "/dev/e\u{301}"), (longPath, String(longPath.dropLast())),
    (String(longPath.dropLast()), longPath),
  ])
  func `treats a path with other bytes as another receiver`(path: String, other: String)
    async throws
  {
    let fixes = (0..<4).map {
      (Double($0), LocationFix.scripted(Double($0), device: $0 == 1 ? other : path))
    }
    let run = try await WatchRun(["-1", "--average", "2"], .fixes(fixes) + [.stayOpen])
    #expect(run.means.map(\.fixCount) == [2] && run.elapsed == .seconds(2))
  }

  @Test(arguments: [(0.5, 60, false), (0.7, 60, true), (nil, 45, false), (nil, 60, true)])
  func `says that the receiver moved`(speed: Double?, seconds: Int, moves: Bool) async throws {
    let fixes = (0..<seconds).map { second in
      var fix = LocationFix.scripted(Double(second), north: speed == nil ? Double(second) : 0)
      fix.speed = speed
      return (Double(second), fix)
    }
    let run = try await WatchRun(["-1", "--average", "\(seconds)"], .fixes(fixes) + [.stayOpen])
    #expect(run.means.count == 1 && run.result.exitStatus == .success)
    let warning =
      "the receiver moved while its positions were averaged, so the mean is not the position of one point"
    #expect(run.messages.map { $0.contains(warning) } == (moves ? [true] : []))
  }

  @Test(arguments: [(0.59, 60, false), (0.6, 60, true), (0.7, 30, false), (0.7, 31, true)])
  func `says that the receiver moved if more than half of its speeds do`(
    speed: Double, fast: Int, moves: Bool
  ) async throws {
    let fixes = (0..<60).map { second in
      var fix = LocationFix.scripted(Double(second))
      // Spread evenly, so that no way is made of them.
      fix.speed = second * 37 % 60 < fast ? speed : 0
      return (Double(second), fix)
    }
    let run = try await WatchRun(["-1", "--average", "60"], .fixes(fixes) + [.stayOpen])
    #expect(run.means.map(\.fixCount) == [60])
    #expect(run.messages.count == (moves ? 1 : 0), "\(run.messages)")
  }

  @Test func `uses all fixes of a recording that is too short`() async throws {
    let run = try await WatchRun(
      ["-1", "--average", "2h", "-t", "10s"], Self.seconds + [.stayOpen])
    #expect(run.means.map(\.fixCount) == [10] && run.result.exitStatus == .timedOut)
  }

  @Test func `uses all fixes of a recording that ends early, and says what is missing`()
    async throws
  {
    let run = try await WatchRun(
      ["-1", "--average", "2h", "--replay", "a.jsonl"], Self.seconds)
    #expect(run.means.map(\.fixCount) == [10] && run.result.exitStatus == .timedOut)
    let message = try #require(run.result.message)
    #expect(
      message.text.hasPrefix("the average of 7200 s is not complete: 10 so far; "), "\(message)")
  }

  @Test func `says what the average lacks when the time of the run is over`() async throws {
    let run = try await WatchRun(
      ["-1", "--average", "1h", "--duration", "3500ms"], Self.seconds + [.stayOpen])
    #expect(run.elapsed == .milliseconds(3500) && run.result.exitStatus == .timedOut)
    #expect(run.means.map(\.fixCount) == [4])
    #expect(run.result.message?.text == "the average of 3600 s is not complete: 4 so far")
  }

  // The command line

  @Test(arguments: [
    ("600", Averaging.Span.fixes(600)), ("2", .fixes(2)), ("10m", .duration(.seconds(600))),
    ("1h30m", .duration(.seconds(5400))), ("90s", .duration(.seconds(90))),
  ])
  func `reads a number without a unit as a number of fixes`(text: String, span: Averaging.Span)
    throws
  {
    #expect(try OptionValues.average(text) == span)
  }
}
