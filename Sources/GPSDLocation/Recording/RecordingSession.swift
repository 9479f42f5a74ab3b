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
  package func send(_ command: GPSDCommand) async throws(LocationError) {
    try await base.send(command)
  }

  /// Reads lines from `base` and records them.
  ///
  /// - Throws: The `LocationError` that `base` throws.
  package func read(until deadline: Moment?) async throws(LocationError) -> TimedRead<GPSDLines> {
    switch try await base.read(until: deadline) {
    case .value(let lines, let moment):
      return .value(recorded(lines), at: time.cut(moment))
    case .timedOut(let moment):
      // The deadline has passed, although the truncated moment may be before it.
      let cut = time.cut(moment)
      return .timedOut(at: deadline.map { max(cut, $0) } ?? cut)
    case .ended:
      return .ended
    }
  }

  /// Returns lines that `base` has received, and records them.
  ///
  /// - Throws: The `LocationError` that `base` throws.
  package func poll() throws(LocationError) -> GPSDLines? { try base.poll().map(recorded) }

  /// Returns the wait of `base`.
  ///
  /// - Parameter deadline: When to stop waiting; `nil` waits without a limit.
  package func arrival(before deadline: Moment?) -> ArrivalWait? { base.arrival(before: deadline) }

  /// Hands lines to the recorder, and returns them as it gets them.
  private func recorded(_ lines: GPSDLines) -> GPSDLines {
    var lines = lines
    lines.received = lines.received.map(time.cut)
    if !lines.bytes.isEmpty { keep(lines) }
    return lines
  }

  /// Ends the connection of `base`.
  package func close() async { await base.close() }

  /// Whether `base` is live.
  package var isLive: Bool { base.isLive }
}

extension RecordableTime {
  /// Returns a clock whose moments are truncated.
  package func clock(_ base: LocationClock) -> LocationClock {
    LocationClock(
      now: { self.cut(base.now) }, wallError: base.wallError,
      sleepUntil: { guard await base.sleep(until: $0) else { throw CancellationError() } })
  }
}
