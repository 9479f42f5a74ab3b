public import LocationCore

/// A session whose lines are also kept, as they came.
///
/// What it says of the time is cut to the milliseconds that a ``RecordedTime`` can hold, so that a
/// replay of the lines says the same.
public struct RecordingSession<Base: GPSDSession>: GPSDSession {
  private let base: Base
  private let keep: @Sendable (GPSDLine) -> Void
  private let time: RecordableTime

  /// - Parameters:
  ///   - base: Holds the conversation.
  ///   - keep: Takes each line before its reader does.
  public init(_ base: Base, keep: @escaping @Sendable (GPSDLine) -> Void) {
    self.init(base, time: RecordableTime(), keep: keep)
  }

  /// - Parameter time: Is one for all sessions of a recording.
  package init(
    _ base: Base, time: RecordableTime, keep: @escaping @Sendable (GPSDLine) -> Void
  ) {
    self.base = base
    self.time = time
    self.keep = keep
  }

  /// What the session behind it does.
  public func open(_ endpoint: GPSDEndpoint) async throws(GPSDError) {
    try await base.open(endpoint)
  }

  /// What the session behind it does.
  public func send(_ command: GPSDCommand) async throws(GPSDError) { try await base.send(command) }

  /// What the session behind it reads, kept where it is a line.
  public func read(until deadline: Moment?) async throws(GPSDError) -> GPSDRead {
    take(try await base.read(until: deadline), deadline: deadline)
  }

  /// The same without a wait.
  public func readBuffered() -> GPSDRead? { base.readBuffered().map { take($0, deadline: nil) } }

  private func take(_ read: GPSDRead, deadline: Moment?) -> GPSDRead {
    switch read {
    case .line(var line):
      line.received = line.received.map(time.cut)
      keep(line)
      return .line(line)
    case .discarded(let bytes, let moment):
      return .discarded(bytes: bytes, at: moment.map(time.cut))
    case .timedOut(let moment):
      // A deadline within a millisecond has passed, whatever is cut off.
      let cut = time.cut(moment)
      return .timedOut(at: deadline.map { max(cut, $0) } ?? cut)
    case .ended:
      return .ended
    }
  }

  /// What the session behind it does.
  public func close() async { await base.close() }

  /// The clock of the session behind it.
  public var clock: LocationClock {
    let (base, time) = (base.clock, time)
    return LocationClock(
      now: { time.cut(base.now) },
      sleepUntil: { guard await base.sleep(until: $0) else { throw CancellationError() } })
  }
  /// Whether the session behind it is.
  public var isLive: Bool { base.isLive }
}
