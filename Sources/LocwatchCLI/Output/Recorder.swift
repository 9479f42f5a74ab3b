import GPSDLocation
import LocationCore
import Synchronization

/// Writes a recording: gpsd's lines as they came, with time stamps between them.
///
/// It appends whole lines, so that the file is a recording whenever the process ends.
final class Recorder: Sendable {
  fileprivate struct State {
    var writer: RecordWriter
    var pending: [UInt8] = []
    /// When the run began to wait for gpsd, until the first line.
    var begin: Moment?
    var start: Moment?
    var lastMilliseconds: Int64 = -1
    /// The source of the last time stamp.
    var source: String?
    /// Whether lines were left over from the last write.
    var isBlocked = false
    /// The time of the last time stamp.
    var elapsed = Duration.zero
    var drops = 0
  }

  private static let worthWriting = 64 * 1024
  /// With more pending bytes than this, lines are dropped. The reader is then minutes behind.
  private static let maximumPending = 4 * 1024 * 1024

  /// The beginning of each line from gpsd and of each time stamp.
  private static let lineStart = Array(#"{"class":""#.utf8)

  private let descriptor: Descriptor
  private let state: Mutex<State>

  /// Opens a file for appending, creating it if it does not exist.
  ///
  /// - Throws: ``OutputError/noRecording(path:)`` if the file contains something else.
  convenience init(appendingTo path: FilePath) throws(OutputError) {
    let descriptor = try Descriptor(appendingTo: path)
    guard descriptor.kind != .file || Self.canGoOn(after: descriptor.head(upTo: 64 * 1024)) else {
      throw .noRecording(path: path.description)
    }
    self.init(descriptor)
  }

  init(_ descriptor: Descriptor) {
    self.descriptor = descriptor
    state = Mutex(State(writer: RecordWriter(descriptor)))
    guard descriptor.kind == .file, descriptor.length > 0 else { return }
    // An earlier recording may have ended within a line, or before a verbatim one, for which an
    // empty line stands in.
    let tail = descriptor.tail(upTo: RecordingTimestamp.verbatimTail.count)
    state.withLock { state in
      if tail.last != UInt8(ascii: "\n") { state.pending.append(UInt8(ascii: "\n")) }
      if RecordingTimestamp.couldPrecedeVerbatimLine(tail) {
        state.pending.append(UInt8(ascii: "\n"))
      }
    }
  }

  /// Returns whether a file is empty or begins with a line of a recording, which may be incomplete.
  private static func canGoOn(after head: [UInt8]) -> Bool {
    let text = head.drop { [0x0A, 0x0D].contains($0) }
    if text.starts(with: lineStart) || lineStart.starts(with: text) { return true }
    var decoder = GPSDDecoder()
    let line = Array(text.prefix { $0 != UInt8(ascii: "\n") })
    return decoder.decode(line.span) != .malformed
  }

  /// Whether some lines are still unwritten.
  var hasPending: Bool { state.withLock { !$0.pending.isEmpty } }
  /// The descriptor if its reader is behind.
  var blockedOutput: Descriptor? { state.withLock(\.isBlocked) ? descriptor : nil }
  /// How many lines were dropped.
  var drops: Int { state.withLock(\.drops) }

  /// Notes when the run begins to wait for gpsd, where a replay begins. If gpsd cannot be reached,
  /// the replay begins with the first line instead, so that it does not repeat the wait.
  func note(_ change: StateChange) {
    state.withLock { state in
      guard state.start == nil else { return }
      switch change.state {
      case .connecting: state.begin = change.moment
      case .noService: state.begin = nil
      case .noDevice, .searching, .fix2D, .fix3D, .lost: break
      }
    }
  }

  /// Notes that something follows from the time alone, such as a loss, or that a source begins. A
  /// replay has no other way to know when that was in comparison to the lines of other sources.
  func noteTime(_ moment: Moment, of source: String) {
    state.withLock { state in
      guard state.pending.count < Self.maximumPending else { return }
      state.appendTimestamp(for: moment.roundedUpToMilliseconds, of: source, isAlone: true)
      state.writer.endRecord(after: state.pending.count)
    }
  }

  /// Keeps lines until ``flush()``, or until there are enough for one write.
  ///
  /// - Parameter source: The source of the lines, if there are several.
  func keep(_ lines: GPSDLines, of source: String? = nil) {
    state.withLock { state in
      guard state.pending.count < Self.maximumPending else {
        state.drops += lines.reduce(0) { count, _ in count + 1 }
        return
      }
      if let received = lines.received { state.appendTimestamp(for: received, of: source) }
      for line in lines {
        if RecordingTimestamp.begins(line) { state.appendTimestampBeforeVerbatimLine() }
        state.pending += line
        state.writer.endRecord(after: state.pending.count)
      }
      // The next flush throws the error.
      if state.pending.count >= Self.worthWriting { try? state.write() }
    }
  }

  /// Writes the kept lines.
  ///
  /// - Throws: The first error of any write.
  func flush() throws(OutputError) {
    try state.withLock { state throws(OutputError) in try state.write() }
  }

  /// Writes the rest, waiting for a slow reader for up to half a second.
  ///
  /// - Throws: The first error of any write.
  func finish() throws(OutputError) {
    try flush()
    for _ in 0..<10 where hasPending {
      _ = descriptor.isWritable(within: 50)
      try flush()
    }
  }
}

extension Recorder.State {
  /// Writes as many of the pending lines as possible without waiting for the reader.
  fileprivate mutating func write() throws(OutputError) {
    var written = 0
    defer {
      isBlocked = written < pending.count
      pending.removeSubrange(..<written)
    }
    while written < pending.count {
      do throws(OutputError) {
        let count = try writer.write(pending[written...])
        if count == 0 { return }
        written += count
      } catch {
        written = pending.count
        throw error
      }
    }
  }

  /// How far the two clocks differ by truncation to milliseconds.
  private static let tolerance = Nanoseconds.milliseconds(2)

  /// Appends a time stamp, unless the millisecond and the source are those of the last one.
  ///
  /// - Parameter isAlone: Whether no lines follow.
  fileprivate mutating func appendTimestamp(
    for moment: Moment, of source: String?, isAlone: Bool = false
  ) {
    defer { self.source = isAlone ? nil : source }
    var isFirst = false
    if start == nil {
      let begin = begin ?? moment
      start = begin
      lastMilliseconds = 0
      isFirst = true
      RecordingTimestamp(elapsed: .zero, start: begin.wall, source: source).append(to: &pending)
    }
    guard let start else { return }
    let elapsed = start.nanoseconds(to: moment)
    let milliseconds = elapsed.count / 1_000_000
    var newStart: Timestamp?
    if let expected = start.wall?.later(by: elapsed), let wall = moment.wall {
      let change = expected.nanoseconds(to: wall)
      if max(change, .zero - change) > Self.tolerance { newStart = start.wall?.later(by: change) }
    }
    guard milliseconds != lastMilliseconds || newStart != nil || source != self.source && !isFirst
    else { return }
    lastMilliseconds = milliseconds
    if let newStart { self.start?.wall = newStart }
    self.elapsed = elapsed.duration
    RecordingTimestamp(elapsed: self.elapsed, start: newStart, source: source).append(to: &pending)
  }

  /// Appends a time stamp before a line from gpsd that looks like one.
  fileprivate mutating func appendTimestampBeforeVerbatimLine() {
    RecordingTimestamp(elapsed: elapsed, source: source, isBeforeVerbatimLine: true)
      .append(to: &pending)
  }
}

extension Moment {
  /// The moment, or the next one that a time stamp can represent.
  fileprivate var roundedUpToMilliseconds: Moment {
    let rest = uptimeNanoseconds % 1_000_000
    return rest == 0 ? self : later(by: Nanoseconds(1_000_000 - rest))
  }
}
