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
    case fail(LocationError)
  }

  private let steps: Mutex<ArraySlice<(second: Double, step: Step)>>
  /// A wait on it ends when the reader has come as far, so opening the session is always in time.
  private let time = ManualClock()
  let clock: LocationClock

  init(_ steps: [(Double, Step)]) {
    self.steps = Mutex(steps.map { (second: $0.0, step: $0.1) }[...])
    clock = LocationClock(time)
  }

  func open(_ endpoint: GPSDEndpoint) {}
  func send(_ command: GPSDCommand) {}
  func close() {}

  func read(until deadline: Moment?) throws(LocationError) -> TimedRead<GPSDLines> {
    let (end, step) = steps.withLock { steps -> (Moment?, Step?) in
      let due = steps.first.map { Moment.at($0.second) }
      if let deadline, due.map({ deadline < $0 }) ?? true { return (deadline, nil) }
      return (due, steps.popFirst()?.step)
    }
    guard let end else { return .ended }
    time.jump(by: clock.now.duration(to: end))
    switch step {
    case .line(let text): return .lines(Lines.bytes(text), at: clock.now)
    case .discarded(let bytes): return .lines([], discarding: bytes, at: clock.now)
    case .fail(let error): throw error
    case nil: return .timedOut(at: clock.now)
    }
  }
}
