package import LocationCore

/// The part of a recording that is replayed, by the times at which its lines were received or, where it has
/// none, by the times of its reports that agree with each other (``ReportedDates``).
package struct RecordedRange: Hashable, Sendable {
  /// One of its ends.
  package enum Bound: Hashable, Sendable {
    case time(Timestamp)
    /// A time of day on the first day of the recording, in a zone that is ahead of UTC.
    case timeOfDay(Duration, ahead: Duration = .zero)
  }

  /// How much of the time before a part is decoded completely: twice as long as the slowest evidence about a receiver
  /// counts.
  package static let leadIn = Nanoseconds.seconds(1200)

  /// The first time; `nil` for the beginning of the recording.
  package var from: Bound?
  /// The time at which it ends, which it does not contain; `nil` for the end of the recording.
  package var to: Bound?

  package init(from: Bound? = nil, to: Bound? = nil) {
    self.from = from
    self.to = to
  }

  /// Whether it is all of any recording.
  package var isWhole: Bool { from == nil && to == nil }

  /// Whether it contains nothing of any recording.
  package var isEmpty: Bool {
    switch (from, to) {
    case (.time(let from), .time(let to)): from >= to
    // A range to an earlier time of day ends on the next day.
    case (.timeOfDay(let from, let fromZone), .timeOfDay(let to, let toZone)):
      from - fromZone == to - toZone
    default: false
    }
  }

  /// Whether it depends on the first day of the recording.
  package var isByTimeOfDay: Bool {
    if case .timeOfDay = from { return true }
    if case .timeOfDay = to { return true }
    return false
  }

  /// The first time, if it is known without the recording; `nil` for its beginning.
  package var start: Timestamp? { if case .time(let time) = from { time } else { nil } }
  /// The time at which it ends, if that is known without the recording; `nil` for its end.
  package var end: Timestamp? { if case .time(let time) = to { time } else { nil } }

  /// Returns the range in a recording whose first day is that of `time`.
  package func inRecording(from time: Timestamp) -> RecordedRange {
    func resolved(_ bound: Bound?) -> Bound? {
      guard case .timeOfDay(let clock, let zone) = bound else { return bound }
      let day = time.advanced(by: zone).nanosecondsSince1970.dividedDown(by: 86_400_000_000_000)
      return .time(time.later(by: Nanoseconds(0 - day.remainder)).advanced(by: clock))
    }
    var range = RecordedRange(from: resolved(from), to: resolved(to))
    guard case (.timeOfDay, .timeOfDay) = (from, to) else { return range }
    // The first days of two zones can be two days apart.
    for _ in 1...2 {
      guard let start = range.start, let end = range.end, end <= start else { break }
      range.to = .time(end.advanced(by: .seconds(86_400)))
    }
    return range
  }
}

/// What a replay of a part has found of it.
package struct RecordedExtent: Hashable, Sendable {
  /// The part, as far as it is known.
  package var range: RecordedRange
  /// The earliest and the latest time that was read; `nil` if there was none.
  package var times: ClosedRange<Timestamp>?
  /// Whether there are lines in the part.
  package var hasLines = false
}

/// Finds a part of a recording, line by line. The times of lines may go back: the part is whatever lies within the range.
///
/// Lines before the part show its state at the beginning. Lines after it, and earlier lines once it has begun, are
/// outside of it, and take no time.
struct RangeCursor: Sendable {
  enum Place: Equatable { case before, inside, outside }

  /// The part that was asked for.
  let range: RecordedRange
  private(set) var extent: RecordedExtent
  /// When the part begins; `nil` while it is not known.
  private(set) var beginning: Moment?
  /// When the lines outside of the part began; `nil` while there are none.
  private var left: Moment?
  /// The time that lines outside of the part took.
  private var skipped = Nanoseconds.zero
  private var latest = Moment.past
  private var eras = RecordedEras()

  init(_ range: RecordedRange) {
    self.range = range
    extent = RecordedExtent(range: range)
    if range.from == nil { beginning = .past }
  }

  /// Whether the latest lines are outside of the part.
  var isOutside: Bool { left != nil }

  /// Returns the time of the replay at a moment of the recording that is not earlier than the latest one.
  func replayed(_ moment: Moment) -> Moment {
    left
      ?? Moment(
        uptimeNanoseconds: moment.uptimeNanoseconds.clampedDifference(skipped.count),
        wall: moment.wall)
  }

  /// Returns up to when lines after a time are so far from the part that they need not be decoded, and whether they are
  /// before it. The end is `nil` if there is none. Returns `nil` if the next lines may be near the part.
  func farTimes(after time: Timestamp) -> (end: Timestamp?, isBefore: Bool)? {
    if isOutside {
      let isBehind = extent.range.end.map { time >= $0 } ?? false
      return isBehind ? (nil, false) : extent.range.start.map { ($0, false) }
    }
    guard beginning == nil else { return nil }
    return extent.range.start.map { ($0.later(by: .zero - RecordedRange.leadIn), true) }
  }

  /// Returns where the next lines are, or a time stamp.
  ///
  /// - Parameters:
  ///   - time: Their time; `nil` if it is that of the lines before, or unknown.
  ///   - moment: When they were received, by the time of the recording.
  ///   - isLine: Whether they are more than a time stamp.
  mutating func place(_ time: Timestamp?, at moment: Moment, isLine: Bool) -> Place {
    if let time {
      record(time)
      let isBehind = extent.range.end.map { time >= $0 } ?? false
      let isBefore = extent.range.start.map { time < $0 } ?? false
      if isBehind || isBefore && beginning != nil {
        leave(at: moment, end: isBehind ? extent.range.end.map { time.nanoseconds(to: $0) } : nil)
      } else {
        comeBack(at: moment)
        if !isBefore { begin(at: moment, from: time) }
      }
    }
    guard !isOutside else { return .outside }
    latest = max(latest, replayed(moment))
    // A recording without a time has no part that is known to be the one.
    guard beginning != nil, extent.times != nil else { return .before }
    if isLine { extent.hasLines = true }
    return .inside
  }

  private mutating func record(_ time: Timestamp) {
    let times = extent.times ?? time...time
    extent.times = min(times.lowerBound, time)...max(times.upperBound, time)
    if range.isByTimeOfDay { extent.range = range.inRecording(from: eras.first(with: time)) }
  }

  /// - Parameter end: The time until the part ends, which is negative; `nil` if it does not end there.
  private mutating func leave(at moment: Moment, end: Nanoseconds?) {
    guard left == nil else { return }
    let now = replayed(moment)
    left = latest == .past ? now : max(latest, end.map { now.later(by: $0) } ?? latest)
    latest = max(latest, left ?? now)
  }

  private mutating func comeBack(at moment: Moment) {
    guard let left else { return }
    self.left = nil
    skipped = skipped + max(.zero, left.nanoseconds(to: replayed(moment)))
  }

  private mutating func begin(at moment: Moment, from time: Timestamp) {
    guard beginning == nil, let start = extent.range.start else { return }
    beginning = max(latest, replayed(moment).later(by: time.nanoseconds(to: start)))
  }
}

/// The eras of the times in a recording, which are years apart: a receiver that has just started, or a machine without
/// a battery, begins with a date of its own.
private struct RecordedEras {
  /// Times that are farther apart belong to different eras.
  private static let gap = Nanoseconds.seconds(52 * 7 * 86_400)
  /// The maximum number of eras.
  private static let maximumCount = 16

  private var eras: [(first: Timestamp, latest: Timestamp)] = []

  /// Returns the first time of the era of a time.
  mutating func first(with time: Timestamp) -> Timestamp {
    let index = eras.firstIndex { $0.latest.nanoseconds(to: time).magnitude < Self.gap }
    guard let index else {
      if eras.count < Self.maximumCount { eras.append((time, time)) }
      return time
    }
    eras[index].latest = time
    return eras[index].first
  }
}
