package import GPSDLocation
import Glibc
import LocationCore
import LocationText
package import LocwatchSystem

/// A folder of recordings that follow each other as one.
///
/// Each has a number and its first moment as its name, such as `000001-2026-11-20T070450.120Z.jsonl`.
/// The numbers are the order of the files, which no clock can disturb. Files without a number, as
/// those of locwatch 0.2 are, come before them in the order of their names. `.locwatch.lock` is what several
/// runs lock, one after the other, to keep the folder in order.
package struct RecordingFolder: Sendable {
  /// When another file begins.
  package enum Rotation: Equatable, Sendable {
    /// With each day of UTC. If the clock is set back, the file continues for at least an hour.
    case daily
    case every(Duration)
    /// When the file has this many bytes.
    case size(Int)
  }

  /// What is kept of the recordings, by ``RecordingAges``. The oldest are removed first, and the one that is being written never
  /// is. Each has at most an eighth of it, so that what is removed is not much more than what has to be.
  package enum Limit: Equatable, Sendable {
    /// What is not older than this.
    case age(Duration)
    /// As many bytes as this.
    case size(Int)

    /// Returns how far the recordings grow until they are looked at again, and what one is compressed
    /// to.
    static func growth(of size: Int) -> Int { size / 16 }
  }

  /// The number of names that are tried if others take them at the same time.
  private static let maximumTries = 1000

  package let path: FilePath
  let rotation: Rotation
  /// What is kept; `nil` for everything.
  let limit: Limit?

  /// Creates the folder if it does not exist.
  package init(_ path: FilePath, rotation: Rotation, limit: Limit? = nil) throws(OutputError) {
    self.path = path
    self.rotation = rotation
    self.limit = limit
    try path.makeFolder(allowing: R_OK | W_OK | X_OK)
  }

  /// Returns whether another file begins before the lines of a moment.
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
      // A clock that is set to and fro about midnight does not begin a file each time.
      return now > day || now < day && start.duration(to: moment) >= .seconds(3600)
    case .every(let duration): return start.duration(to: moment) >= duration
    case .size(let maximum): return size >= maximum
    }
  }

  /// Returns whether the folder has to be looked after, because the file that is written has grown or
  /// because time has passed.
  ///
  /// - Parameters:
  ///   - growth: How many bytes were written since the last time.
  ///   - time: How long ago that was.
  func needsUpkeep(after growth: Int, _ time: Duration) -> Bool {
    switch limit {
    case .age: time >= .seconds(3600)
    case .size(let size): growth >= Limit.growth(of: size) / 2
    case nil: false
    }
  }

  /// Creates the file for the lines from a moment on, after all existing files.
  func createFile(at moment: Moment) throws(OutputError) -> Descriptor {
    // The folder may have been removed.
    _ = path.makeFolder()
    guard let names = FolderEntries(of: path)?.names else {
      throw .cannotCreate(path: path.description, reason: systemText(errno))
    }
    return try createFile(at: moment, number: RecordingName.nextNumber(after: names))
  }

  /// Creates a file with a number, or the next one that is free: others may record here, too.
  func createFile(at moment: Moment, number: Int) throws(OutputError) -> Descriptor {
    var file = path
    for number in number..<number + Self.maximumTries {
      file = path.appending(RecordingName(number: number, start: moment.wall ?? .now).plain)
      guard let descriptor = try Descriptor(creating: file) else { continue }
      if descriptor.lock(), !descriptor.isRemoved { return descriptor }
      file.remove()
    }
    throw .cannotCreate(path: file.description, reason: systemText(EEXIST))
  }

  /// Returns the recordings in a folder that may have something of a range, in their order.
  ///
  /// One is left out if it begins after the range, or if the next one begins before the range and it was not
  /// changed since. What is left out before it ends so long before it that the state at its beginning is known
  /// without it.
  package static func files(in folder: FilePath, _ range: RecordedRange) throws(Failure)
    -> [FilePath]
  {
    let all = try files(in: folder)
    let starts = all.map { file in
      RecordingName(file.lastComponent).flatMap { $0.number > 0 ? $0.start : nil }
    }
    guard let first = starts.lazy.compactMap(\.self).first else { return all }
    let range = range.inRecording(from: starts[0] ?? first)
    let files = all.indices.filter { index in
      guard let start = starts[index] else { return true }
      if let end = range.end, start >= end { return false }
      guard let beginning = range.start?.later(by: .zero - margin) else { return true }
      let next = starts[(index + 1)...].lazy.compactMap(\.self).first
      guard let next, next <= beginning, let status = all[index].status else { return true }
      return status.modified > beginning
    }
    // What is left out has to be said of something.
    return files.isEmpty ? [all[0]] : files.map { all[$0] }
  }

  /// How much of what is before a range is read in any case.
  private static let margin = Nanoseconds.seconds(60)

  /// Returns the recordings in a folder, in their order. One that is there twice, because its compressed
  /// form has just replaced it, is listed once.
  package static func files(in folder: FilePath) throws(Failure) -> [FilePath] {
    guard let all = FolderEntries(of: folder)?.names else {
      throw Failure(.noInput, "\(folder): \(systemText(errno))")
    }
    // One that is there in both forms is read in that which was there first.
    let plain = Set(all.filter { RecordingName.recording($0) == $0 })
    let recordings = all.filter { name in
      RecordingName.recording(name).map { $0 == name || !plain.contains($0) } ?? false
    }
    if recordings.isEmpty {
      throw Failure(.noInput, "\(folder) has no recording (\(patterns))")
    }
    return recordings.map { (number: RecordingName.number(of: $0) ?? 0, name: $0) }
      .sorted { one, other in
        one.number != other.number
          ? one.number < other.number : one.name.lexicographicallyPrecedes(other.name)
      }
      .map { folder.appending($0.name) }
  }
}

extension RecordingFolder {
  private static let patterns = "*\(RecordingName.ending), *\(RecordingName.compressedEnding)"

  /// Returns messages about the files of a folder that look like recordings and are not read, in the order
  /// of their names.
  package static func omissions(in folder: FilePath) -> [String] {
    let others = (FolderEntries(of: folder)?.names ?? []).filter {
      RecordingName.recording($0) == nil && RecordingName(unfinished: $0) == nil
    }
    return others.sorted { $0.lexicographicallyPrecedes($1) }.compactMap { name in
      let path = folder.appending(name)
      // A pipe would have to be waited for.
      guard path.fileType == S_IFREG, let file = try? RecordingFile(path: path) else { return nil }
      return omission(of: file, at: path).map { "\(path) is left out: \($0)" }
    }
  }

  /// Returns why a file is not read, and what to do; `nil` if it does not look like a recording.
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
      "its name ends in neither \(RecordingName.ending) nor \(RecordingName.compressedEnding). "
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
  /// Whether the path is that of a folder, or can only be one.
  package var isFolder: Bool { bytes.last == UInt8(ascii: "/") || fileType == S_IFDIR }

  /// Creates the folder. Returns the system's error number, 0 if there was none.
  package func makeFolder() -> CInt {
    unsafe withCString { unsafe mkdir($0, 0o755) == 0 ? 0 : errno }
  }

  /// Creates the folder if it does not exist.
  ///
  /// - Parameter mode: What has to be allowed in a folder that exists, as for access(2).
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

/// How far a ``Recorder`` has come in its folder.
struct FolderProgress {
  /// How long to wait after an error before the next try.
  static let retryInterval = Duration.seconds(1)

  let folder: RecordingFolder
  /// When the current file began; `nil` while there is none.
  var start: Moment?
  /// The moment of the last lines.
  var latest = Moment.past
  /// When to try again; `nil` if there was no error.
  var retry: Moment?
  /// When the upkeep of the folder last ran, and the size of the current file then.
  var upkeep = (moment: Moment.past, size: 0)
}
