import GPSDLocation
import GPSDTestKit
import LocationCore
import Synchronization
import Testing

@Suite struct `Recording session` {
  /// What a test gives to polls, one after the other.
  private final class Given: GPSDSession {
    private let reads: Mutex<[Polled<GPSDLines>]>
    let clock: LocationClock

    init(_ reads: [Polled<GPSDLines>], now: Moment = .at(0)) {
      self.reads = Mutex(reads)
      clock = LocationClock(now: { now }, sleepUntil: { _ in })
    }

    var isLive: Bool { false }
    func open(_ endpoint: GPSDEndpoint) {}
    func send(_ command: GPSDCommand) {}
    func close() {}

    func wait() -> Wait { Wait(until: .at(7)) }

    func poll(at now: Moment) -> Polled<GPSDLines> {
      reads.withLock { $0.isEmpty ? .ended : $0.removeFirst() }
    }
  }

  /// A moment that is not a whole millisecond by either clock.
  private func odd(_ nanoseconds: Int64, clockSetBy change: Duration = .zero) -> Moment {
    Moment(
      uptime: .nanoseconds(100_000_000_123 + nanoseconds),
      wall: Lines.start.advanced(by: .nanoseconds(999_700 + nanoseconds)).advanced(by: change))
  }

  /// The same, as it is recorded: its clocks move together.
  private func cut(_ milliseconds: Int64, clockSetBy change: Duration = .zero) -> Moment {
    Moment(
      uptime: .seconds(100) + .milliseconds(milliseconds),
      wall: Lines.start.advanced(by: .milliseconds(milliseconds)).advanced(by: change))
  }

  private func line(_ text: String, _ moment: Moment) -> Polled<GPSDLines> {
    .lines(Lines.bytes(text), at: moment)
  }

  @Test func `gives times in milliseconds, as a recording does`() throws {
    let given = Given(
      [
        line("a", odd(0)), line("b", odd(1_000_500)), .lines([], discarding: 3, at: odd(2_999_000)),
        line("c", odd(3_000_000, clockSetBy: .seconds(-3600))),
        line("d", odd(4_000_000, clockSetBy: .seconds(-3600))),
      ], now: odd(900_000, clockSetBy: .seconds(-3600)))
    let time = RecordableTime()
    let session = RecordingSession(given, time: time) { _ in }
    var reads: [Polled<GPSDLines>] = []
    repeat { reads.append(try session.poll(at: .at(0))) } while reads.last != .ended
    #expect(
      reads == [
        line("a", cut(0)), line("b", cut(1)), .lines([], discarding: 3, at: cut(2)),
        line("c", cut(3, clockSetBy: .seconds(-3600))),
        line("d", cut(4, clockSetBy: .seconds(-3600))),
        .ended,
      ])
    #expect(session.wait().deadline == .at(7))
    #expect(time.clock(given.clock).now == cut(0, clockSetBy: .seconds(-3600)))
  }

  @Test func `replays to the live output, including a jump of the clock`() async throws {
    let moments = [0, 1_000_000_777, 2_000_999_999, 3_000_500_000].map { odd($0) }
    let texts = [Lines.tpv(1), Lines.tpv(2), Lines.tpv(33), Lines.tpv(34)]
    let kept = Mutex<[String]>([])
    let given = Given(zip(texts, moments).map(line), now: moments[0])
    let time = RecordableTime()
    let live = RecordingSession(given, time: time) { lines in
      var bytes: [UInt8] = []
      let start = self.cut(0)
      RecordingTimestamp(
        elapsed: start.duration(to: lines.received ?? start),
        start: lines.received == start ? start.wall : nil
      ).append(to: &bytes)
      kept.withLock { $0 += [Lines.text(bytes.dropLast(2)), Lines.text(lines.bytes.dropLast())] }
    }
    let said = try await updates(of: live, time.clock(given.clock))
    #expect(said.contains { if case .fix(let fix) = $0 { fix.timeJump != nil } else { false } })
    let recorded = RecordedSession(lines: kept.withLock(\.self))
    #expect(try await updates(of: recorded, recorded.clock) == said)
  }

  /// Without their uptimes, which have another beginning.
  private func updates(
    of session: some GPSDSession, _ clock: LocationClock
  ) async throws -> [LocationUpdate] {
    var updates: [LocationUpdate] = []
    let source = GPSDLocationSource(clock: clock, makeSession: { session })
    for try await update in source.updates(retries: .never) {
      if case .state(var change) = update {
        change.moment = Moment(uptime: .zero, wall: change.moment.wall)
        updates.append(.state(change))
      } else {
        updates.append(update)
      }
    }
    return updates
  }
}
