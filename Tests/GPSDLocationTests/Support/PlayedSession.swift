import GPSDLocation
import LocationCore
import LocationTestKit
import Synchronization

/// A live gpsd on a clock that stands still: its lines come at their seconds, and each wait of the reader takes the clock
/// to its end.
final class PlayedSession: GPSDSession {
  enum Step {
    case line(String)
    case discarded(Int)
    case fail(LocationError)
  }

  private let steps: Mutex<ArraySlice<(second: Double, step: Step)>>
  let clock: LocationClock

  init(_ steps: [(Double, Step)]) {
    self.steps = Mutex(steps.map { (second: $0.0, step: $0.1) }[...])
    let time = ManualClock()
    let clock = time.locationClock
    self.clock = LocationClock(
      now: { clock.now }, move: { moment, _ in time.jump(by: clock.now.duration(to: moment)) },
      sleepUntil: { _ in })
  }

  func open(_ endpoint: GPSDEndpoint) {}
  func send(_ command: GPSDCommand) {}
  func close() {}

  func poll(at now: Moment) throws(LocationError) -> Polled<GPSDLines> {
    let step = steps.withLock { steps in
      steps.first.flatMap { .at($0.second) <= now ? steps.removeFirst().step : nil }
    }
    switch step {
    case .line(let text): return .lines(Lines.bytes(text), at: now)
    case .discarded(let bytes): return .lines([], discarding: bytes, at: now)
    case .fail(let error): throw error
    case nil: return .quiet(at: now)
    }
  }

  func wait() -> Wait { Wait(until: steps.withLock { $0.first.map { .at($0.second) } }) }
}
