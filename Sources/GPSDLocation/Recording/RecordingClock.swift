import LocationCore

/// The time within a recording.
///
/// Where its lines tell when they came, that is the time. Where none does, it is the time of the
/// reports themselves: it starts at zero with the first of them, goes on with every later one, and
/// never back.
struct RecordingClock: Sendable {
  private(set) var now = Moment(uptime: .zero)
  /// Whether the file that is read tells when its lines came.
  private(set) var isTimed = false
  /// Whether another file was read before it.
  private var isContinued = false

  private var origin = Moment(uptime: .zero)
  private var last: Timestamp?

  /// Another file begins. It tells its own times, or none.
  mutating func beginFile() {
    isTimed = false
    isContinued = true
  }

  /// When the next line came; `nil` where the file does not tell.
  mutating func momentOfLine() -> Moment? {
    if isTimed { return now }
    // That of the file before would go on by a clock that nobody read.
    if now.wall != nil { now.wall = nil }
    return nil
  }

  mutating func advance(to time: RecordedTime) {
    defer { isTimed = true }
    if let start = time.start, isTimed, time.elapsed > .zero {
      // The clock of the machine was set; no time passed by that.
      origin.wall = start
    } else if let start = time.start {
      // A recording that was appended to another goes on where that one ended, or later.
      let pause = now.wall.map { max(.zero, $0.duration(to: start)) } ?? .zero
      origin = Moment(uptime: now.uptime + pause, wall: start)
    } else if isContinued, !isTimed {
      // The beginning of the file was cut off.
      origin = Moment(uptime: now.uptime - time.elapsed)
    }
    now = max(now, origin.advanced(by: time.elapsed))
  }

  mutating func advance(toReportOf time: Timestamp?) {
    guard !isTimed, let time else { return }
    if let last, last < time { now = now.later(by: last.nanoseconds(to: time)) }
    last = time
  }
}
