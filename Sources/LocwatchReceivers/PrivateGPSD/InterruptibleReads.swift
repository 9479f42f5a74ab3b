import EventLoop
import GPSDLocation
import LocationCore
import Synchronization

/// Reads of a session that end before their deadline when its reader has something else to look at.
final class InterruptibleReads: Sendable {
  private typealias Outcome = Result<TimedRead<GPSDLines>, GPSDError>

  private struct State {
    var task: Task<Outcome, Never>?
    /// Whether there is something to look at since the last read began.
    var isInterrupted = false
  }

  private let loop: EventLoop
  private let state = Mutex(State())

  init(on loop: EventLoop) { self.loop = loop }

  /// Ends the read, or the next one if there is none.
  func interrupt() {
    let task = state.withLock { state in
      state.isInterrupted = true
      return state.task
    }
    task?.cancel()
  }

  /// Reads from a session.
  ///
  /// - Returns: `nil` if the read was interrupted. Nothing is lost then: the next read returns it.
  func read(
    _ session: any GPSDSession, until deadline: Moment?
  ) async throws(GPSDError) -> TimedRead<GPSDLines>? {
    let task = state.withLock { state -> Task<Outcome, Never>? in
      guard !state.isInterrupted else { return nil }
      let task = Task(executorPreference: loop) {
        do throws(GPSDError) {
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
