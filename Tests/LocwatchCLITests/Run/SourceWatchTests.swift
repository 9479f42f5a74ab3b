import LocationCore
import LocationTestKit
import Testing

@testable import LocwatchCLI
@testable import LocwatchSystem
@testable import LocwatchTerminal

@Suite struct `Following a source, locwatch` {
  // Which fixes count

  @Test(arguments: [
    (["--accuracy", "5"], [0, 4.0]), (["--accuracy", "4.9"], [4]),
    (["--accuracy", "100"], [0, 1, 4]),
    ([], [0, 1, 2, 3, 4]), (["--fix", "3d"], [0, 1, 2, 4]), (["--fix", "2d"], [0, 1, 2, 3, 4]),
    (["--fix", "3d", "--accuracy", "50"], [0, 1, 4]),
  ])
  func `writes the fixes that are good enough`(
    arguments: [String], seconds: [Double]
  ) async throws {
    let run = try await WatchRun(
      arguments,
      .fixes(
        .scripted(0, accuracy: 5), .scripted(1, accuracy: 50), .scripted(2, accuracy: nil),
        .scripted(3, accuracy: nil, mode: .fix2D), .scripted(4, accuracy: 2)))
    #expect(run.seconds == seconds)
  }

  @Test(arguments: [
    (["--quality", "gps"], [0.0, 1]), (["--quality", "dgps"], [1]),
    (["--quality", "rtk-fixed"], []),
    ([], [0, 1, 2]),
  ])
  func `warns once that positions are simulated, and writes them unless a quality is requested`(
    arguments: [String], seconds: [Double]
  ) async throws {
    var fixes = [LocationFix.scripted(0), .scripted(1), .scripted(2), .scripted(3, north: 1)]
    fixes[1].quality = .dgps
    fixes[2].quality = .simulated
    fixes[3].quality = .simulated
    fixes[3].mode = .fix2D
    let run = try await WatchRun(
      arguments + ["--fix", "3d"], .fixes(fixes[0], fixes[1], fixes[2], fixes[3]))
    #expect(run.seconds == seconds)
    #expect(
      run.messages.filter { $0.hasPrefix("SIMULATED") } == [
        "SIMULATED: /dev/a reports a simulated position"
      ])
  }

  @Test(arguments: [
    (["-m", "10"], [0.0, 2, 4]), (["-m", "0"], [0, 1, 2, 4, 5]), ([], [0, 1, 2, 3, 4, 5]),
    (["-m", "12"], [0, 2, 4]), (["-m", "15"], [0, 4]), (["-i", "3s"], [0, 3]),
    (["-m", "10", "-i", "3s"], [0, 3]), (["-m", "15", "-i", "3s"], [0, 4]),
    (["-m", "0", "-i", "2s"], [0, 2, 4]),
  ])
  func `leaves out fixes that are near the last one written`(
    arguments: [String], seconds: [Double]
  ) async throws {
    let north = [0.0, 5, 14, 14, 30, 35]
    let run = try await WatchRun(
      arguments,
      .fixes(
        north.enumerated().map {
          (Double($0.offset), .scripted(Double($0.offset), north: $0.element))
        }))
    #expect(run.seconds == seconds)
  }

  @Test func `leaves out a fix exactly at the minimum distance`() async throws {
    let fixes = [LocationFix.scripted(0), .scripted(1, north: 10)]
    let metres = fixes[0].coordinate.distance(to: fixes[1].coordinate)
    var criteria = FixCriteria()
    criteria.minMove = metres
    var filter = FixFilter(criteria)
    filter.recordTaken(fixes[0], at: .start)
    #expect(filter.judge(fixes[1], at: .start) == .leftOut)
    criteria.minMove = metres.nextDown
    filter = FixFilter(criteria)
    filter.recordTaken(fixes[0], at: .start)
    #expect(filter.judge(fixes[1], at: .start) == .wanted)
  }

  @Test func `measures from each receiver's own last place`() async throws {
    let fixes = (0..<8).map { second -> (Double, LocationFix) in
      let isFirst = second.isMultiple(of: 2)
      let north = Double(second / 4) * 20 + (isFirst ? 0 : 1000)
      let device = isFirst ? "/dev/a" : "/dev/b"
      return (Double(second), .scripted(Double(second), north: north, device: device))
    }
    let run = try await WatchRun(["-m", "10"], .fixes(fixes))
    #expect(run.seconds == [0, 1, 4, 5])
  }

  // When to stop

  /// Three fixes in time, one that was held up on its way for a minute, and one in time again.
  private static let backlog = [LocationScriptStep].fixes([
    (0, .scripted(0)), (1, .scripted(1)), (2, .scripted(2)), (62, .scripted(3, accuracy: 1)),
    (63, .scripted(63, accuracy: 1)),
  ])

  @Test func `marks a fix that came late, and does not count it`() async throws {
    let run = try await WatchRun(["-n", "4", "-t", "2m"], Self.backlog)
    #expect(run.seconds == [0, 1, 2, 3, 63])
    #expect(run.fixes.map(\.isCurrent) == [true, true, true, false, true])
    #expect(run.result.exitStatus == .success)
  }

  @Test func `does not accept a late fix as the requested one`() async throws {
    let run = try await WatchRun(["-1", "--accuracy", "2", "-t", "2m"], Self.backlog)
    #expect(run.seconds == [63])
    #expect(run.elapsed == .seconds(63))
    #expect(run.result.exitStatus == .success)
  }

  @Test(arguments: [
    (["-n", "3"], [0.0, 1, 2]), (["-1"], [0]), (["-n", "1"], [0]),
    (["-n", "3", "-i", "2s"], [0, 2, 4]), (["-n", "2", "--accuracy", "5"], [0, 5]),
  ])
  func `ends with the last requested fix`(
    arguments: [String], seconds: [Double]
  ) async throws {
    let fixes = (0..<10).map { second in
      (
        Double(second),
        LocationFix.scripted(Double(second), accuracy: second.isMultiple(of: 5) ? 5 : 50)
      )
    }
    let run = try await WatchRun(arguments, .fixes(fixes))
    #expect(run.seconds == seconds)
    #expect(run.result.exitStatus == .success)
    #expect(run.elapsed == .seconds(seconds[seconds.count - 1]))
  }

  @Test(arguments: [(["-n", "5"], [0.0, 1, 50, 90, 3000]), (["-n", "4", "-t", "40s"], [0, 1])])
  func `has no time limit by default`(
    arguments: [String], seconds: [Double]
  ) async throws {
    let fixes = [0.0, 1, 50, 90, 3000].map { (second: Double) in
      (second, LocationFix.scripted(second))
    }
    let run = try await WatchRun(arguments, .fixes(fixes))
    #expect(run.seconds == seconds)
    #expect(run.result.exitStatus == (seconds.count == 5 ? .success : .timedOut))
  }

  @Test func `gives up when no fix has come for as long as it waits`() async throws {
    for (arguments, seconds) in [(["-t", "20s"], 20), (["-1"], 30), (["-n", "1"], 30)] {
      let run = try await WatchRun(arguments, [.stayOpen])
      #expect(run.elapsed == .seconds(seconds))
      #expect(run.fixes == [])
      #expect(run.result.message?.text.hasPrefix("no fix within \(seconds) s: ") == true)
    }
  }

  private static let seconds: [(Double, LocationFix)] = (0..<6).map {
    (Double($0), LocationFix.scripted(Double($0)))
  }

  @Test(arguments: [
    // Each fix that counts restarts the wait, even one that is left out.
    ([], 15), (["-m", "100"], 15), (["-i", "1h"], 15),
    // One that is not good enough does not.
    (["--accuracy", "4"], 10),
  ])
  func `restarts the wait after each fix that counts`(arguments: [String], end: Int) async throws {
    let run = try await WatchRun(
      ["-t", "10s"] + arguments, .fixes(Self.seconds) + [.stayOpen])
    #expect(run.elapsed == .seconds(end))
    #expect(run.result.exitStatus == .timedOut)
  }

  @Test func `does not restart the wait after a fix that came late`() async throws {
    let run = try await WatchRun(["-t", "61s"], Self.backlog.dropLast() + [.stayOpen])
    #expect(run.seconds == [0, 1, 2, 3])
    #expect(run.elapsed == .seconds(63))
  }

  @Test func `shows what came before it gave up, and nothing after`() async throws {
    let fixes = [0.0, 1, 2, 40, 41].map { (second: Double) in (second, LocationFix.scripted(second))
    }
    let run = try await WatchRun(["-t", "10s"], .fixes(fixes))
    #expect(run.seconds == [0, 1, 2])
    #expect(run.elapsed == .seconds(12))
  }

  @Test(
    arguments: [
      // What comes when it is over is no part of it.
      (["--duration", "5s"], [0.0, 1, 2, 3, 4], 5),
      (["--duration", "5.1s"], [0, 1, 2, 3, 4, 5], 5.1),
      // Fixes do not put it off, and what ends the run otherwise may come first.
      (["--duration", "3s", "-t", "10s"], [0, 1, 2], 3),
      (["--duration", "5s", "-n", "2"], [0, 1], 1),
      (["--duration", "5s", "-1"], [0], 0),
      (["--duration", "1h", "-n", "6"], [0, 1, 2, 3, 4, 5], 5),
      (["--duration", "1h", "-i", "2s"], [0, 2, 4], 3600),
      (["--duration", "5s", "--accuracy", "1"], [], 5),
    ] as [([String], [Double], Double)])
  func `stops after the given time`(
    arguments: [String], seconds: [Double], end: Double
  ) async throws {
    let run = try await WatchRun(arguments, .fixes(Self.seconds) + [.stayOpen])
    #expect(run.seconds == seconds)
    #expect(run.elapsed.inSeconds == end)
    #expect(run.result.exitStatus == .success)
  }

  @Test(arguments: [
    (["-t", "2s", "--duration", "20s"], "no fix within 2 s: "),
    (["-1", "--duration", "40s"], "no fix within 40 s: "),
    (["-1", "--duration", "40s", "-t", "3s"], "no fix within 3 s: "),
    (["-1", "--duration", "3s", "-t", "40s"], "no fix within 3 s: "),
  ])
  func `says what was missing if time runs out for a fix`(
    arguments: [String], message: String
  ) async throws {
    let service = LocationScriptStep.event(.service(LocationService(name: "gpsd 3.22")))
    let run = try await WatchRun(arguments, [service, .stayOpen])
    #expect(run.result.message?.text.hasPrefix(message) == true)
    #expect(run.result.exitStatus == .timedOut)
  }

  @Test(arguments: [
    LocationError(.unreachable, "refused"), LocationError(.disconnected, "closed by gpsd"),
  ])
  func `stops after that time even while it tries again`(error: LocationError) async throws {
    let run = try await WatchRun(["--duration", "100s"], [.fail(error)])
    #expect(run.elapsed == .seconds(100))
    #expect(run.result.exitStatus == .success)
  }

  // What is shown

  @Test func `counts updates without room, and not as written`() async throws {
    var output = WatchOutput(presenter: FullPresenter(), recorder: nil)
    var watch = SourceWatch(
      0, try Options(arguments: ["-n", "1", "-m", "5"]).sourcePlan(), log: Log(Options()))
    for second in 0..<3 {
      let moment = Moment.start.advanced(by: .seconds(second))
      let result = try watch.handle(.fix(.scripted(Double(second))), at: moment, on: &output)
      if let result { Issue.record("\(result)") }
    }
    #expect(watch.counts.drops == 3)
    #expect(watch.counts.fixes == 0)
  }

  @Test func `passes on the position of each fix, whether or not it counts`() throws {
    let passed = Collector<LocationFix>()
    let presenter = UpdateKeeper()
    var output = WatchOutput(presenter: presenter, recorder: nil)
    var watch = SourceWatch(
      0, try Options(arguments: ["--accuracy", "4"]).sourcePlan(), log: Log(Options()),
      didFix: { passed.add($0) })
    let fixes = [LocationFix.scripted(0, accuracy: 3), .scripted(1, accuracy: 5)]
    for update in [.fix(fixes[0]), .answer, .fix(fixes[1])] as [LocationUpdate] {
      let result = try watch.handle(update, at: .start, on: &output)
      if let result { Issue.record("\(result)") }
    }
    #expect(passed.values == fixes)
    #expect(presenter.shown.map(\.update) == [.fix(fixes[0]), .answer])
  }

  @Test func `shows transitions and fixes in the order in which they come`() async throws {
    let run = try await WatchRun(
      [], .fixes(.scripted(0), .scripted(1)) + [.wait(.seconds(7)), .event(.fix(.scripted(8)))])
    let story = run.shown.compactMap { shown -> String? in
      let second = shown.moment.uptime.inSeconds
      switch shown.update {
      case .state(let change): return "\(second) \(change.state.rawValue)"
      case .fix: return "\(second) fix"
      case .change, .retry, .event: return nil
      }
    }
    #expect(
      story == [
        "0.0 connecting", "0.0 fix-3d", "0.0 fix", "1.0 fix", "6.0 lost", "8.0 fix-3d", "8.0 fix",
      ])
    #expect(run.result.exitStatus == .success)
    #expect(run.messages == [])
  }
}

/// Has no room for anything.
private struct FullPresenter: Presenter {
  var status: OutputStatus { OutputStatus(hasPending: true) }

  func hasRoom(for update: LocationUpdate, of source: Int) -> Bool { false }
  func present(_ update: LocationUpdate, of source: Int, at moment: Moment) {}
  func flush(at now: Moment) {}
  func finish(waitsForReader: Bool) {}
}
