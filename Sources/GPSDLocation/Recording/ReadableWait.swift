import LocationCore
import Synchronization

/// Waits until a pipe can be read, on a thread of its own: the caller's may be the main one.
final class ReadableWait: Sendable {
  /// How soon the thread notices that nobody waits any more, in milliseconds.
  private static let slice: CInt = 100

  private let file: RecordingFile
  private let arrival = Rendezvous<Void>()
  private let isOver = Mutex(false)

  init(for file: RecordingFile) { self.file = file }

  /// Returns when there is something to read or the end is reached, and when the task is cancelled.
  func run() async {
    let isStarted = BlockingThread.start { [self] in
      while !isOver.withLock(\.self), !file.isReadable(within: Self.slice) {}
      arrival.bring(())
    }
    // Where the system has no thread left, the caller looks again.
    let deadline = isStarted ? nil : LocationClock.live.now.advanced(by: .milliseconds(100))
    _ = await arrival.take(until: deadline, by: .live)
    isOver.withLock { $0 = true }
  }
}
