import LocationCore
import LocationTestKit
import Testing
import VirtualTimeTesting

@Suite(.virtualTime, .timeLimit(.minutes(5))) struct `Location updates over connections that fail` {
  private let clock = ManualClock()
  private let atOnce = RetryPolicy(delays: [.zero], jitter: 0)

  @Test func `tries again on the schedule, and says when`() async throws {
    let source = ScriptedLocationSource(clock: clock, scripts: [.fail(.gone)])
    let task = Task { () throws(LocationError) in
      var retries: [FailedRetry] = []
      for try await update in source.updates(retries: RetryPolicy(jitter: 0)) {
        switch update {
        case .state(let change) where change.state == .noService:
          #expect(change.previous == .connecting && retries.isEmpty)
          #expect(change.error == .gone && change.retryIn == .seconds(1))
        case .retry(let retry): retries.append(retry)
        case .state, .change, .fix, .event: break
        }
        if retries.count == 6 { break }
      }
      return retries
    }
    let schedule = [1, 2, 4, 8, 16, 30]
    for delay in schedule {
      await clock.waitForSleepers()
      clock.jump(by: .seconds(delay))
    }
    let retries = try await task.value
    #expect(retries.map(\.moment.uptime) == [1, 3, 7, 15, 31, 61].map { .seconds($0) })
    #expect(retries.map(\.retryIn) == [2, 4, 8, 16, 30, 30].map { .seconds($0) })
    #expect(retries.map(\.error) == Array(repeating: .gone, count: 6))
    #expect(source.connectionCount == 7)
  }

  @Test func `starts the schedule again after 30 s of health`() async throws {
    let source = ScriptedLocationSource(
      clock: clock, scripts: [.fail(.gone)], [.fail(.gone)],
      [.event(.notice("a")), .wait(.seconds(30)), .event(.notice("b")), .fail(.gone)])
    let task = Task { () throws(LocationError) in
      var delays: [Duration?] = []
      for try await update in source.updates(retries: RetryPolicy(jitter: 0)) {
        switch update {
        case .state(let change) where change.state == .noService: delays.append(change.retryIn)
        case .retry(let retry): delays.append(retry.retryIn)
        case .state, .change, .fix, .event: break
        }
        if delays.count == 3 { break }
      }
      return delays
    }
    for delay in [1, 2, 30] {
      await clock.waitForSleepers()
      clock.jump(by: .seconds(delay))
    }
    #expect(try await task.value == [.seconds(1), .seconds(2), .seconds(1)])
  }

  @Test func `carries no fix over`() async {
    let source = ScriptedLocationSource(
      clock: clock, scripts: [.event(Reports.fix(0)), .fail(.gone)],
      [.event(Reports.noFix(1)), .event(Reports.fix(2)), .end])
    let story = await Story.of(source.updates(retries: atOnce))
    #expect(
      story.lines == [
        "0.0 connecting", "0.0 a connecting > fix-3d", "0.0 a 3d 0.0",
        "0.0 fix-3d > no-daemon: gone",
        "0.0 a no-daemon > searching", "0.0 a searching > fix-3d", "0.0 a 3d 2.0",
      ])
  }

  @Test func `reports no epoch twice`() async {
    let source = ScriptedLocationSource(
      clock: clock, scripts: [.event(Reports.fix(0)), .event(Reports.fix(1)), .fail(.gone)],
      [.event(Reports.fix(0)), .event(Reports.fix(1)), .event(Reports.fix(2)), .end])
    let story = await Story.of(source.updates(retries: atOnce))
    #expect(
      story.lines.filter { $0.contains(" 3d ") }
        == ["0.0 a 3d 0.0", "0.0 a 3d 1.0", "0.0 a 3d 2.0"])
  }

  @Test func `throws where nothing is tried again, after the transition`() async {
    let source = ScriptedLocationSource(
      clock: clock, scripts: [.event(Reports.fix(0)), .fail(.gone)])
    let story = await Story.of(source.updates(retries: .never))
    #expect(story.lines.last == "0.0 fix-3d > no-daemon: gone")
    #expect(story.error == .gone)
    #expect(source.connectionCount == 1)
  }

  @Test func `each iteration connects by itself`() async {
    let source = ScriptedLocationSource(clock: clock, scripts: [.event(Reports.fix(0)), .end])
    let updates = source.updates()
    #expect(await Story.of(updates) == Story.of(updates))
    #expect(source.connectionCount == 2)
  }
}
