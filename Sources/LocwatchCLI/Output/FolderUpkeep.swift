import GPSDLocation
import Glibc
import LocationCore

/// Compresses the finished files of a folder of recordings, and removes the oldest that are not to be
/// kept. It does not touch files whose names are others than locwatch gives, nor those that are being
/// written, by whichever process.
///
/// A compressed file gets its name when it is on the disk, and only then the other one is removed. So a
/// process that is killed leaves each recording complete, in one form or in both.
struct FolderUpkeep {
  let folder: FilePath
  /// What is kept; `nil` to remove nothing.
  let limit: RecordingFolder.Limit?

  /// A recording in the folder, in one of its forms or in both.
  private struct Entry {
    let name: RecordingName
    var plain: stat?
    var compressed: stat?

    var size: Int { Int(clamping: plain?.st_size ?? 0) + Int(clamping: compressed?.st_size ?? 0) }

    /// When the last line was written, but not before the first one.
    var end: Timestamp {
      [plain, compressed].compactMap { $0?.modified }.reduce(name.start, max)
    }
  }

  /// Compresses and removes what is due.
  ///
  /// - Throws: The first error, after which nothing more is compressed.
  func run(at now: Timestamp) throws(OutputError) {
    let entries = try entries()
    let failure = compress(entries)
    remove(try self.entries(), at: now)
    folder.syncFolder()
    if let failure { throw failure }
  }

  /// Returns the recordings in the order of their numbers. Removes what was not completed, unless it is
  /// about to be.
  private func entries() throws(OutputError) -> [Entry] {
    guard let names = FolderEntries(of: folder)?.names else {
      throw .cannotWrite(path: folder.description, reason: systemText(errno))
    }
    var entries: [RecordingName: Entry] = [:]
    for file in names {
      if let name = RecordingName(unfinished: file), !names.contains(name.plain) {
        folder.appending(file).remove()
      }
      guard let name = RecordingName(file), let status = folder.appending(file).ownStatus,
        status.st_mode & S_IFMT == S_IFREG
      else { continue }
      if file == name.plain {
        entries[name, default: Entry(name: name)].plain = status
      } else {
        entries[name, default: Entry(name: name)].compressed = status
      }
    }
    return entries.values.sorted {
      ($0.name.number, $0.name.start) < ($1.name.number, $1.name.start)
    }
  }

  /// Compresses all finished files. Returns the first error, after which it gives up.
  private func compress(_ entries: [Entry]) -> OutputError? {
    for entry in entries {
      // An empty one may have just been made.
      guard let plain = entry.plain, plain.st_size > 0 else { continue }
      do throws(OutputError) {
        try compress(entry.name)
      } catch {
        return error
      }
    }
    return nil
  }

  private func compress(_ name: RecordingName) throws(OutputError) {
    let path = folder.appending(name.plain)
    guard let file = FinishedFile(path) else { return }
    let unfinished = folder.appending(name.unfinished)
    do throws(OutputError) {
      unfinished.remove()
      guard
        let output = try Descriptor(creating: unfinished, inPlaceOf: path, named: path.description)
      else { throw OutputError.cannotCreate(path: "\(unfinished)", reason: systemText(EEXIST)) }
      guard try file.compress(into: output) else { return unfinished.remove() }
      try output.synchronize()
      try unfinished.rename(to: folder.appending(name.compressed), inPlaceOf: path)
    } catch {
      unfinished.remove()
      throw error
    }
    // The new name is on the disk before the old one is not.
    folder.syncFolder()
    path.remove()
  }

  private func remove(_ entries: [Entry], at now: Timestamp) {
    switch limit {
    case .age(let age):
      for entry in entries where entry.end.duration(to: now) > age { remove(entry) }
    case .size(let size):
      var sum = entries.reduce(0) { $0 + $1.size }
      for entry in entries where sum > size - RecordingFolder.Limit.growth(of: size) {
        if remove(entry) { sum -= entry.size }
      }
    case nil: break
    }
  }

  /// Removes a recording. Returns `false` if it is being written.
  @discardableResult
  private func remove(_ entry: Entry) -> Bool {
    if entry.plain != nil {
      let path = folder.appending(entry.name.plain)
      guard let file = FinishedFile(path) else { return false }
      // It is not written while it is held.
      withExtendedLifetime(file) { path.remove() }
    }
    folder.appending(entry.name.compressed).remove()
    return true
  }
}

/// A file that no process records to, and none begins to while this object is there.
private struct FinishedFile: ~Copyable {
  private static let piece = 64 * 1024

  private let number: CInt
  private let path: FilePath

  /// Returns `nil` if the file is being written, or is not there.
  init?(_ path: FilePath) {
    self.path = path
    number = unsafe path.withCString {
      unsafe open($0, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
    }
    guard number >= 0 else { return nil }
    var status = stat()
    // Another process may have removed it meanwhile.
    guard flock(number, LOCK_EX | LOCK_NB) == 0, unsafe fstat(number, &status) == 0,
      status.st_nlink > 0
    else { return nil }
  }

  // This also runs where the initializer returns `nil`.
  deinit { if number >= 0 { _ = close(number) } }

  /// Compresses the file. Returns `false` if it has changed meanwhile.
  func compress(into output: Descriptor) throws(OutputError) -> Bool {
    guard var deflater = Deflater() else {
      throw .cannotWrite(path: path.description, reason: systemText(ENOMEM))
    }
    var size = 0
    while true {
      let piece = unsafe [UInt8](unsafeUninitializedCapacity: Self.piece) { buffer, used in
        used = max(0, unsafe pread(number, buffer.baseAddress, buffer.count, size))
      }
      size += piece.count
      var failure: OutputError?
      let isWritten = deflater.deflate(piece, isLast: piece.isEmpty) { bytes in
        failure = output.writeWhole(bytes)
        return failure == nil
      }
      if let failure { throw failure }
      guard isWritten else { throw .cannotWrite(path: path.description, reason: systemText(EIO)) }
      if piece.isEmpty { break }
    }
    var status = stat()
    guard unsafe fstat(number, &status) == 0, status.st_size == size else { return false }
    output.setModified(status.st_mtim)
    return true
  }
}
