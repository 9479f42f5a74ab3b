package import GPSDLocation
import Glibc
package import LocationCore
import LocationText
package import LocwatchSystem

/// A folder of recordings that continue each other.
///
/// The name of each file is its number and its first moment, such as `000001-2026-11-20T070450.120Z.jsonl`.
/// The numbers determine the order of the files, whatever the clock shows. Files without a number, as written
/// by locwatch 0.2, come before them in the order of their names. The name ends in `.part` until the file is complete. A
/// run locks `.locwatch.lock` while it keeps the folder in order, so that only one run at a time does.
package struct RecordingFolder: Sendable {
  /// When a new file begins.
  package enum Rotation: Equatable, Sendable {
    /// On each day in UTC. If the clock is set back, the file continues for at least an hour.
    case daily
    case every(Duration)
    /// When the file has this size in bytes.
    case size(Int)
  }

  /// How much is kept, according to ``RecordingAges``. The oldest recordings are removed first. The recording
  /// that is being written is never removed. Each recording has at most an eighth of the limit, so that
  /// little more is removed than necessary.
  package enum Limit: Equatable, Sendable {
    /// Recordings that are not older than this.
    case age(Duration)
    /// This number of bytes.
    case size(Int)

    /// Returns the space that is left for the growth until the next upkeep, and for the compressed form of
    /// one recording.
    static func growth(of size: Int) -> Int { size / 16 }
  }

  package let path: FilePath
  let rotation: Rotation
  /// The limit on the recordings that are kept; `nil` for no limit.
  let limit: Limit?

  /// Creates the folder if it does not exist.
  package init(_ path: FilePath, rotation: Rotation, limit: Limit? = nil) throws(OutputError) {
    self.path = path
    self.rotation = rotation
    self.limit = limit
    try path.makeFolder(allowing: R_OK | W_OK | X_OK)
  }

  /// Returns whether a new file begins before the lines of a moment.
  ///
  /// - Parameters:
  ///   - start: When the current file began.
  ///   - size: The size of the current file, in bytes.
  func beginsFile(at moment: Moment, after start: Moment, size: Int) -> Bool {
    switch limit {
    case .age(let age): if start.duration(to: moment) >= age / 8 { return true }
    case .size(let sum): if size >= sum / 8 { return true }
    case nil: break
    }
    switch rotation {
    case .daily:
      guard let day = start.wall?.day, let now = moment.wall?.day else { return false }
      // A clock that is set back and forth about midnight does not begin a new file each time.
      return now > day || now < day && start.duration(to: moment) >= .seconds(3600)
    case .every(let duration): return start.duration(to: moment) >= duration
    case .size(let maximum): return size >= maximum
    }
  }

  /// Returns whether the upkeep of the folder is due, because the current file has grown or because time has
  /// passed.
  ///
  /// - Parameters:
  ///   - growth: The number of bytes that were written since the last upkeep.
  ///   - time: The time since the last upkeep.
  func needsUpkeep(after growth: Int, _ time: Duration) -> Bool {
    switch limit {
    case .age: time >= .seconds(3600)
    case .size(let size): growth >= Limit.growth(of: size) / 2
    case nil: false
    }
  }

  /// Creates the file for the lines from a moment on, after all existing files.
  func createFile(
    at moment: Moment
  ) throws(OutputError) -> (file: PartFile, descriptor: Descriptor) {
    // The folder may have been removed.
    _ = path.makeFolder()
    guard let names = FolderEntries(of: path)?.names else {
      throw .cannotCreate(path: path.description, reason: systemText(errno))
    }
    let number = RecordingName.nextNumber(after: names)
    let name = RecordingName(number: number, start: moment.wall ?? .now)
    return try PartFile.create(name, in: path)
  }

  /// Opens a recording. One that is incomplete stays open, because it gets another name when it is complete, perhaps
  /// before it is opened here.
  package static func open(_ path: FilePath) throws(LocationError) -> RecordingFile {
    let name = path.lastComponent
    guard RecordingName.form(of: name) == .part, let recording = RecordingName(name) else {
      return try RecordingFile(path: path)
    }
    if let file = try? RecordingFile(path: path, staysOpen: true) { return file }
    let later = [recording.plain, recording.compressed].map(path.folder.appending)
    return try RecordingFile(path: later.first { $0.ownStatus != nil } ?? path)
  }

  /// Returns the recordings in a folder that may contain a part of a range, in their order.
  ///
  /// A recording is left out if it begins after the range, or if it ends before the range and so does, by its name, the
  /// beginning of the next one. Then it ends so long before the range that all is known without it, except for
  /// receivers that have been silent since. Its name and its length have to say that, and its last change or, after the
  /// folder was copied, the dates of its receivers have to agree: the machine's clock may have been set during the
  /// recording.
  package static func files(in folder: FilePath, _ range: RecordedRange) throws(Failure)
    -> [FilePath]
  {
    let all = try files(in: folder)
    let starts = all.map { file in
      RecordingName(file.lastComponent).flatMap { $0.number > 0 ? $0.start : nil }
    }
    guard let named = starts.firstIndex(where: { $0 != nil }), let first = starts[named] else {
      return all
    }
    // The first day is unknown if the clock was not set, or was set in the first recording.
    if range.isByTimeOfDay, first < .clocksAreSet || extent(of: all[named], first) == nil {
      return all
    }
    let range = range.inRecording(from: first)
    let beginning = range.start?.later(by: .zero - RecordedRange.leadIn)
    let files = all.indices.filter { index in
      guard let start = starts[index] else { return true }
      let next = starts[(index + 1)...].lazy.compactMap(\.self).first
      let isAfter = range.end.map { start >= $0 } ?? false
      let isBefore = beginning.flatMap { limit in next.map { $0 <= limit } } ?? false
      guard isAfter || isBefore, let extent = extent(of: all[index], start) else { return true }
      if isAfter, let end = range.end, extent.lowerBound >= end { return false }
      return !isBefore || beginning.map { extent.upperBound > $0 } ?? true
    }
    // At least one recording is returned, so that a message can name it.
    return files.isEmpty ? [all[0]] : files.map { all[$0] }
  }

  /// Returns when a recording began at the earliest, and ended at the latest; `nil` if that cannot be known without
  /// reading all of it.
  private static func extent(of path: FilePath, _ start: Timestamp) -> ClosedRange<Timestamp>? {
    guard let status = path.status, status.st_mode & S_IFMT == S_IFREG,
      let file = try? RecordingFile(path: path), let span = RecordedSpan(endsOf: file)
    else { return nil }
    let end = start.later(by: span.length)
    let errors = [status.modified, span.latest].compactMap { $0?.nanoseconds(to: end) }
    guard let error = errors.min(by: { $0.magnitude < $1.magnitude }), error.magnitude <= margin
    else { return nil }
    // The last line and the last date can be a second before the end.
    let setBack = error > .seconds(1) ? error : .zero
    return start.later(by: .zero - setBack)...end.later(by: max(.zero, .zero - error))
  }

  /// By how much two clocks that agree differ at most.
  private static let margin = Nanoseconds.seconds(60)

  /// Returns the recordings in a folder, in their order. A recording that exists in both forms is listed once, in the
  /// one with more.
  package static func files(in folder: FilePath) throws(Failure) -> [FilePath] {
    guard let all = FolderEntries(of: folder)?.names else {
      throw Failure(.noInput, "\(folder): \(systemText(errno))")
    }
    let omitted = unread(all, in: folder)
    let recordings = all.filter { RecordingName.isRecording($0) && omitted[$0] == nil }
    if recordings.isEmpty {
      throw Failure(.noInput, "\(folder) has no recording (\(patterns))")
    }
    return RecordingName.inOrder(recordings).map { folder.appending($0) }
  }

  /// Returns the files that are not read because their recordings exist in both forms, and says why: one was being
  /// compressed, or another program wrote it.
  private static func unread(_ names: [[UInt8]], in folder: FilePath) -> [[UInt8]: String] {
    let all = Set(names)
    var reasons: [[UInt8]: String] = [:]
    for name in names where RecordingName.form(of: name) == .compressed {
      let plain = Array(name.dropLast(RecordingName.Form.compressed.rawValue.utf8.count))
      guard all.contains(plain) else { continue }
      let size = folder.appending(plain).status?.st_size ?? 0
      let file = try? RecordingFile(path: folder.appending(name))
      let hasMore = file?.holdsMore(than: size) ?? false
      let (omitted, read) = hasMore ? (plain, name) : (name, plain)
      reasons[omitted] =
        "\(folder.appending(omitted)) is left out: \(folder.appending(read)) has the same name, and "
        + (hasMore ? "more in it" : "at least as much in it")
    }
    return reasons
  }
}

extension RecordingFile {
  /// Returns whether it has more than a number of bytes, decompressed.
  fileprivate func holdsMore(than size: Int) -> Bool {
    var count = 0
    while count <= size, let piece = try? nextBytes(upTo: 64 * 1024), !piece.isEmpty {
      count += piece.count
    }
    return count > size
  }
}

extension RecordingFolder {
  private static let patterns = "*\(RecordingName.ending), *\(RecordingName.ending).gz"

  /// Returns messages about files of a folder that look like recordings but are not read, in the order of
  /// their names.
  package static func omissions(in folder: FilePath) -> [String] {
    let names = FolderEntries(of: folder)?.names ?? []
    let others = names.filter {
      !RecordingName.isRecording($0) && RecordingName(unfinished: $0) == nil
    }
    return unread(names, in: folder)
      .sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.value)
      + others.sorted { $0.lexicographicallyPrecedes($1) }.compactMap { name in
        let path = folder.appending(name)
        // Reading a pipe could block.
        guard path.fileType == S_IFREG, let file = try? RecordingFile(path: path) else {
          return nil
        }
        return omission(of: file, at: path).map { "\(path) is left out: \($0)" }
      }
  }

  /// Returns why a file is not read, and the remedy; `nil` if the file does not look like a recording.
  private static func omission(of file: RecordingFile, at path: FilePath) -> String? {
    let head = file.head(upTo: LogHead.length)
    if let program = decompressors.first(where: { head.starts(with: $0.mark) })?.program {
      return "it is compressed. '\(program) -d \(path)' decompresses it"
    }
    if LogHead.isRaw(file) {
      return "it is a receiver's log. 'locwatch --replay \(path)' reads it"
    }
    guard head.starts(with: #"{"class":""#.utf8) else { return nil }
    return
      "its name ends in neither \(RecordingName.ending) nor \(RecordingName.ending).gz. "
      + "'locwatch --replay \(path)' reads it"
  }

  private static let decompressors: [(mark: [UInt8], program: String)] = [
    ([0xFD, 0x37, 0x7A, 0x58, 0x5A], "xz"),
    ([0x28, 0xB5, 0x2F, 0xFD], "zstd"), ([0x42, 0x5A, 0x68], "bzip2"),
  ]
}

extension Timestamp {
  fileprivate var day: Int64 { secondsSince1970.dividedDown(by: 86_400).quotient }
}

extension FilePath {
  /// Whether the path leads to a folder, or can only be that of a folder.
  package var isFolder: Bool { bytes.last == UInt8(ascii: "/") || fileType == S_IFDIR }

  /// Creates the folder. Returns the system's error number, 0 if there was none.
  package func makeFolder() -> CInt {
    unsafe withCString { unsafe mkdir($0, 0o755) == 0 ? 0 : errno }
  }

  /// Creates the folder if it does not exist.
  ///
  /// - Parameter mode: The access that an existing folder has to permit, as for access(2).
  package func makeFolder(allowing mode: CInt) throws(OutputError) {
    var code = makeFolder()
    if code == EEXIST, fileType == S_IFDIR {
      code = unsafe withCString { unsafe access($0, mode) == 0 ? 0 : errno }
    }
    guard code == 0 else {
      let reason = systemText(code == EEXIST ? ENOTDIR : code)
      throw .cannotCreate(path: description, reason: reason)
    }
  }

  /// Returns the path of a file in this folder.
  package func appending(_ name: [UInt8]) -> FilePath {
    let slash = UInt8(ascii: "/")
    return FilePath(bytes: bytes + (bytes.last == slash ? [] : [slash]) + name)
  }
}

/// The progress of a ``Recorder`` in its folder.
struct FolderProgress {
  /// How long to wait after an error before the next try.
  static let retryInterval = Duration.seconds(1)

  let folder: RecordingFolder
  /// When the current file began; `nil` while there is none.
  var start: Moment?
  /// The current file; `nil` while there is none.
  var file: PartFile?
  /// The moment of the last lines.
  var latest = Moment.past
  /// Why lines are lost now, and when to try again; `nil` if they are written.
  var gap: (error: OutputError, retry: Moment)?
  /// When to try again to create the next file, which is due; `nil` if that has not failed.
  var nextTry: Moment?
  /// When the upkeep of the folder last ran, and the size of the current file then.
  var upkeep = (moment: Moment.past, size: 0)
}
