import GPSDLocation
import LocationCore
import LocationTestKit
import Synchronization

/// A live gpsd on a clock that stands still: its lines come at their seconds, and where none is due
/// it takes the reader straight to its deadline.
final class PlayedSession: GPSDSession {
  enum Step {
    case line(String)
    case discarded(Int)
    case fail(GPSDError)
  }

  private struct State {
    var steps: ArraySlice<(second: Double, step: Step)>
    var now = Moment.at(0)
  }

  private let state: Mutex<State>

  init(_ steps: [(Double, Step)]) {
    state = Mutex(State(steps: steps.map { (second: $0.0, step: $0.1) }[...]))
  }

  var clock: LocationClock {
    LocationClock(now: { [self] in state.withLock { $0.now } }, sleepUntil: { _ in })
  }

  func open(_ endpoint: GPSDEndpoint) {}
  func send(_ command: GPSDCommand) {}
  func close() {}

  func read(until deadline: Moment?) throws(GPSDError) -> TimedRead<GPSDLines> {
    let next = state.withLock { state -> (moment: Moment, step: Step?)? in
      let due = state.steps.first.map { Moment.at($0.second) }
      if let deadline, due.map({ deadline < $0 }) ?? true {
        state.now = max(state.now, deadline)
        return (state.now, nil)
      }
      guard let due else { return nil }
      state.now = max(state.now, due)
      return (state.now, state.steps.removeFirst().step)
    }
    guard let next else { return .ended }
    switch next.step {
    case .line(let text): return .lines(Lines.bytes(text), at: next.moment)
    case .discarded(let bytes): return .lines([], discarding: bytes, at: next.moment)
    case .fail(let error): throw error
    case nil: return .timedOut(at: next.moment)
    }
  }
}
