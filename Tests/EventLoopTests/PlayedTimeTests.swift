import Glibc
import LocationCore
import Synchronization
import Testing

@testable import EventLoop

@Suite(.timeLimit(.minutes(5))) struct `An event loop in a played time` {
  /// A time that jumps to each deadline.
  private final class Jumps: Sendable {
    private let state = Mutex((now: Moment(uptime: .zero), deadlines: [Duration?]()))
    private let outcomes = Mutex<[String]>([])
    private let ending = Mutex<EventLoop?>(nil)

    /// What the tasks said.
    var said: [String] { outcomes.withLock(\.self) }
    func say(_ outcome: String) { outcomes.withLock { $0.append(outcome) } }

    /// Ends a loop when no deadline is left.
    func end(_ loop: EventLoop) { ending.withLock { $0 = loop } }

    /// The deadlines that the loop was asked to wait for.
    var deadlines: [Duration?] { state.withLock(\.deadlines) }

    /// - Parameter idle: Called when no deadline is left.
    func time(idle: @escaping @Sendable () -> Void = {}) -> PlayedTime {
      PlayedTime(now: { self.state.withLock(\.now) }) { deadline in
        self.state.withLock { state in
          state.deadlines.append(deadline?.uptime)
          if let deadline { state.now = deadline }
        }
        guard deadline == nil else { return }
        idle()
        self.ending.withLock { $0?.finish() }
      }
    }
  }

  @Test func `waits for an hour in no time, and stops at each deadline once`() async throws {
    let jumps = Jumps()
    let loop = try #require(EventLoop(in: jumps.time()))
    jumps.end(loop)
    let clock = loop.clock
    for (name, seconds) in [("long", 3600), ("short", 1), ("as short", 1)] {
      Task(executorPreference: loop) {
        try await clock.sleep(until: Moment(uptime: .seconds(seconds)))
        jumps.say("\(name) \(clock.now.uptime)")
      }
    }
    loop.run()
    #expect(
      jumps.said == [
        "short 1.0 seconds", "as short 1.0 seconds", "long 3600.0 seconds",
      ])
    #expect(jumps.deadlines == [.seconds(1), .seconds(3600), nil])
    #expect(clock.wallError() == nil)
  }

  @Test func `rests only when no descriptor is ready`() async throws {
    var ends: [CInt] = [-1, -1]
    try #require(pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    let jumps = Jumps()
    let writer = ends[1]
    // The loop ends when it has read what is written while it rests.
    let time = jumps.time { _ = write(writer, "x", 1) }
    let loop = try #require(EventLoop(in: time))
    let reader = WaitPoint(on: loop, descriptor: ends[0])
    Task(executorPreference: loop) {
      #expect(await reader.wait(until: Moment(uptime: .seconds(5))) == .timedOut)
      #expect(await reader.wait() == .signalled)
      loop.finish()
    }
    loop.run()
    #expect(jumps.deadlines == [.seconds(5), nil])
  }
}
