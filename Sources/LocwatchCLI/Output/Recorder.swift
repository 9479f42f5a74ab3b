import GPSDLocation
import LocationCore
import Synchronization

/// Writes a recording to a file, a stream, or the files of a folder.
///
/// It appends whole lines, so that a file is a recording whenever the process ends. In a folder an error
/// ends nothing: the recording goes on when there is room again, and says how many lines it lacks.
final class Recorder: Sendable {
  fileprivate struct State {
    var text = RecordingText()
    /// Writes to the current file; `nil` while a folder has none.
    var writer: RecordWriter?
    var folder: FolderProgress?
    /// Whether lines were left over from the last write.
    var isBlocked = false
    var drops = 0
  }

  fileprivate struct FolderProgress {
    /// How long to wait after an error before the next try.
    static let retryInterval = Duration.seconds(1)

    let folder: RecordingFolder
    /// Says that there is a gap, and that it is over.
    let report: @Sendable (String) -> Void
    /// When the current file began; `nil` while there is none.
    var start: Moment?
    /// The moment of the last lines.
    var latest = Moment.past
    /// When to try again; `nil` if there was no error.
    var retry: Moment?
    /// How many lines could not be written since the last one that could.
    var lostLines = 0
  }

  private static let worthWriting = 64 * 1024
  /// With more pending bytes than this, lines are dropped. The reader is then minutes behind.
  private static let maximumPending = 4 * 1024 * 1024

  /// The beginning of each line from gpsd and of each time stamp.
  private static let lineStart = Array(#"{"class":""#.utf8)

  /// The file or stream; `nil` for a folder, whose files never block.
  private let descriptor: Descriptor?
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
      if tail.last != UInt8(ascii: "\n") { state.text.bytes.append(UInt8(ascii: "\n")) }
      if RecordingTimestamp.couldPrecedeVerbatimLine(tail) {
        state.text.bytes.append(UInt8(ascii: "\n"))
      }
    }
  }

  /// Creates a recorder for a folder, whose first file begins with the first line.
  ///
  /// - Parameter report: Called once when lines can no longer be written, and once when they can.
  init(_ folder: RecordingFolder, report: @escaping @Sendable (String) -> Void) {
    descriptor = nil
    state = Mutex(State(folder: FolderProgress(folder: folder, report: report)))
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
  var hasPending: Bool { state.withLock { !$0.text.bytes.isEmpty } }
  /// The descriptor if its reader is behind.
  var blockedOutput: Descriptor? { state.withLock(\.isBlocked) ? descriptor : nil }
  /// How many lines were dropped.
  var drops: Int { state.withLock(\.drops) }

  /// Notes when the run begins to wait for gpsd.
  func note(_ change: StateChange) { state.withLock { $0.text.note(change) } }

  /// Notes that something follows from the time alone, such as a loss, or that a source begins. A
  /// replay has no other way to know when that was in comparison to the lines of other sources.
  func noteTime(_ moment: Moment, of source: String) {
    state.withLock { state in
      guard state.text.bytes.count < Self.maximumPending else { return }
      state.text.append(moment, of: source)
      state.writer?.endRecord(after: state.text.bytes.count)
    }
  }

  /// Notes when the run ends. A replay has no other way to know how long nothing came at the end.
  func noteEnd(at moment: Moment) {
    state.withLock { state in
      guard state.text.bytes.count < Self.maximumPending else { return }
      state.text.end(at: moment, lostLines: 0)
      state.writer?.endRecord(after: state.text.bytes.count)
    }
  }

  /// Keeps lines until ``flush()``, or until there are enough for one write.
  ///
  /// - Parameter source: The source of the lines, if there are several.
  func keep(_ lines: GPSDLines, of source: String? = nil) {
    state.withLock { state in
      guard state.text.bytes.count < Self.maximumPending,
        state.prepareFile(for: lines, of: source)
      else {
        return state.noteLoss(of: lines.reduce(0) { count, _ in count + 1 })
      }
      let lostLines = state.folder?.lostLines ?? 0
      state.text.append(lines, of: source, lostLines: lostLines) {
        state.writer?.endRecord(after: $0)
      }
      // The next flush throws the error. After one, there may be room again.
      let isUrgent = state.text.bytes.count >= Self.worthWriting || state.folder?.retry != nil
      if isUrgent { try? state.write() }
    }
  }

  /// Writes the kept lines.
  ///
  /// - Throws: The first error of any write, unless the recording is in a folder.
  func flush() throws(OutputError) {
    try state.withLock { state throws(OutputError) in try state.write() }
  }

  /// Writes the rest, waiting for a slow reader for up to half a second.
  ///
  /// - Throws: The first error of any write, unless the recording is in a folder.
  func finish() throws(OutputError) {
    try flush()
    for _ in 0..<10 where hasPending {
      _ = descriptor?.isWritable(within: 50)
      try flush()
    }
  }
}

extension Recorder.State {
  /// Writes as many of the pending lines as possible without waiting for the reader.
  fileprivate mutating func write() throws(OutputError) {
    guard !text.bytes.isEmpty else { return }
    do throws(OutputError) {
      try writePending()
      if !isBlocked { endGap() }
    } catch {
      defer { text.bytes.removeAll() }
      guard folder != nil else { throw error }
      beginGap(error)
      noteLoss(of: text.countOfReports)
    }
  }

  /// After an error, the bytes that did not become whole records are still pending.
  private mutating func writePending() throws(OutputError) {
    let start = writer?.position ?? 0
    var written = 0
    defer {
      isBlocked = written < text.bytes.count
      text.bytes.removeSubrange(..<written)
    }
    while written < text.bytes.count {
      do throws(OutputError) {
        let count = try writer?.write(text.bytes[written...]) ?? 0
        if count == 0 { return }
        written += count
      } catch {
        written = max(0, (writer?.endOfRecords ?? 0) - start)
        throw error
      }
    }
  }

  fileprivate mutating func noteLoss(of lines: Int) {
    drops += lines
    folder?.lostLines += lines
  }
}

// Recording in a folder.
extension Recorder.State {
  /// Begins another file if one is due. Returns `false` if lines cannot be written now.
  fileprivate mutating func prepareFile(for lines: GPSDLines, of source: String?) -> Bool {
    guard let folder, let received = lines.received else { return true }
    if let retry = folder.retry, received < retry { return false }
    self.folder?.latest = received
    let size = (writer?.position ?? 0) + text.bytes.count
    let isDue = folder.start.map { folder.folder.beginsFile(at: received, after: $0, size: size) }
    if isDue ?? true { return beginFile(at: received, of: source) }
    // A writer writes nothing after an error.
    if folder.retry != nil { writer = writer.map { RecordWriter($0.descriptor) } }
    return true
  }

  private mutating func beginFile(at moment: Moment, of source: String?) -> Bool {
    if writer != nil {
      // The file before ends when this one begins, by the same clock.
      if folder?.start != nil, folder?.retry == nil { text.append(moment, of: source) }
      try? write()
    }
    do throws(OutputError) {
      guard let file = try folder?.folder.createFile(at: moment) else { return false }
      writer = RecordWriter(file)
    } catch {
      beginGap(error)
      return false
    }
    // The first file begins with the wait for gpsd, as a recording in a single file does.
    if folder?.start != nil { text.restart() }
    folder?.start = moment
    return true
  }

  /// Notes an error, and says so once.
  private mutating func beginGap(_ error: OutputError) {
    guard let folder else { return }
    if folder.retry == nil { folder.report("\(error); the recording goes on when there is room") }
    self.folder?.retry = folder.latest.advanced(by: Recorder.FolderProgress.retryInterval)
  }

  /// Notes that lines were written, the number of those before them included.
  private mutating func endGap() {
    guard let folder, folder.retry != nil, let path = writer?.descriptor.path else { return }
    folder.report("the recording goes on in \(path); lines lost: \(folder.lostLines)")
    self.folder?.retry = nil
    self.folder?.lostLines = 0
  }
}
