import GPSDLocation
import LocationCore

/// The text of a recording: gpsd's lines as they came, with time stamps between them.
struct RecordingText {
  /// How far the two clocks differ by truncation to milliseconds.
  private static let tolerance = Nanoseconds.milliseconds(2)

  /// What is not yet written.
  private(set) var bytes: [UInt8] = []
  /// When the run began to wait for gpsd, until the first line.
  private var begin: Moment?
  private var start: Moment?
  private var lastMilliseconds: Int64 = -1
  /// The time of the last time stamp.
  private var elapsed = Duration.zero
  /// The source of the last time stamp, and whether lines followed it.
  private var source: String?
  private var hasLines = false
  /// The last time stamp that was written, with the beginning; `nil` if none was.
  private var written: RecordingTimestamp?
  /// Whether time stamps were lost since the last one.
  private var isTorn = false

  /// Whether there is a first line.
  var hasBegun: Bool { start != nil }

  /// Records when the run begins to wait for gpsd, where a replay begins. If gpsd cannot be reached,
  /// the replay begins with the first line instead, so that it does not repeat the wait.
  mutating func record(_ change: StateChange) {
    guard start == nil else { return }
    switch change.state {
    case .connecting: begin = change.moment
    case .noService: begin = nil
    case .noDevice, .searching, .fix2D, .fix3D, .lost: break
    }
  }

  /// Removes what was written from the front.
  mutating func removeFirst(_ count: Int) {
    bytes.removeSubrange(..<count)
    guard bytes.isEmpty else { return }
    written = start.map { RecordingTimestamp(elapsed: elapsed, start: $0.wall, source: source) }
  }

  /// Discards what cannot be written. The next time stamp has the beginning again.
  mutating func discard() {
    bytes.removeAll()
    isTorn = start != nil
  }

  /// Has what is not yet written begin another file, in which it continues from what was written.
  ///
  /// - Parameter beginning: What else is to precede it.
  /// - Returns: How many bytes precede it now.
  mutating func moveOn(after beginning: [UInt8]) -> Int {
    var beginning = beginning
    written?.append(to: &beginning)
    bytes.insert(contentsOf: beginning, at: 0)
    return beginning.count
  }

  /// Begins another recording, which starts with the next line.
  mutating func restart() { self = RecordingText(bytes: bytes) }

  /// Appends a time stamp that no lines follow: until then, nothing came from the source.
  mutating func append(_ moment: Moment, of source: String?) {
    appendTimestamp(for: moment.roundedUpToMilliseconds, of: source, lostLines: 0)
    hasLines = false
  }

  /// Appends the time stamp at which the recording ends, if it has begun.
  ///
  /// - Parameter lostLines: How many lines before it could not be written.
  mutating func end(at moment: Moment, lostLines: Int) {
    guard start != nil else { return }
    // No time stamp is needed if the last one says the same.
    hasLines = true
    appendTimestamp(for: moment.roundedUpToMilliseconds, of: source, lostLines: lostLines)
    hasLines = false
  }

  /// Appends lines.
  ///
  /// - Parameters:
  ///   - source: The source of the lines, if there are several.
  ///   - lostLines: How many lines before them could not be written.
  ///   - endOfLine: Called after each line with the number of bytes.
  mutating func append(
    _ lines: GPSDLines, of source: String? = nil, lostLines: Int = 0, endOfLine: (Int) -> Void
  ) {
    if let received = lines.received {
      appendTimestamp(for: received, of: source, lostLines: lostLines)
      hasLines = true
    }
    for line in lines {
      if RecordingTimestamp.begins(line) {
        RecordingTimestamp(elapsed: elapsed, source: source, isBeforeVerbatimLine: true)
          .append(to: &bytes)
      }
      bytes += line
      endOfLine(bytes.count)
    }
  }

  /// Appends a time stamp, unless the millisecond and the source are those of the last one.
  private mutating func appendTimestamp(
    for moment: Moment, of source: String?, lostLines: Int
  ) {
    defer { self.source = source }
    let isFirst = start == nil
    if isFirst {
      let begin = begin ?? moment
      start = begin
      lastMilliseconds = 0
      RecordingTimestamp(elapsed: .zero, start: begin.wall, source: source).append(to: &bytes)
    }
    guard let start else { return }
    let elapsed = start.nanoseconds(to: moment)
    let milliseconds = elapsed.count / 1_000_000
    var newStart = isTorn ? start.wall : nil
    isTorn = false
    if let expected = start.wall?.later(by: elapsed), let wall = moment.wall {
      let change = expected.nanoseconds(to: wall)
      if max(change, .zero - change) > Self.tolerance { newStart = start.wall?.later(by: change) }
    }
    let isOfOther = !isFirst && !(hasLines && source == self.source)
    guard milliseconds != lastMilliseconds || newStart != nil || lostLines > 0 || isOfOther
    else { return }
    lastMilliseconds = milliseconds
    if let newStart { self.start?.wall = newStart }
    self.elapsed = elapsed.duration
    RecordingTimestamp(
      elapsed: self.elapsed, start: newStart, source: source, lostLines: lostLines
    ).append(to: &bytes)
  }
}

extension Moment {
  /// The moment, or the next one that a time stamp can represent.
  fileprivate var roundedUpToMilliseconds: Moment {
    let rest = uptimeNanoseconds.dividedDown(by: 1_000_000).remainder
    return rest == 0 ? self : later(by: Nanoseconds(1_000_000 - rest))
  }
}
