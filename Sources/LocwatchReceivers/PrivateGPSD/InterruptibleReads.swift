import EventLoop
import GPSDLocation
import LocationCore
import Synchronization

/// Reads of a session, and waits before its polls. They end before their deadline when its reader has something
/// else to look at.
final class InterruptibleReads: Sendable {
  private typealias Outcome = Result<TimedRead<GPSDLines>, LocationError>

  private struct State {
    var task: Task<Outcome, Never>?
    /// Where the reader waits before a poll. It is weak, because a point has to be released before the
    /// descriptor that it watches is closed. Interruptions and the close run on the loop, so no reference
    /// outlives the session.
    weak var arrival: (any Arrival)?
    /// Whether there is something to look at since the last read began.
    var isInterrupted = false
  }

  private let loop: EventLoop
  private let state = Mutex(State())

  init(on loop: EventLoop) { self.loop = loop }

  /// Ends the read, or the next one if there is none; and the wait of a poll.
  func interrupt() {
    let (task, arrival) = state.withLock { state in
      state.isInterrupted = true
      return (state.task, state.arrival)
    }
    task?.cancel()
    arrival?.signal()
  }

  /// Has later interruptions end a wait of the session, too. The reader has to look for what came before.
  func interruptible(_ wait: ArrivalWait?) -> ArrivalWait? {
    state.withLock { $0.arrival = wait?.arrival }
    return wait
  }

  /// Reads from a session.
  ///
  /// - Returns: `nil` if the read was interrupted. Nothing is lost then: the next read returns it.
  func read(
    _ session: any GPSDSession, until deadline: Moment?
  ) async throws(LocationError) -> TimedRead<GPSDLines>? {
    let task = state.withLock { state -> Task<Outcome, Never>? in
      state.arrival = nil
      guard !state.isInterrupted else { return nil }
      let task = Task(executorPreference: loop) {
        do throws(LocationError) {
          return Outcome.success(try await session.read(until: deadline))
        } catch {
          return .failure(error)
        }
      }
      state.task = task
      return task
    }
    let outcome = await withTaskCancellationHandler {
      await task?.value
    } onCancel: {
      task?.cancel()
    }
    let wasInterrupted = state.withLock { state in
      state.task = nil
      defer { state.isInterrupted = false }
      return state.isInterrupted
    }
    let read = try outcome?.get()
    if case .ended = read, wasInterrupted, !Task.isCancelled { return nil }
    return read
  }
}

extension Moment {
  /// Returns when a moment of a clock is by that of the loop.
  func onLoop(from clock: LocationClock) -> Moment {
    LocationClock.live.now.later(by: clock.now.nanoseconds(to: self))
  }
}
