import GPSDLocation
import LocationCore

/// How old the recordings of a folder are, by the times in them.
///
/// A recording is as old as the time that was recorded after it, by a clock that nobody sets, or as the
/// dates of the receivers say. A date can be wrong: a receiver may have lost 1,024 weeks, and a gpsd may
/// lie. So the latest date is that on which the newest files agree, the lowest of those that have an hour of
/// fixes together, and are two or more: no single file is a reason to remove the others. A file whose
/// date is later than that one, or more than ten years earlier, is as old as the next file with a date that can
/// be right, and none is older than a file before it.
struct RecordingAges {
  struct Recording {
    /// When it began by the clock of the machine, which only shows whether others were recorded at the same time.
    var start: Timestamp
    var span: RecordedSpan
  }

  /// How much of fixes there has to be for a date to count.
  private static let support = (length: Nanoseconds.seconds(3600), files: 2)
  /// Less than 1,024 weeks.
  private static let maximumAge = Nanoseconds.seconds(10 * 365 * 86_400)

  /// In the order in which they were recorded.
  private let recordings: [Recording]

  init(_ recordings: [Recording]) { self.recordings = recordings }

  /// Returns the numbers of the recordings that are at least as old as an age, the oldest first.
  func indices(ofAge age: Duration) -> [Int] {
    let age = Nanoseconds(age)
    let byLength = 0..<countByLength(age)
    guard let latest = latestDate, let dated = recordings.lastIndex(where: { $0.span.dates != nil })
    else { return Array(byLength) }
    // What was recorded after the last one with a date took time as well.
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

  /// Returns after how many of the first recordings so much time was recorded.
  private func countByLength(_ age: Nanoseconds) -> Int {
    var range = 0..<recordings.count
    while let first = range.first {
      let middle = first + range.count / 2
      range =
        recordedLength(after: middle) >= age ? (middle + 1)..<range.upperBound : first..<middle
    }
    return range.lowerBound
  }

  /// The latest date that is known; `nil` if there is none.
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

  /// Returns when each of the recordings ended; `nil` if it cannot be known.
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

  /// Returns how much time was recorded after a recording. What was recorded at the same time counts once.
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
