import LocationCore

/// The time within a recording.
///
/// Time stamps determine the time. In a recording without any, the reports' own times do: the time
/// starts at zero with the first report, advances with each later one, and never goes back.
struct RecordingClock: Sendable {
  private(set) var now = Moment(uptime: .zero)
  /// Whether the current file has receive times.
  private(set) var isTimed = false
  /// Whether another file was read before it.
  private var isContinued = false

  private var origin = Moment(uptime: .zero)
  private var last: Timestamp?

  /// Starts the next file, which has receive times of its own, or none.
  mutating func beginFile() {
    isTimed = false
    isContinued = true
  }

  /// Returns when the next line was received; `nil` if the file has no receive times.
  mutating func momentOfLine() -> Moment? {
    if isTimed { return now }
    // The time of day of the previous file does not apply to this one.
    if now.wall != nil { now.wall = nil }
    return nil
  }

  mutating func advance(to time: RecordingTimestamp) {
    defer { isTimed = true }
    if let start = time.start, isTimed, time.elapsed > .zero {
      // The machine's clock was set, which takes no time.
      origin.wall = start
    } else if let start = time.start {
      // An appended recording continues at the end of the previous one, or later. It may lack its
      // beginning, if a file was removed.
      let wall = start.advanced(by: time.elapsed)
      let pause = now.wall.map { max(.zero, $0.duration(to: wall)) } ?? .zero
      origin = Moment(uptime: now.uptime + pause - time.elapsed, wall: start)
    } else if isContinued, !isTimed {
      // The beginning of the file is missing.
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
