import LocationCore

/// The time within a recording.
///
/// Where its lines tell when they came, that is the time. Where none does, it is the time of the
/// reports themselves: it starts at zero with the first of them, goes on with every later one, and
/// never back.
struct RecordingClock: Sendable {
  private(set) var now = Moment(uptime: .zero)
  /// Whether the recording tells when its lines came.
  private(set) var isTimed = false

  private var origin = Moment(uptime: .zero)
  private var last: Timestamp?

  mutating func advance(to time: RecordedTime) {
    isTimed = true
    if let start = time.start {
      // A recording that was appended to another goes on where that one ended, or later.
      let pause = now.wall.map { max(.zero, $0.duration(to: start)) } ?? .zero
      origin = Moment(uptime: now.uptime + pause, wall: start)
    }
    now = max(now, origin.advanced(by: time.elapsed))
  }

  mutating func advance(toReportOf time: Timestamp?) {
    guard !isTimed, let time else { return }
    if let last, last < time { now = now.later(by: last.nanoseconds(to: time)) }
    last = time
  }
}
