package import GPSDLocation
import GPSDProtocol
package import LocationCore
package import LocwatchSystem
import Synchronization

/// Writes a recording to a file, a stream, or the files of a folder.
///
/// It appends whole lines, so a file is a valid recording whenever the process ends. If a file is removed,
/// the recording continues in another one. In a folder, an error does not end the recording: it continues
/// when there is space again, and counts the missing lines. A file of a folder is a ``PartFile`` until it is complete. If
/// the next one cannot be created, it continues in the last one. A ``RecorderWork`` syncs files to the disk and runs the
/// upkeep of the folder.
package final class Recorder: Sendable {
  fileprivate struct State {
    var text: RecordingText
    /// Writes to the current file; `nil` while a folder has none.
    var writer: RecordWriter?
    /// The path of a single file.
    var path: FilePath?
    /// `nil` for a file and a stream.
    var folder: FolderProgress?
    let clock: LocationClock
    let work: RecorderWork
    var sync = SyncSchedule()
    /// The folder with a new file that may not be on the disk yet; `nil` if there is none.
    var newsIn: FilePath?
    /// Reports that a file was removed, and the beginning and the end of a gap.
    let report: @Sendable (String) -> Void
    /// The first error, after which nothing is written; `nil` for a folder.
    var failure: OutputError?
    /// Whether lines were left over from the last write.
    var isBlocked = false
    /// The number of lines that were lost.
    var drops = 0
    /// The number of lost lines that are not yet mentioned in the recording.
    var lostLines = 0
  }

  private static let worthWriting = 64 * 1024
  /// How long the recorder waits for the disk at the end of a run.
  private static let patience = Duration.seconds(5)
  /// If more bytes than this are pending, lines are dropped. By then, the disk is minutes behind.
  fileprivate static let maximumPending = 4 * 1024 * 1024

  /// The beginning of each line from gpsd and of each time stamp.
  private static let lineStart = Array(#"{"class":""#.utf8)

  private let state: Mutex<State>

  /// Opens a file for appending, creating it if it does not exist.
  ///
  /// - Parameters:
  ///   - clock: Decides when the file is synced to the disk.
  ///   - isClockSynchronized: Returns whether something keeps the machine's clock right; `nil` if this is unknown.
  ///   - work: Does the work on other threads.
  ///   - report: Called when the file was removed, or cannot be synced to the disk.
  /// - Throws: ``OutputError/noRecording(path:)`` if the file contains something else;
  ///   ``OutputError/inUse(path:)`` if another run records into it.
  package convenience init(
    appendingTo path: FilePath, clock: LocationClock = .live,
    isClockSynchronized: @escaping @Sendable () -> Bool? = { nil }, work: RecorderWork? = nil,
    report: @escaping @Sendable (String) -> Void = { _ in }
  ) throws(OutputError) {
    self.init(
      try Self.open(path), path: path, clock: clock, isClockSynchronized: isClockSynchronized,
      work: work, report: report)
  }

  /// Creates a recorder for an open file or a stream.
  package convenience init(
    _ descriptor: Descriptor, isClockSynchronized: @escaping @Sendable () -> Bool? = { nil }
  ) {
    self.init(
      descriptor, path: nil, clock: .live, isClockSynchronized: isClockSynchronized, work: nil,
      report: { _ in })
  }

  private init(
    _ descriptor: Descriptor, path: FilePath?, clock: LocationClock,
    isClockSynchronized: @escaping @Sendable () -> Bool?, work: RecorderWork?,
    report: @escaping @Sendable (String) -> Void
  ) {
    var text = RecordingText(isClockSynchronized: isClockSynchronized)
    _ = text.moveOn(after: Self.separator(in: descriptor))
    state = Mutex(
      State(
        text: text, writer: RecordWriter(descriptor), path: path, clock: clock,
        work: work ?? RecorderWork(report: report), newsIn: path?.folder, report: report))
  }

  /// Creates a recorder for a folder. The first file begins with the first line.
  ///
  /// - Parameters:
  ///   - clock: Decides when files are synced to the disk.
  ///   - isClockSynchronized: Returns whether something keeps the machine's clock right; `nil` if this is unknown.
  ///   - work: Does the work on other threads.
  ///   - report: Called when a file was removed, or cannot be synced or compressed. It is also called once
  ///     when lines can no longer be written, and once when they can be written again.
  package init(
    _ folder: RecordingFolder, clock: LocationClock = .live,
    isClockSynchronized: @escaping @Sendable () -> Bool? = { nil }, work: RecorderWork? = nil,
    report: @escaping @Sendable (String) -> Void
  ) {
    state = Mutex(
      State(
        text: RecordingText(isClockSynchronized: isClockSynchronized),
        folder: FolderProgress(folder: folder), clock: clock,
        work: work ?? RecorderWork(report: report), report: report))
  }

  /// Starts the upkeep of the folder, which an earlier run may have left unfinished.
  package func begin(at moment: Moment) { state.withLock { $0.keepUp(at: moment, size: 0) } }

  /// Opens a file that is empty or a recording.
  fileprivate static func open(_ path: FilePath) throws(OutputError) -> Descriptor {
    let descriptor = try Descriptor(appendingTo: path)
    guard descriptor.kind != .file || canContinue(after: descriptor.head(upTo: 64 * 1024)) else {
      throw .noRecording(path: path.description)
    }
    // The lock also keeps the upkeep of other processes from compressing a file in their folder.
    if descriptor.kind == .file, !descriptor.lock() { throw .inUse(path: path.description) }
    return descriptor
  }

  /// Returns whether a file is empty or begins with a line of a recording, which may be incomplete.
  private static func canContinue(after head: [UInt8]) -> Bool {
    let text = head.drop { [0x0A, 0x0D].contains($0) }
    if text.starts(with: lineStart) || lineStart.starts(with: text) { return true }
    var decoder = GPSDDecoder()
    let line = Array(text.prefix { $0 != UInt8(ascii: "\n") })
    return decoder.decode(line.span) != .malformed
  }

  /// Returns the bytes that separate a recording from an earlier one: a line end if the earlier one ended
  /// within a line, and an empty line if it ended before a verbatim line.
  fileprivate static func separator(in descriptor: Descriptor) -> [UInt8] {
    guard descriptor.kind == .file, descriptor.length > 0 else { return [] }
    let lineEnd = UInt8(ascii: "\n")
    let tail = descriptor.tail(upTo: RecordingTimestamp.verbatimTail.count)
    return (tail.last == lineEnd ? [] : [lineEnd])
      + (RecordingTimestamp.couldPrecedeVerbatimLine(tail) ? [lineEnd] : [])
  }

  /// Whether some lines are still unwritten.
  package var hasPending: Bool { state.withLock { !$0.text.bytes.isEmpty } }
  /// The descriptor if its reader is behind.
  package var blockedOutput: Descriptor? {
    state.withLock { $0.isBlocked && $0.folder == nil ? $0.writer?.descriptor : nil }
  }
  /// The number of lines that were lost.
  package var drops: Int { state.withLock(\.drops) }

  /// Records when the run begins to wait for gpsd, and when the connection to it fails.
  package func record(_ change: StateChange) {
    state.withLock { $0.text.record(change) }
    if change.state == .noService { recordFailure(change) }
  }

  /// Records that the connection to gpsd failed, unless the recording has not begun.
  ///
  /// - Parameter source: The source of the connection, if there are several sources.
  package func recordFailure(_ change: StateChange, of source: String? = nil) {
    guard state.withLock(\.text.hasBegun) else { return }
    keep(GPSDLines(bytes: LinkLine.text(of: change)[...], received: change.moment), of: source)
  }

  /// Records the moment of a change that has no line, such as a loss or the beginning of a source. Without
  /// it, a replay could not order the change among the lines of other sources.
  package func recordTime(_ moment: Moment, of source: String) {
    state.withLock { state in
      if state.hasRoom { state.text.append(moment, of: source) }
    }
  }

  /// Records when the run ends. Without it, a replay would not know how long the silence at the end lasted.
  package func recordEnd(at moment: Moment) {
    state.withLock { state in
      guard state.hasRoom else { return }
      // There may be space again.
      if state.folder?.gap != nil { state.writer?.retry() }
      state.text.end(at: moment, lostLines: state.lostLines)
    }
  }

  /// Keeps lines until ``flush()``, or until there are enough for one write.
  ///
  /// - Parameter source: The source of the lines, if there are several.
  package func keep(_ lines: GPSDLines, of source: String? = nil) {
    state.withLock { state in
      guard state.hasRoom, state.prepareFile(for: lines, of: source) else {
        return state.recordLoss(of: lines.reduce(0) { count, _ in count + 1 })
      }
      let lostLines = state.lostLines
      state.text.append(lines, of: source, lostLines: lostLines) {
        state.writer?.endRecord(after: $0)
      }
      // Lines that are kept for a folder may still be lost.
      if state.folder == nil { state.lostLines = 0 }
      // The next flush throws the error. A folder retries at once, because there may be space again.
      let isUrgent = state.text.bytes.count >= Self.worthWriting || state.folder?.gap != nil
      if isUrgent { try? state.write() }
    }
  }

  /// Writes the kept lines, and syncs them to the disk if that is due.
  ///
  /// - Throws: The first error of any write, unless the recording is in a folder.
  package func flush() throws(OutputError) {
    try state.withLock { state throws(OutputError) in
      try state.write()
      state.syncIfDue()
    }
  }

  /// Writes the rest, and waits up to half a second for a slow reader. Lines that are not written by then are
  /// lost.
  ///
  /// - Throws: The first error of any write; in a folder, the error because of which the last lines are missing.
  package func finish() throws(OutputError) {
    try flush()
    for _ in 0..<10 {
      guard let output = blockedOutput else { break }
      _ = output.isWritable(within: 50)
      try flush()
    }
    let gap = state.withLock { state in
      state.discard()
      state.finishFile(at: state.folder?.latest, isLast: true)
      return state.folder?.gap
    }
    if let gap { throw gap.error }
  }

  /// Waits until the recording is on the disk, for up to five seconds.
  ///
  /// - Parameter executor: Where the timer runs by preference; `nil` for the shared thread pool, whose first thread
  ///   ends the process if there are too many open files.
  package func waitForDisk(on executor: (any TaskExecutor)?) async {
    let (work, clock) = state.withLock { ($0.work, $0.clock) }
    _ = await work.waitForDisk(
      until: clock.now.advanced(by: Self.patience), by: clock, on: executor)
  }
}

extension Recorder.State {
  /// Whether more lines can be kept.
  fileprivate var hasRoom: Bool {
    failure == nil && text.bytes.count < Recorder.maximumPending
  }

  /// Writes as many of the pending lines as possible without waiting for the reader.
  fileprivate mutating func write() throws(OutputError) {
    if let failure { throw failure }
    // A folder may have no file yet.
    guard !text.bytes.isEmpty, writer != nil else { return }
    do throws(OutputError) {
      try replaceRemovedFile()
      try writePending()
      if !isBlocked { endGap() }
    } catch {
      discard()
      guard folder != nil else {
        failure = error
        throw error
      }
      beginGap(error)
    }
  }

  /// After an error, bytes that did not become complete records are still pending.
  private mutating func writePending() throws(OutputError) {
    let start = writer?.position ?? 0
    var written = 0
    defer {
      if written > 0 { sync.recordWrite(at: clock.now) }
      isBlocked = written < text.bytes.count
      text.removeFirst(written)
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

  /// Continues in another file if the current one was removed.
  private mutating func replaceRemovedFile() throws(OutputError) {
    guard let old = writer, old.pendingRecords > 0, old.descriptor.isRemoved else { return }
    let new: Descriptor
    if let folder {
      let next = try folder.folder.createFile(at: folder.latest)
      new = next.descriptor
      self.folder?.file = next.file
      self.folder?.start = folder.latest
      self.folder?.nextTry = nil
      self.folder?.upkeep.size = 0
    } else if let path {
      new = try Recorder.open(path)
    } else {
      return
    }
    newsIn = (folder?.folder.path).map { $0 } ?? path?.folder
    let count = text.moveOn(after: Recorder.separator(in: new))
    writer?.moveOn(to: new, after: count)
    report("\(old.descriptor.path) was removed; the recording continues in \(new.path)")
  }

  /// Discards the lines that have not been written, and counts them.
  fileprivate mutating func discard() {
    recordLoss(of: writer?.pendingRecords ?? 0)
    text.discard()
    isBlocked = false
    writer?.retry()
  }

  fileprivate mutating func recordLoss(of lines: Int) {
    drops += lines
    lostLines += lines
  }
}

// Recording in a folder.
extension Recorder.State {
  /// Begins another file if one is due. Returns `false` if lines cannot be written now.
  fileprivate mutating func prepareFile(for lines: GPSDLines, of source: String?) -> Bool {
    guard let folder else { return true }
    guard let received = lines.received else { return folder.start != nil }
    if let gap = folder.gap, received < gap.retry { return false }
    self.folder?.latest = received
    let size = (writer?.position ?? 0) + text.bytes.count
    let isDue =
      folder.start.map { folder.folder.beginsFile(at: received, after: $0, size: size) } ?? true
    if !isDue {
      self.folder?.nextTry = nil
    } else if folder.nextTry ?? .past <= received {
      return beginFile(at: received, of: source)
    }
    let (growth, time) = (size - folder.upkeep.size, folder.upkeep.moment.duration(to: received))
    if folder.folder.needsUpkeep(after: growth, time), !work.isInUpkeep {
      keepUp(at: received, size: size)
    }
    return true
  }

  /// Starts the upkeep of the folder.
  fileprivate mutating func keepUp(at moment: Moment, size: Int) {
    guard let folder = folder?.folder else { return }
    self.folder?.upkeep = (moment, size)
    work.keepUp(folder)
  }

  /// Returns `false` if there is no file to write to.
  private mutating func beginFile(at moment: Moment, of source: String?) -> Bool {
    try? write()
    do throws(OutputError) {
      guard let next = try folder?.folder.createFile(at: moment) else { return false }
      // The previous file ends when this one begins, by the same clock.
      if folder?.start != nil, folder?.gap == nil { text.append(moment, of: source) }
      try? write()
      finishFile(at: moment)
      writer = RecordWriter(next.descriptor)
      folder?.file = next.file
      newsIn = folder?.folder.path
      folder?.nextTry = nil
    } catch {
      return stay(in: writer?.descriptor, error, at: moment)
    }
    // The first file begins with the wait for gpsd, like a recording in a single file.
    if folder?.start != nil { text.restart() }
    folder?.start = moment
    return true
  }

  /// Gives the current file, which is complete, its final name. Then syncs it, and starts the upkeep of the folder.
  ///
  /// - Parameter isLast: Whether the run ends. If so, the next run compresses the file.
  fileprivate mutating func finishFile(at moment: Moment?, isLast: Bool = false) {
    guard let file = writer?.descriptor, file.kind == .file else { return }
    sync.recordSync()
    // After an error, the upkeep tries again, and reports it. A run that is being killed may not wait for the disk.
    _ = try? folder?.file?.complete()
    guard let folder = folder?.folder, let moment, !isLast else {
      return work.finish(file, at: moment?.wall, in: folder?.folder.path ?? newsIn.take())
    }
    self.folder?.upkeep = (moment, 0)
    work.finish(file, at: moment.wall, in: folder.path) { [work] in
      work.keepUp(folder)
    }
  }

  /// Syncs the written lines, if this is due and the previous sync has ended.
  fileprivate mutating func syncIfDue() {
    guard let file = writer?.descriptor, file.kind == .file, sync.isDue(at: clock.now),
      !work.isSyncing
    else { return }
    sync.recordSync()
    work.sync(file, in: newsIn.take())
  }

  /// Continues in the current file because the next one cannot be created, and reports the first error. Returns `false`
  /// if there is none.
  private mutating func stay(
    in file: Descriptor?, _ error: OutputError, at moment: Moment
  ) -> Bool {
    guard let file, !file.isRemoved else {
      beginGap(error)
      return false
    }
    if folder?.nextTry == nil, folder?.gap == nil {
      report("\(error); the recording stays in \(file.path)")
    }
    folder?.nextTry = moment.advanced(by: FolderProgress.retryInterval)
    return true
  }

  /// Records an error, and reports the first one.
  private mutating func beginGap(_ error: OutputError) {
    guard let folder else { return }
    if folder.gap == nil { report("\(error); the recording continues when that is possible") }
    self.folder?.gap = (error, folder.latest.advanced(by: FolderProgress.retryInterval))
  }

  /// Records that lines were written, including the number of lost lines before them.
  private mutating func endGap() {
    guard folder != nil else { return }
    if folder?.gap != nil, let path = writer?.descriptor.path {
      report("the recording continues in \(path); lines lost: \(lostLines)")
    }
    folder?.gap = nil
    lostLines = 0
  }
}
