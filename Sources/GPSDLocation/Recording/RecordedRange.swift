package import LocationCore

/// The part of a recording that is replayed, by the times at which its lines were received or, where it has
/// none, by the times of its reports.
package struct RecordedRange: Hashable, Sendable {
  /// One of its ends.
  package enum Bound: Hashable, Sendable {
    case time(Timestamp)
    /// A time of day in UTC, on the first day of the recording.
    case timeOfDay(Duration)
  }

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
    // One that ends at an earlier time of day ends on the next day.
    case (.timeOfDay(let from), .timeOfDay(let to)): from == to
    default: false
    }
  }

  /// The first time, if it is known without the recording; `nil` for its beginning.
  package var start: Timestamp? { if case .time(let time) = from { time } else { nil } }
  /// The time at which it ends, if that is known without the recording; `nil` for its end.
  package var end: Timestamp? { if case .time(let time) = to { time } else { nil } }

  /// Returns the range in a recording whose first day is that of `time`.
  package func inRecording(from time: Timestamp) -> RecordedRange {
    let day = time.nanosecondsSince1970.dividedDown(by: 86_400_000_000_000)
    let midnight = time.later(by: Nanoseconds(0 - day.remainder))
    func resolved(_ bound: Bound?) -> Bound? {
      if case .timeOfDay(let time) = bound { .time(midnight.advanced(by: time)) } else { bound }
    }
    var range = RecordedRange(from: resolved(from), to: resolved(to))
    if case (.timeOfDay(let from), .timeOfDay(let to)) = (from, to), to <= from, let end = range.end
    {
      range.to = .time(end.advanced(by: .seconds(86_400)))
    }
    return range
  }
}

/// What a replay of a part has found of it.
package struct RecordedExtent: Hashable, Sendable {
  /// The part, as far as it is known.
  package var range: RecordedRange
  /// The first and the last time that was read; `nil` if there was none.
  package var first: Timestamp?
  package var last: Timestamp?
  /// Whether there are lines in the part.
  package var hasLines = false
}

/// Finds a part of a recording, line by line.
struct RangeCursor: Sendable {
  enum Place: Equatable {
    case before, inside
    /// Behind the part, which ends at a moment.
    case behind(end: Moment)
  }

  /// The part that was asked for.
  let range: RecordedRange
  private(set) var extent: RecordedExtent
  /// When the part begins; `nil` while it is not known.
  private(set) var beginning: Moment?
  private var latest = Moment.past

  init(_ range: RecordedRange) {
    self.range = range
    extent = RecordedExtent(range: range)
    if range.from == nil { beginning = .past }
  }

  /// Returns where the next lines are, or a time stamp.
  ///
  /// - Parameters:
  ///   - time: Their time; `nil` if it is that of the lines before, or unknown.
  ///   - moment: When they are replayed.
  ///   - isLine: Whether they are more than a time stamp.
  mutating func place(_ time: Timestamp?, at moment: Moment, isLine: Bool) -> Place {
    defer { latest = max(latest, moment) }
    if let time {
      if extent.first == nil {
        extent.first = time
        extent.range = range.inRecording(from: time)
      }
      extent.last = time
      if let end = extent.range.end, time >= end {
        return .behind(end: max(latest, moment.later(by: time.nanoseconds(to: end))))
      }
      if beginning == nil, let start = extent.range.start, time >= start {
        beginning = max(latest, moment.later(by: time.nanoseconds(to: start)))
      }
    }
    // A recording without a time has no part that is known to be the one.
    guard beginning != nil, extent.first != nil else { return .before }
    if isLine { extent.hasLines = true }
    return .inside
  }
}
