import LocationCore

/// The time within a recording.
///
/// Time stamps determine the time. In a recording without any, the receivers' own times do: the time
/// starts at zero with the first report of a position, and advances with the receiver whose times have
/// advanced furthest. It never goes back.
struct RecordingClock: Sendable {
  /// The maximum time between two lines of a run: gpsd answers `?DEVICES;` after a silence of 10 s. A file may therefore
  /// end this long before the next one of the same run begins.
  private static let longestInterval = Duration.seconds(15)

  private(set) var now = Moment(uptime: .zero)
  /// Whether the current file has receive times.
  private(set) var isTimed = false
  /// Whether something kept the clock of the machine right; `nil` if this is unknown.
  private(set) var isSynchronized: Bool?
  /// Whether another file was read before it.
  private var isContinued = false

  private var origin = Moment(uptime: .zero)
  /// When earlier runs ended that no other one has continued. If the clock of a run was wrong, or two programs recorded
  /// at the same time, a run does not continue the previous one, but one before it.
  private var ends: [Timestamp] = []
  /// The maximum number of these ends, because a recording can have any number of runs.
  private static let maximumEnds = 16
  /// How far the clock of the current run is behind at least; zero if it is not known to be behind.
  private var lag = Duration.zero
  private var receivers = ReceiverTable<ReceiverClock>()

  /// Starts the next file, which has its own receive times, or none.
  mutating func beginFile() {
    isTimed = false
    isContinued = true
    isSynchronized = nil
  }

  /// Returns when the next line was received; `nil` if the file has no receive times.
  mutating func momentOfLine() -> Moment? {
    if isTimed { return now }
    // The time of day of the previous file does not apply to this one.
    if now.wall != nil { now.wall = nil }
    return nil
  }

  /// The time of the latest time stamp, since the beginning of the recording; `nil` if the file has none, or if the
  /// time of day does not follow from it.
  var elapsed: Nanoseconds? {
    guard isTimed, let wall = now.wall, origin.later(by: origin.nanoseconds(to: now)).wall == wall
    else { return nil }
    return origin.nanoseconds(to: now)
  }

  /// Returns the time since the beginning of the recording at a time of day; `nil` if that is unknown.
  func elapsed(at time: Timestamp) -> Nanoseconds? { origin.wall?.nanoseconds(to: time) }

  /// Whether a time stamp begins another run, and nothing was recorded before it for some time.
  func endsPause(_ time: RecordingTimestamp) -> Bool {
    guard let start = time.start, !isTimed || time.elapsed == .zero else { return false }
    let beginning = start.advanced(by: time.elapsed)
    return end(before: beginning).map { $0.duration(to: beginning) > Self.longestInterval } ?? false
  }

  /// When the current run has ended, if it ends now: by its clock, and by one that is not behind.
  private var currentEnds: [Timestamp] { now.wall.map { [$0, $0.advanced(by: lag)] } ?? [] }

  /// Returns when the run ended that another one continues: the last one that had ended at its beginning. `nil` if
  /// there is none, or if the time of day is unknown.
  private func end(before beginning: Timestamp) -> Timestamp? {
    now.wall == nil ? nil : (ends + currentEnds).filter { $0 <= beginning }.max()
  }

  /// Begins another run, and returns how long nothing was recorded before it; zero if that is unknown.
  private mutating func beginRun(at beginning: Timestamp) -> Duration {
    let (end, current) = (end(before: beginning), currentEnds)
    // Later runs begin later, and do not continue what ended before that end.
    ends = (ends + current).filter { other in end.map { other > $0 } ?? true }
      .suffix(Self.maximumEnds)
    let isBehind = lag > .zero || origin.wall.map { beginning < $0 } ?? false
    if end == nil, isBehind, let last = current.last {
      // It recorded after the previous run nevertheless.
      lag = beginning.duration(to: last)
    } else if end == nil || end != now.wall {
      lag = .zero
    }
    return end?.duration(to: beginning) ?? .zero
  }

  mutating func advance(to time: RecordingTimestamp) {
    defer { isTimed = true }
    if time.start != nil { isSynchronized = time.isClockSynchronized }
    if let start = time.start, isTimed, time.elapsed > .zero {
      // The machine's clock was set, which takes no time.
      origin.wall = start
      lag = .zero
    } else if let start = time.start {
      // An appended recording continues at the end of the previous one, or later. It may lack its
      // beginning, if a file was removed.
      let pause = beginRun(at: start.advanced(by: time.elapsed))
      origin = Moment(uptime: now.uptime + pause - time.elapsed, wall: start)
    } else if isContinued, !isTimed {
      // The beginning of the file is missing.
      origin = Moment(uptime: now.uptime - time.elapsed)
    }
    now = max(now, origin.advanced(by: time.elapsed))
  }

  /// Advances the time to a report of a position, unless the file has receive times.
  ///
  /// - Parameters:
  ///   - receiver: The path of the receiver; `nil` if the report has none.
  ///   - time: The time in the report, by the receiver's clock.
  mutating func advance(toReportOf receiver: String?, at time: Timestamp) {
    guard !isTimed, let index = receivers.find(receiver) ?? receivers.insert(.init(), for: receiver)
    else { return }
    let moment = receivers.values[index].moment(of: time, after: now)
    now = now.later(by: max(.zero, now.nanoseconds(to: moment)))
  }
}

/// The clock of a receiver, in a recording that has no other.
///
/// A receiver's clock can be set several times. A report after a silence therefore continues either from the
/// last report by the current setting of the clock, or from the last one by the previous setting: from the one
/// that moves the time of the recording less.
private struct ReceiverClock {
  /// A report that arrives after a shorter time continues from the previous one.
  private static let shortestSilence = Nanoseconds.seconds(10)
  /// After a longer jump, a clock was set. The limit is half a day, because gpsd treats a step back of less
  /// than that as midnight, and adds a day.
  private static let longestSilence = Nanoseconds.seconds(43_200)

  /// A report, and when it arrived by the time of the recording.
  private struct Report {
    let time: Timestamp
    var moment: Moment

    /// Returns a later report by the same setting of the clock; `nil` if the clock was set.
    func next(at time: Timestamp) -> Report? {
      let elapsed = self.time.nanoseconds(to: time)
      guard elapsed >= .zero, elapsed <= longestSilence else { return nil }
      return Report(time: time, moment: moment.later(by: elapsed))
    }

    /// Returns how far the report is from the time of the recording.
    func distance(from now: Moment) -> Nanoseconds {
      max(moment.nanoseconds(to: now), now.nanoseconds(to: moment))
    }
  }

  /// The last report by the current setting of the clock, and the last one by the previous setting.
  private var latest: Report?
  private var previous: Report?

  /// Returns the moment of the next report.
  ///
  /// - Parameters:
  ///   - time: The time in the report.
  ///   - now: The time of the recording, from which a clock that was set continues.
  mutating func moment(of time: Timestamp, after now: Moment) -> Moment {
    let next = latest?.next(at: time)
    if let next, let latest, latest.time.nanoseconds(to: time) <= Self.shortestSilence {
      self.latest = next
      return next.moment
    }
    var report = next ?? Report(time: time, moment: now)
    if var other = previous?.next(at: time),
      next == nil || other.distance(from: now) < report.distance(from: now)
    {
      other.moment = max(other.moment, now)
      report = other
      previous = latest
    } else if next == nil {
      previous = latest
    }
    latest = report
    return report.moment
  }
}
