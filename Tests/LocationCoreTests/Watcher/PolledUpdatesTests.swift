import LocationTestKit
import Testing
import VirtualTimeTesting

@testable import LocationCore

/// Updates without a task that waits for them. A script polls only by the moments that it is given.
@Suite(.timeLimit(.minutes(5))) struct `Polled updates` {
  private func source(_ steps: ScriptedLocationSource.Step...) -> ScriptedLocationSource {
    ScriptedLocationSource(clock: ManualClock(), scripts: steps)
  }

  private func batches(_ batches: [(Double, LocationEvent)]...) -> PolledUpdates {
    PolledUpdates(BatchSource(batches: batches).updates())
  }

  /// All that is polled until a poll is quiet or the end, and the moment up to which nothing else came.
  private func lines(
    of updates: inout PolledUpdates, at second: Double = 0, until limit: Double? = nil
  ) throws -> [String] {
    var lines: [String] = []
    while true {
      updates.limit = limit.map(Reports.moment)
      let polled = try updates.poll(at: Reports.moment(second))
      if let line = Watch.line(polled) { lines.append(line) }
      guard case .received = polled else { return lines }
    }
  }

  @Test func `connect with the first poll, and are quiet until something comes`() throws {
    let source = source(
      .wait(.seconds(1)), .event(Reports.fix(1)), .event(Reports.fix(2)))
    var updates = PolledUpdates(source.updates())
    #expect(source.connectionCount == 0)
    #expect(try lines(of: &updates) == ["0.0 connecting", "0.0 quiet"])
    #expect(source.connectionCount == 1)
    #expect(updates.wait().deadline == Reports.moment(1))
    #expect(
      try lines(of: &updates, at: 1)
        == ["1.0 a connecting > fix-3d", "1.0 a 3d 1.0", "1.0 a 3d 2.0", "1.0 quiet"])
  }

  @Test func `say when the silence of a receiver is noticed, and what only time caused`() throws {
    let source = source(.event(Reports.fix(0)), .wait(.seconds(90)), .event(Reports.fix(90)), .end)
    var updates = PolledUpdates(source.updates())
    _ = try lines(of: &updates)
    #expect(updates.wait().deadline == Reports.moment(65))
    #expect(updates.expiry == nil)
    #expect(try lines(of: &updates, at: 64) == ["64.0 quiet"])
    #expect(
      try lines(of: &updates, at: 66) == ["65.0 a fix-3d > lost: silence", "66.0 quiet"])
    #expect(updates.expiry == Reports.moment(66))
    #expect(updates.wait().deadline == Reports.moment(90))
    _ = try updates.poll(at: Reports.moment(90))
    #expect(updates.expiry == nil)
  }

  @Test func `leave events after the limit, and report what is due at it`() throws {
    var updates = batches([(0, Reports.fix(0)), (70, Reports.fix(70))])
    #expect(
      try lines(of: &updates, until: 64)
        == ["0.0 connecting", "0.0 a connecting > fix-3d", "0.0 a 3d 0.0", "64.0 quiet"])
    #expect(
      try lines(of: &updates, until: 65) == ["65.0 a fix-3d > lost: silence", "65.0 quiet"])
    #expect(
      try lines(of: &updates) == ["70.0 a lost > fix-3d", "70.0 a 3d 70.0", "ended"])
    #expect(updates.latest == Reports.moment(70))
  }

  @Test func `connect again when that is due`() throws {
    let source = source(.fail(.gone))
    var updates = PolledUpdates(
      source.updates(retries: RetryPolicy(delays: [.seconds(9)], jitter: 0)))
    #expect(
      try lines(of: &updates)
        == ["0.0 connecting", "0.0 connecting > no-daemon: gone", "0.0 quiet"])
    #expect(updates.wait().deadline == Reports.moment(9))
    #expect(try lines(of: &updates, at: 8) == ["8.0 quiet"])
    #expect(source.calls.suffix(1) == [.close])
    _ = try updates.poll(at: Reports.moment(9))
    #expect(source.connectionCount == 2)
  }

  @Test func `throw once, and then are at their end`() throws {
    var updates = PolledUpdates(source(.fail(.gone)).updates(retries: .never))
    for _ in 0..<2 { _ = try updates.poll(at: Reports.moment(0)) }
    #expect(throws: LocationError.gone) { try updates.poll(at: Reports.moment(0)) }
    #expect(try lines(of: &updates) == ["ended"])
  }

  @Test func `are none after close`() throws {
    let source = source(.event(Reports.fix(0)), .event(Reports.fix(1)))
    var updates = PolledUpdates(source.updates())
    for _ in 0..<2 { _ = try updates.poll(at: Reports.moment(0)) }
    updates.close()
    #expect(try lines(of: &updates) == ["ended"])
    #expect(source.calls.suffix(1) == [.close])
    #expect(updates.wait().deadline == nil)
  }

  @Test func `end for a cancelled task, even those that were not taken`() async {
    let lines = await Task {
      var updates = BatchSource(batches: [[(0, Reports.fix(0)), (0, Reports.fix(1))]]).updates()
        .makeAsyncIterator()
      var lines = [Watch.line(try? await updates.next(until: nil))]
      withUnsafeCurrentTask { $0?.cancel() }
      for _ in 0..<2 { lines.append(Watch.line(try? await updates.next(until: nil))) }
      return lines
    }.value
    #expect(lines == ["0.0 connecting", "ended", "ended"])
  }
}
