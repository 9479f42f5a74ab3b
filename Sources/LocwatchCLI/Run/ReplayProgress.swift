import Dispatch
import GPSDLocation
import LocationCore
import Synchronization

/// Shows on standard error how far a replay is that takes longer than a second, where a person
/// looks at a terminal and the output goes somewhere else.
///
/// It has a thread of its own: a replay at full speed waits for nothing.
final class ReplayProgress: Sendable {
  private static let first = DispatchTimeInterval.seconds(1)
  private static let interval = DispatchTimeInterval.milliseconds(250)

  private let session: RecordedSession
  private let terminal = Descriptor.standardError
  private let line: TransientLine
  private let start = LocationClock.live.now
  private let queue = DispatchQueue(label: "progress")
  private let isOver = Mutex(false)

  /// - Returns: `nil` where nobody would see it, or other words stand there.
  init?(
    of session: RecordedSession, _ options: Options, _ environment: Environment
  ) {
    guard !options.quiet, !options.verbose, terminal.kind == .terminal, terminal.isInForeground,
      Descriptor.standardOutput.kind != .terminal, environment["TERM", default: "dumb"] != "dumb"
    else { return nil }
    self.session = session
    line = TransientLine(on: terminal)
    look(after: Self.first)
  }

  /// Clears the line. Nothing is shown after it.
  func end() {
    isOver.withLock { isOver in
      isOver = true
      line.clear()
    }
  }

  private func look(after delay: DispatchTimeInterval) {
    queue.asyncAfter(deadline: .now() + delay) { @Sendable [weak self] in
      guard let self, show() else { return }
      look(after: Self.interval)
    }
  }

  /// Returns whether there will be more to show.
  private func show() -> Bool {
    let status = ReplayStatus(
      said: session.bytesSaid, size: session.size,
      elapsed: start.duration(to: LocationClock.live.now))
    return isOver.withLock { isOver in
      // A pager at the other end of the pipe has taken the terminal for itself.
      if !isOver, terminal.isInLineMode { line.show(status.words) }
      return !isOver
    }
  }
}
