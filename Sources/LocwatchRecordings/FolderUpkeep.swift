import GPSDLocation
import Glibc
import LocationCore
import LocationText
import LocwatchSystem

/// Compresses the finished files of a folder of recordings, and removes the oldest recordings beyond the
/// limit. It does not touch files with other names than locwatch's, or files that any process has open for writing.
///
/// A compressed file gets its final name when it is on the disk. Only then is the original removed. If the
/// process is killed, each recording is therefore complete in at least one of the two forms. If they differ otherwise,
/// both are left. Only one process at a time keeps a folder in order.
struct FolderUpkeep {
  let folder: FilePath
  /// The limit on the recordings that are kept; `nil` to remove nothing.
  let limit: RecordingFolder.Limit?
  /// The spans of files that do not contain their own spans.
  let spans: SpanCache

  /// The result of the upkeep.
  struct Outcome: Equatable {
    /// A message for each recording that was removed.
    var removals: [String] = []
    /// Why the folder is not in order; `nil` if it is.
    var problem: String?
  }

  /// A recording in the folder, in one of its two forms or in both.
  struct Entry {
    let name: RecordingName
    var plain: Form?
    var compressed: Form?

    var size: Int { (plain?.size ?? 0) + (compressed?.size ?? 0) }

    /// When the form that is read was last changed.
    var modified: Timestamp { (plain ?? compressed)?.modified ?? name.start }
  }

  /// What is known of a file. A folder can have a hundred thousand, so it is little.
  struct Form {
    let size: Int
    let modified: Timestamp

    init(_ status: stat) {
      size = Int(clamping: status.st_size)
      modified = status.modified
    }
  }

  /// Compresses and removes what is due.
  func run() -> Outcome {
    do throws(OutputError) {
      guard let lock = try FolderLock(folder) else { return Outcome() }
      defer { withExtendedLifetime(lock) {} }
      let failure = lock.isHeld ? compress(try entries()) : nil
      var outcome = remove(try entries().filter { !removeIfEmpty($0) })
      spans.forgetUnread()
      folder.syncFolder()
      outcome.problem = failure.map(Self.message) ?? outcome.problem
      return outcome
    } catch {
      return Outcome(problem: Self.message(error))
    }
  }

  private static func message(_ error: OutputError) -> String {
    "\(error); it is unchanged, and locwatch tries again"
  }

  /// Returns the recordings in the order of their numbers. Removes incomplete compressed files whose
  /// originals no longer exist. The others are about to be completed.
  func entries() throws(OutputError) -> [Entry] {
    guard let names = FolderEntries(of: folder)?.names else {
      throw .cannotWrite(path: folder.description, reason: systemText(errno))
    }
    var entries: [Entry] = []
    for file in names {
      if let name = RecordingName(unfinished: file), !names.contains(name.plain) {
        folder.appending(file).remove()
      }
      guard let name = RecordingName(file), let status = folder.appending(file).ownStatus,
        status.st_mode & S_IFMT == S_IFREG
      else { continue }
      let form = Form(status)
      entries.append(
        file == name.plain ? Entry(name: name, plain: form) : Entry(name: name, compressed: form))
    }
    entries.sort { ($0.name.number, $0.name.start) < ($1.name.number, $1.name.start) }
    return entries.reduce(into: []) { recordings, entry in
      guard let last = recordings.last, last.name == entry.name else {
        return recordings.append(entry)
      }
      recordings[recordings.count - 1].plain = last.plain ?? entry.plain
      recordings[recordings.count - 1].compressed = last.compressed ?? entry.compressed
    }
  }

  /// Compresses all finished files. Returns the first error. It stops if the disk fails.
  private func compress(_ entries: [Entry]) -> OutputError? {
    var failure: OutputError?
    for entry in entries {
      guard let plain = entry.plain, plain.size > 0 else { continue }
      do throws(OutputError) {
        try compress(entry.name)
      } catch {
        failure = failure ?? error
        if case .cannotWrite = error { return failure }
      }
    }
    return failure
  }

  private func compress(_ name: RecordingName) throws(OutputError) {
    let path = folder.appending(name.plain)
    let compressed = folder.appending(name.compressed)
    guard let file = FinishedFile(path) else { return }
    func problem(_ reason: String) -> OutputError {
      .cannotCreate(path: compressed.description, reason: reason)
    }
    if file.isOpenForWriting() { throw problem("a program has \(path) open for writing") }
    guard file.contains(contentsOf: compressed) else {
      throw problem("it has what \(path) does not have")
    }
    guard let span = spans.read(path) else { return }
    let unfinished = folder.appending(name.unfinished)
    do throws(OutputError) {
      unfinished.remove()
      guard
        let output = try Descriptor(creating: unfinished, inPlaceOf: path, named: path.description)
      else { throw OutputError.cannotCreate(path: "\(unfinished)", reason: systemText(EEXIST)) }
      guard try file.compress(span, into: output) else { return unfinished.remove() }
      try output.synchronize()
      try unfinished.rename(to: compressed, inPlaceOf: compressed)
    } catch {
      unfinished.remove()
      throw error
    }
    // The new name must be on the disk before the old file is removed.
    folder.syncFolder()
    if file.isUnchanged { path.remove() }
  }

  /// Removes the recordings beyond the limit.
  private func remove(_ entries: [Entry]) -> Outcome {
    switch limit {
    case .age(let age): remove(entries, olderThan: age)
    case .size(let size): remove(entries, beyond: size)
    case nil: Outcome()
    }
  }

  private func remove(_ entries: [Entry], olderThan age: Duration) -> Outcome {
    var recordings = entries.map {
      RecordingAges.Recording(start: $0.name.start, modified: $0.modified, span: span(of: $0))
    }
    var old = RecordingAges(recordings).indices(ofAge: age)
    var isRead = Set<Int>()
    // Only all of a file shows whether its newest part is old, and what its first bytes say may be damaged.
    while case let unread = old.filter({ !isRead.contains($0) }), !unread.isEmpty {
      for index in unread {
        isRead.insert(index)
        recordings[index].span =
          spans.read(path(of: entries[index]), isWhole: true) ?? RecordedSpan()
      }
      old = RecordingAges(recordings).indices(ofAge: age)
    }
    var outcome = Outcome()
    for index in old where isKnown(entries[index]) {
      let message = removal(of: entries[index])
      if remove(entries[index]) { outcome.removals.append(message) }
    }
    return outcome
  }

  /// Whether all of a recording was read. Of two forms that differ, only one was.
  private func isKnown(_ entry: Entry) -> Bool {
    (entry.plain == nil || entry.compressed == nil)
      && spans.read(path(of: entry), isWhole: true) != nil
  }

  private func remove(_ entries: [Entry], beyond size: Int) -> Outcome {
    var sum = entries.reduce(0) { $0 + $1.size }
    var outcome = Outcome()
    for entry in entries where sum > size - RecordingFolder.Limit.growth(of: size) {
      let message = removal(of: entry)
      guard remove(entry) else { continue }
      sum -= entry.size
      outcome.removals.append(message)
    }
    if sum > size {
      outcome.problem =
        "\(folder) is larger than the \(size) bytes of --keep: the remaining files are being "
        + "written, or cannot be removed"
    }
    return outcome
  }

  /// Removes a recording that is empty because the disk was full or the run was killed.
  func removeIfEmpty(_ entry: Entry) -> Bool { entry.size == 0 && remove(entry) }

  /// Removes a recording. Returns `false` if it is being written, has been written since it was listed, or cannot be
  /// removed.
  private func remove(_ entry: Entry) -> Bool {
    let plain = folder.appending(entry.name.plain)
    let compressed = folder.appending(entry.name.compressed)
    return isFinished(compressed, as: entry.compressed)
      && isFinished(plain, as: entry.plain, andRemoved: true)
      && isFinished(compressed, as: entry.compressed, andRemoved: true)
  }

  /// Returns whether no process is writing a file, and it is as it was listed. If it was not listed, there is no file.
  private func isFinished(
    _ path: FilePath, as listed: Form?, andRemoved isRemoved: Bool = false
  ) -> Bool {
    guard let listed else { return true }
    guard let file = FinishedFile(path), file.size == listed.size, file.isUnchanged else {
      return false
    }
    guard isRemoved else { return true }
    // While it is held, no process records to it.
    withExtendedLifetime(file) { path.remove() }
    return path.ownStatus == nil
  }

  /// Returns the path of a recording in the form that is read.
  private func path(of entry: Entry) -> FilePath {
    folder.appending(entry.plain == nil ? entry.name.compressed : entry.name.plain)
  }

  private func span(of entry: Entry) -> RecordedSpan {
    spans.read(path(of: entry)) ?? RecordedSpan()
  }

  /// Returns the message for a recording that is removed.
  private func removal(of entry: Entry) -> String {
    let span = span(of: entry)
    let part =
      span.dates.map {
        "from \($0.lowerBound) to \(max($0.upperBound, span.latest ?? $0.upperBound))"
      }
      ?? "\(Text.duration(span.length.duration)) without a date"
    return "removed \(path(of: entry)), \(part), because of --keep"
  }
}
