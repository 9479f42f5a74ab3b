package import LocationCore

/// A session that passes on the lines of another session and also hands them to a recorder.
///
/// Its moments are truncated to the milliseconds that a ``RecordingTimestamp`` can represent, so that a replay
/// reports the same events. The source needs a clock that is truncated in the same way,
/// ``RecordableTime/clock(_:)``.
package struct RecordingSession: GPSDSession {
  private let base: any GPSDSession
  private let keep: @Sendable (GPSDLines) -> Void
  private let time: RecordableTime

  /// Creates a session that records the lines of another session.
  ///
  /// - Parameters:
  ///   - base: The session to record.
  ///   - time: Truncates moments; shared by all sessions of a recording.
  ///   - keep: Called with each batch of lines before it is returned.
  package init(
    _ base: any GPSDSession, time: RecordableTime,
    keep: @escaping @Sendable (GPSDLines) -> Void
  ) {
    self.base = base
    self.time = time
    self.keep = keep
  }

  /// Connects `base`.
  ///
  /// - Throws: The `LocationError` that `base` throws.
  package func open(_ endpoint: GPSDEndpoint) async throws(LocationError) {
    try await base.open(endpoint)
  }

  /// Sends a command over `base`.
  ///
  /// - Throws: The `LocationError` that `base` throws.
  package func send(_ command: GPSDCommand) throws(LocationError) { try base.send(command) }

  /// Returns lines that `base` has received, and records them.
  ///
  /// - Throws: The `LocationError` that `base` throws.
  package func poll(at now: Moment) throws(LocationError) -> Polled<GPSDLines> {
    try base.poll(at: now).map(recorded)
  }

  /// Returns the wait of `base`.
  package func wait() -> Wait { base.wait() }

  /// Hands lines to the recorder, and returns them as it gets them.
  private func recorded(_ lines: GPSDLines) -> GPSDLines {
    var lines = lines
    lines.received = lines.received.map(time.cut)
    if !lines.bytes.isEmpty { keep(lines) }
    return lines
  }

  /// Ends the connection of `base`.
  package func close() { base.close() }

  /// Whether `base` is live.
  package var isLive: Bool { base.isLive }
}

extension RecordableTime {
  /// Returns a clock whose moments are truncated.
  package func clock(_ base: LocationClock) -> LocationClock {
    LocationClock(
      now: { self.cut(base.now) }, wallError: base.wallError, makeSemaphore: { base.semaphore },
      sleepUntil: base.sleep)
  }
}
