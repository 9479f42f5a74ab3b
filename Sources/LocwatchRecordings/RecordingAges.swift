import GPSDLocation
import LocationCore

/// The ages of the recordings in a folder.
///
/// Two witnesses date a recording: the receivers, by the dates in it, and the machine's clock, by the name of its file
/// and by the time of the last change. Each of them can be wrong by years, for an hour or for good, so neither
/// decides alone. The age of a recording is the time from its end to the end of the newest recordings. Both witnesses
/// have to measure it: they have to agree to within two hours, and the shorter time counts. A receiver or a clock that is
/// always wrong by the same time measures it as well as one that is right.
///
/// The newest recordings are the latest ones on which the witnesses differ by the same time: as many as are needed for
/// an hour of fixes, and at least two. Of their ends, the earliest counts. A recording on which the witnesses differ by
/// another time counts as old as the next one that is dated. No recording counts as older than a recording before it.
///
/// A recording on which the witnesses differ, or one is missing, is also as old as the time that was recorded after it,
/// by a clock that cannot be set. That clock needs a second witness as well: it counts as far as the machine's clock, or
/// the receivers, confirm the times.
///
/// A file can have several parts, as `cat` merges them. It is as old as the latest one.
struct RecordingAges {
  struct Recording {
    /// When it began, according to the name of its file.
    var start: Timestamp
    /// When its file was last changed.
    var modified: Timestamp
    var span: RecordedSpan
  }

  /// The length of fixes, and the number of recordings, that the newest recordings need.
  fileprivate static let support = (length: Nanoseconds.seconds(3600), files: 2)
  /// By how much two witnesses that agree may differ. A clock can be in another time zone.
  fileprivate static let tolerance = Nanoseconds.seconds(7200)
  /// How many differences between dates and clock are compared, from the latest recording back.
  private static let maximumLeads = 64

  /// When a recording ended, by both witnesses.
  fileprivate struct End {
    var dates: Timestamp
    var clock: Timestamp

    func earlier(of other: End) -> End {
      End(dates: min(dates, other.dates), clock: min(clock, other.clock))
    }

    func later(of other: End) -> End {
      End(dates: max(dates, other.dates), clock: max(clock, other.clock))
    }

    /// Returns the shorter of the times that the witnesses measure to another end.
    func time(to other: End) -> Nanoseconds {
      min(dates.nanoseconds(to: other.dates), clock.nanoseconds(to: other.clock))
    }
  }

  /// Recordings on which the witnesses differ by the same time.
  private struct Group {
    let lead: Lead
    /// The index of the latest one.
    let latest: Int
    /// The earliest of their ends.
    var end: End
    var length = Nanoseconds.zero
    var files = 0

    mutating func add(_ recording: Recording, endingAt end: End) {
      self.end = self.end.earlier(of: end)
      length = length + recording.span.datedLength
      files += 1
    }

    var isSupported: Bool { length >= support.length && files >= support.files }
  }

  /// How far the dates may be ahead of the clock.
  fileprivate typealias Lead = ClosedRange<Nanoseconds>

  /// The recordings in the order in which they were made.
  private let recordings: [Recording]

  init(_ recordings: [Recording]) { self.recordings = recordings }

  /// Returns the indices of the recordings that are at least as old as an age, the oldest first.
  func indices(ofAge age: Duration) -> [Int] {
    // Each recording that locwatch makes has at most an eighth of the limit.
    let lengths = recordedLengths(upTo: Nanoseconds(age / 8))
    let age = Nanoseconds(age)
    guard let newest else { return lengths.indices.filter { lengths[$0] >= age } }
    // The recordings after the newest ones also took time.
    let sinceNewest = lengths[newest.latest]
    let ends = ends(by: newest)
    var latest: End?
    var isLengthEnough = true
    return recordings.indices.filter { index in
      let part = recordings[index].laterPart(than: newest.end, by: newest.lead)
      if let part, part.nanoseconds(to: newest.end.dates) + sinceNewest < age { return false }
      if let end = ends[index] {
        let end = latest?.later(of: end) ?? end
        latest = end
        if end.time(to: newest.end) + sinceNewest >= age { return true }
        if recordings[index].end(by: newest.lead) != nil { isLengthEnough = false }
      }
      return isLengthEnough && lengths[index] >= age
    }
  }

  /// How much time was recorded after each recording, and not during it, as far as one of the witnesses confirms it.
  private func recordedLengths(upTo maximum: Nanoseconds) -> [Nanoseconds] {
    let byClock = recordedLengths(upTo: maximum) { $0.clockTimes }
    let byDates = recordedLengths(upTo: maximum) { $0.span.dates }
    return zip(byClock, byDates).map(max)
  }

  /// - Parameter times: The first and the last time of a recording, by a witness.
  private func recordedLengths(
    upTo maximum: Nanoseconds, by times: (Recording) -> ClosedRange<Timestamp>?
  ) -> [Nanoseconds] {
    var covered = CoveredTime()
    var first: Timestamp?
    var isInOrder = true
    var lengths: [Nanoseconds] = []
    for recording in recordings.reversed() {
      let length = recording.span.length
      if let times = times(recording), isInOrder {
        // Where the witness goes back, it was set, or is another machine's, which may have recorded at the same time.
        isInOrder = first.map { times.lowerBound <= $0.later(by: Self.tolerance) } ?? true
        first = min(first ?? times.lowerBound, times.lowerBound)
        let confirmed = times.lowerBound.nanoseconds(to: times.upperBound)
        if isInOrder { covered.add(min(length, confirmed, maximum), from: times.lowerBound) }
      }
      lengths.append(max(.zero, covered.length - length))
    }
    return lengths.reversed()
  }

  /// The newest recordings; `nil` if the witnesses agree on too few.
  private var newest: Group? {
    var groups: [Group] = []
    for index in recordings.indices.reversed() {
      let recording = recordings[index]
      for lead in recording.readings.map(\.lead)
      where !groups.contains(where: { lead.agrees(with: $0.lead) }) {
        guard groups.count < Self.maximumLeads, let end = recording.end(by: lead) else { continue }
        groups.append(Group(lead: lead, latest: index, end: end))
      }
      for group in groups.indices {
        guard let end = recording.end(by: groups[group].lead) else { continue }
        groups[group].add(recording, endingAt: end)
        if groups[group].isSupported { return groups[group] }
      }
    }
    return nil
  }

  /// Returns when each recording ended; `nil` if this is unknown.
  private func ends(by newest: Group) -> [End?] {
    var ends = [End?](repeating: nil, count: recordings.count)
    var next: End?
    for index in recordings.indices.reversed() {
      if let end = recordings[index].end(by: newest.lead), end.dates <= newest.end.dates,
        end.clock <= newest.end.clock
      {
        next = end
      }
      ends[index] = next
    }
    return ends
  }
}

extension RecordingAges.Recording {
  /// A time at which the recording may have ended by the machine's clock, and how far the dates are ahead of it then.
  fileprivate struct Reading {
    let end: Timestamp
    let lead: RecordingAges.Lead
  }

  /// What the last change says, and what the name says. They differ if the clock was set in between, or if the file was
  /// copied. There are none without dates.
  fileprivate var readings: [Reading] {
    guard let dates = span.dates else { return [] }
    // It cannot have taken longer than the clock says, unless that was set back.
    let length =
      clockTimes.map { min(span.length, $0.lowerBound.nanoseconds(to: $0.upperBound)) }
      ?? span.length
    return [modified, start.later(by: length)].map { end in
      // The dates can be those of any part of the recording.
      let atStart = end.later(by: .zero - length).nanoseconds(to: dates.lowerBound)
      let atEnd = end.nanoseconds(to: dates.upperBound)
      return Reading(end: end, lead: min(atStart, atEnd)...max(atStart, atEnd))
    }
  }

  /// Returns when the recording ended, if the dates are ahead of the clock by this time; otherwise `nil`.
  fileprivate func end(by lead: RecordingAges.Lead) -> RecordingAges.End? {
    guard let date = span.dates?.upperBound else { return nil }
    return readings.filter { $0.lead.agrees(with: lead) }.map(\.end).max()
      .map { RecordingAges.End(dates: date, clock: $0) }
  }

  /// When it began and ended by the machine's clock; `nil` if that was set back meanwhile.
  fileprivate var clockTimes: ClosedRange<Timestamp>? {
    start <= modified ? start...modified : nil
  }

  /// Returns when a part ended that has later dates than most of the recording; `nil` if there is none, or if both the
  /// newest recordings and the last change are earlier.
  fileprivate func laterPart(
    than newest: RecordingAges.End, by lead: RecordingAges.Lead
  ) -> Timestamp? {
    guard let latest = span.latest, let dates = span.dates, latest > dates.upperBound else {
      return nil
    }
    let change = modified.later(by: lead.upperBound + RecordingAges.tolerance)
    return latest <= max(newest.dates, change) ? latest : nil
  }
}

extension RecordingAges.Lead {
  fileprivate func agrees(with other: RecordingAges.Lead) -> Bool {
    lowerBound - RecordingAges.tolerance <= other.upperBound
      && other.lowerBound - RecordingAges.tolerance <= upperBound
  }
}
