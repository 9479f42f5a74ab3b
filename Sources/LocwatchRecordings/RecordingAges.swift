import GPSDLocation
import LocationCore

/// The ages of the recordings in a folder, by the times in them.
///
/// A recording is as old as the time that was recorded after it, by a clock that cannot be set, or as the
/// dates of the receivers show. A date can be wrong: a receiver can be off by 1,024 weeks, and a gpsd can
/// report a false date. No single file may cause the removal of the others. Of the newest files
/// with dates, as many as are needed for an hour of fixes and at least two, the lowest of their latest dates counts. If the date
/// of a file is later than that, or more than ten years earlier, the file counts as old as the next file with
/// a plausible date. No file counts as older than a file before it.
struct RecordingAges {
  struct Recording {
    /// When it began, by the machine's clock. This only shows whether others were recorded at the same time.
    var start: Timestamp
    var span: RecordedSpan
  }

  /// The length of fixes, and the number of files, that are needed for a date to count.
  private static let support = (length: Nanoseconds.seconds(3600), files: 2)
  /// The maximum age of a plausible date. It is less than 1,024 weeks.
  private static let maximumAge = Nanoseconds.seconds(10 * 365 * 86_400)

  /// The recordings in the order in which they were made.
  private let recordings: [Recording]

  init(_ recordings: [Recording]) { self.recordings = recordings }

  /// Returns the indices of the recordings that are at least as old as an age, the oldest first.
  func indices(ofAge age: Duration) -> [Int] {
    let age = Nanoseconds(age)
    let byLength = 0..<countByLength(age)
    guard let latest = latestDate, let dated = recordings.lastIndex(where: { $0.span.dates != nil })
    else { return Array(byLength) }
    // The recordings after the last one with a date also took time.
    let sinceLatest = recordedLength(after: dated)
    let ends = ends(by: latest)
    var newest: Timestamp?
    return recordings.indices.filter { index in
      guard !byLength.contains(index) else { return true }
      guard let end = ends[index].map({ max($0, newest ?? $0) }) else { return false }
      newest = end
      return end.nanoseconds(to: latest) + sinceLatest >= age
    }
  }

  /// Returns how many of the first recordings have at least this much recorded time after them.
  private func countByLength(_ age: Nanoseconds) -> Int {
    var range = 0..<recordings.count
    while let first = range.first {
      let middle = first + range.count / 2
      range =
        recordedLength(after: middle) >= age ? (middle + 1)..<range.upperBound : first..<middle
    }
    return range.lowerBound
  }

  /// The latest date that counts; `nil` if there is none.
  private var latestDate: Timestamp? {
    var length = Nanoseconds.zero
    var files = 0
    var latest: Timestamp?
    for recording in recordings.reversed() {
      guard let dates = recording.span.dates else { continue }
      files += 1
      length = length + recording.span.datedLength
      latest = min(dates.upperBound, latest ?? dates.upperBound)
      if length >= Self.support.length, files >= Self.support.files { return latest }
    }
    return nil
  }

  /// Returns when each recording ended; `nil` if this is unknown.
  private func ends(by latest: Timestamp) -> [Timestamp?] {
    var ends = [Timestamp?](repeating: nil, count: recordings.count)
    var next: Timestamp?
    for index in recordings.indices.reversed() {
      let span = recordings[index].span
      let dates = [span.latest, span.dates?.upperBound].compactMap(\.self)
      next = dates.first { $0 <= latest && $0.nanoseconds(to: latest) <= Self.maximumAge } ?? next
      ends[index] = next
    }
    return ends
  }

  /// Returns how much time was recorded after a recording. Recordings that overlap count once.
  private func recordedLength(after index: Int) -> Nanoseconds {
    let parts = recordings[(index + 1)...]
      .map { ($0.start, $0.start.later(by: $0.span.length)) }
      .sorted { $0.0 < $1.0 }
    var sum = Nanoseconds.zero
    var end = Timestamp(nanosecondsSince1970: .min)
    for part in parts where part.1 > end {
      sum = sum + max(part.0, end).nanoseconds(to: part.1)
      end = part.1
    }
    return sum
  }
}
