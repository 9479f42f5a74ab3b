import LocationCore
import LocwatchSystem

/// Writes the report of a run at intervals until the run ends.
struct PeriodicReport: Sendable {
  /// Limits what is lost if the run is killed. A page of a day has 150 KB, so up to 20 MB a day are written to a memory
  /// card. A shorter interval would only wear it out: `--serve` shows the present.
  static let interval = Duration.seconds(600)

  let clock: LocationClock
  let log: Log
  /// Runs a body elsewhere. Returns `false` if that is not possible.
  var startThread: @Sendable (@escaping @Sendable () -> Void) -> Bool = BlockingThread.start
  /// Writes the report. It may block.
  let write: @Sendable () throws(OutputError) -> Void

  /// Writes the report after each interval, until the task is cancelled. A failure is reported once, and the next report
  /// is a new attempt.
  func run() async {
    var failure: OutputError?
    while (try? await clock.sleep(until: clock.now.advanced(by: Self.interval))) != nil {
      let error = await writeOnThread()
      if let error, error != failure { log.error("\(error)") }
      failure = error
    }
  }

  /// Writes the report on a thread, because a disk may be slow. Returns the error; `nil` if there was none.
  private func writeOnThread() async -> OutputError? {
    await withCheckedContinuation { continuation in
      let started = startThread { [write] in
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
