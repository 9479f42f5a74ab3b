import GPSDLocation
import Glibc
import LocationCore
import LocationText
import LocwatchSystem

/// Completes what a crash left in a folder of recordings, compresses the finished files, and removes the oldest
/// recordings beyond the limit. It does not touch files with other names than locwatch's, or files to which another
/// locwatch writes.
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

  /// A recording in the folder. A folder can have a hundred thousand, so it is little.
  struct Entry {
    let name: RecordingName
    /// The form that is read, its size in bytes, and when it was last changed.
    let form: RecordingName.Form
    let size: Int
    let modified: Timestamp
    /// The size with that of the compressed form, if there are both forms.
    var total: Int
    var hasBothForms = false
  }

  /// Completes, compresses and removes what is due.
  func run() -> Outcome {
    do throws(OutputError) {
      // Only one process at a time may lock it, and other users cannot.
      let path = folder.appending(Array(".locwatch.lock".utf8))
      let lock = path.opened(O_RDWR | O_CREAT)
      let code = errno
      // On a full disk, it cannot always be created.
      guard lock != nil || [ENOSPC, EDQUOT].contains(code) else {
        throw .cannotCreate(path: path.description, reason: systemText(code))
      }
      if let lock, !lock.lock() { return Outcome() }
      defer { withExtendedLifetime(lock) {} }
      let failure = lock != nil ? finish(try entries()) : nil
      // A full disk, or a crash, may have left some without a line.
      var outcome = remove(try entries().filter { $0.total > 0 || !remove($0) })
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
    for file in RecordingName.inOrder(names) {
      if let name = RecordingName(unfinished: file), !names.contains(name.plain) {
        folder.appending(file).remove()
      }
      guard let form = RecordingName.form(of: file), let name = RecordingName(file),
        let status = folder.appending(file).ownStatus, status.st_mode & S_IFMT == S_IFREG
      else { continue }
      let size = Int(clamping: status.st_size)
      if form == .compressed, let last = entries.indices.last, entries[last].name == name {
        entries[last].total += size
        entries[last].hasBothForms = true
      } else {
        entries.append(
          Entry(name: name, form: form, size: size, modified: status.modified, total: size))
      }
    }
    return entries
  }

  /// Completes the files that a crash left, and compresses all that are complete. Returns the first error. It stops if
  /// the disk fails.
  private func finish(_ entries: [Entry]) -> OutputError? {
    var failure: OutputError?
    for entry in entries where entry.form != .compressed {
      do throws(OutputError) {
        let name =
          entry.form == .plain
          ? entry.name : try PartFile(folder: folder, name: entry.name).completeIfAbandoned()
        if let name, entry.size > 0 { try compress(name) }
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
    guard file.contains(contentsOf: compressed) else {
      let reason = "it has what \(path) does not have"
      throw .cannotCreate(path: compressed.description, reason: reason)
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
      RecordingAges.Recording(
        start: $0.name.start, modified: $0.modified,
        span: spans.read(path(of: $0)) ?? RecordedSpan())
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
    // Of two forms that differ, only one was read.
    for entry in old.map({ entries[$0] })
    where !entry.hasBothForms && spans.read(path(of: entry), isWhole: true) != nil {
      _ = remove(entry, &outcome)
    }
    return outcome
  }

  private func remove(_ entries: [Entry], beyond size: Int) -> Outcome {
    var sum = entries.reduce(0) { $0 + $1.total }
    var outcome = Outcome()
    for entry in entries where sum > size - RecordingFolder.Limit.growth(of: size) {
      if remove(entry, &outcome) { sum -= entry.total }
    }
    if sum > size {
      outcome.problem =
        "\(folder) is larger than the \(size) bytes of --keep: the remaining files are being "
        + "written, or cannot be removed"
    }
    return outcome
  }

  /// Removes a recording as ``remove(_:)`` does, with a message.
  private func remove(_ entry: Entry, _ outcome: inout Outcome) -> Bool {
    let path = path(of: entry)
    let span = spans.read(path) ?? RecordedSpan()
    let part =
      span.dates.map {
        "from \($0.lowerBound) to \(max($0.upperBound, span.latest ?? $0.upperBound))"
      }
      ?? "\(Text.duration(span.length.duration)) without a date"
    guard remove(entry) else { return false }
    outcome.removals.append("removed \(path), \(part), because of --keep")
    return true
  }

  /// Removes a recording. Returns `false` if it is being written, has been written since it was listed, or cannot be
  /// removed.
  func remove(_ entry: Entry) -> Bool {
    let files = [entry.name.plain, entry.name.compressed].map(folder.appending)
    let total = files.reduce(0) { $0 + ($1.ownStatus?.st_size ?? 0) }
    guard entry.form != .part, total == entry.total else { return false }
    for file in files { file.remove() }
    return files.allSatisfy { $0.ownStatus == nil }
  }

  /// Returns the path of a recording in the form that is read.
  private func path(of entry: Entry) -> FilePath {
    folder.appending(entry.name.file(entry.form))
  }
}
