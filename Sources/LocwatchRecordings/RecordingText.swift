import GPSDLocation
import GPSDProtocol
import LocationCore

/// The text of a recording: gpsd's lines, unchanged except for the user info of URLs, with time stamps between them.
struct RecordingText {
  /// The maximum difference of the two clocks that truncation to milliseconds explains.
  private static let tolerance = Nanoseconds.milliseconds(2)
  /// How often to ask whether something keeps the machine's clock right.
  private static let syncInterval = Nanoseconds.seconds(60)

  /// Returns whether something keeps the machine's clock right; `nil` if this is unknown.
  private let isClockSynchronized: @Sendable () -> Bool?
  /// The bytes that are not yet written.
  private(set) var bytes: [UInt8] = []
  /// When the run began to wait for gpsd; used until the first line.
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
  /// Whether time stamps were lost after the last one.
  private var isTorn = false
  /// The last answer of ``isClockSynchronized``, and when to ask again.
  private var sync = (answer: Bool?.none, nextQuestion: Nanoseconds.zero)

  init(isClockSynchronized: @escaping @Sendable () -> Bool? = { nil }) {
    self.isClockSynchronized = isClockSynchronized
  }

  /// Whether there is a first line.
  var hasBegun: Bool { start != nil }

  /// Records when the run begins to wait for gpsd, which is the beginning of a replay. If gpsd cannot be
  /// reached, the replay begins with the first line instead, so that it does not repeat the wait.
  mutating func record(_ change: StateChange) {
    guard start == nil else { return }
    switch change.state {
    case .connecting: begin = change.moment
    case .noService: begin = nil
    case .noDevice, .searching, .fix2D, .fix3D, .lost: break
    }
  }

  /// Removes written bytes from the front.
  mutating func removeFirst(_ count: Int) {
    bytes.removeSubrange(..<count)
    guard bytes.isEmpty else { return }
    written = start.map {
      RecordingTimestamp(
        elapsed: elapsed, start: $0.wall, isClockSynchronized: sync.answer, source: source)
    }
  }

  /// Discards the bytes that cannot be written. The next time stamp contains the beginning again.
  mutating func discard() {
    bytes.removeAll()
    isTorn = start != nil
  }

  /// Moves the bytes that are not yet written to another file, which continues the recording.
  ///
  /// - Parameter beginning: The bytes that come first in the file.
  /// - Returns: The number of bytes that now precede the text.
  mutating func moveOn(after beginning: [UInt8]) -> Int {
    var beginning = beginning
    written?.append(to: &beginning)
    bytes.insert(contentsOf: beginning, at: 0)
    return beginning.count
  }

  /// Begins another recording, which starts with the next line.
  mutating func restart() {
    let bytes = bytes
    self = RecordingText(isClockSynchronized: isClockSynchronized)
    self.bytes = bytes
  }

  /// Appends a time stamp without lines. It shows that nothing came from the source until then.
  mutating func append(_ moment: Moment, of source: String?) {
    appendTimestamp(for: moment.roundedUpToMilliseconds, of: source, lostLines: 0)
    hasLines = false
  }

  /// Appends the time stamp at which the recording ends, if it has begun.
  ///
  /// - Parameter lostLines: The number of lines before it that could not be written.
  mutating func end(at moment: Moment, lostLines: Int) {
    guard start != nil else { return }
    // If the last time stamp is the same, no other is needed.
    hasLines = true
    appendTimestamp(for: moment.roundedUpToMilliseconds, of: source, lostLines: lostLines)
    hasLines = false
  }

  /// Appends lines.
  ///
  /// - Parameters:
  ///   - source: The source of the lines, if there are several.
  ///   - lostLines: The number of lines before them that could not be written.
  ///   - endOfLine: Called after each line, with the total number of bytes.
  mutating func append(
    _ lines: GPSDLines, of source: String? = nil, lostLines: Int = 0, endOfLine: (Int) -> Void
  ) {
    if let received = lines.received {
      appendTimestamp(for: received, of: source, lostLines: lostLines)
      hasLines = true
    }
    for line in lines {
      switch OwnLine(line) {
      case .timestamp, .other:
        RecordingTimestamp(elapsed: elapsed, source: source, isBeforeVerbatimLine: true)
          .append(to: &bytes)
      // A session returns none of gpsd's.
      case .link, .corrections, nil: break
      }
      bytes += line.withoutUserInfo
      endOfLine(bytes.count)
    }
  }

  /// Appends a time stamp, unless the last one has the same millisecond and source.
  private mutating func appendTimestamp(
    for moment: Moment, of source: String?, lostLines: Int
  ) {
    defer { self.source = source }
    let isFirst = start == nil
    if isFirst {
      let begin = begin ?? moment
      start = begin
      lastMilliseconds = 0
      _ = updateSync(at: .zero)
      RecordingTimestamp(
        elapsed: .zero, start: begin.wall, isClockSynchronized: sync.answer, source: source
      ).append(to: &bytes)
    }
    guard let start else { return }
    let elapsed = start.nanoseconds(to: moment)
    let milliseconds = elapsed.count / 1_000_000
    var newStart = isTorn ? start.wall : nil
    isTorn = false
    if let expected = start.wall?.later(by: elapsed), let wall = moment.wall {
      let change = expected.nanoseconds(to: wall)
      if change.magnitude > Self.tolerance {
        newStart = start.wall?.later(by: change)
        sync.nextQuestion = elapsed
      }
    }
    if updateSync(at: elapsed) { newStart = newStart ?? start.wall }
    let isOfOther = !isFirst && !(hasLines && source == self.source)
    guard milliseconds != lastMilliseconds || newStart != nil || lostLines > 0 || isOfOther
    else { return }
    lastMilliseconds = milliseconds
    if let newStart { self.start?.wall = newStart }
    self.elapsed = elapsed.duration
    RecordingTimestamp(
      elapsed: self.elapsed, start: newStart, isClockSynchronized: sync.answer, source: source,
      lostLines: lostLines
    ).append(to: &bytes)
  }

  /// Asks whether something keeps the machine's clock right, if that is due. Returns whether the answer has changed.
  private mutating func updateSync(at elapsed: Nanoseconds) -> Bool {
    guard elapsed >= sync.nextQuestion else { return false }
    let answer = isClockSynchronized()
    defer { sync = (answer, elapsed + Self.syncInterval) }
    return answer != sync.answer
  }
}

extension Moment {
  /// The moment, or the next one that a time stamp can represent.
  fileprivate var roundedUpToMilliseconds: Moment {
    let rest = uptimeNanoseconds.dividedDown(by: 1_000_000).remainder
    return rest == 0 ? self : later(by: Nanoseconds(1_000_000 - rest))
  }
}
