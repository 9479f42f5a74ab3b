import LocationCore
import LocwatchSystem

/// Writes the report of a run at intervals until the run ends.
struct PeriodicReport: Sendable {
  let interval: Duration
  let clock: LocationClock
  let log: Log
  /// Writes the report. It may block.
  let write: @Sendable () throws(OutputError) -> Void

  /// Writes the report now and after each interval, until the task is cancelled. A failure is reported once,
  /// and the next report is a new attempt.
  func run() async {
    var next = clock.now
    var failure: OutputError?
    repeat {
      let error = await writeOnThread()
      if let error, error != failure { log.error("\(error)") }
      failure = error
      // If writing takes longer than the interval, the report is written less often.
      next = max(next.advanced(by: interval), clock.now)
    } while await clock.sleep(until: next)
  }

  /// Writes the report on a thread, because a disk may be slow. Returns the error; `nil` if there was none.
  private func writeOnThread() async -> OutputError? {
    await withCheckedContinuation { continuation in
      let started = BlockingThread.start { [write] in
        do throws(OutputError) {
          try write()
          continuation.resume(returning: nil)
        } catch {
          continuation.resume(returning: error)
        }
      }
      if !started { continuation.resume(returning: nil) }
    }
  }
}
