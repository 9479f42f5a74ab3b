import GPSDLocation
import Glibc
import LocationCore
import LocationFormats

/// A folder of recordings that follow each other as one. Each is named by its first moment, such as
/// `2026-11-20T070450.120Z.jsonl`, so that the order of the names is that of the files.
struct RecordingFolder: Sendable {
  /// When another file begins.
  enum Rotation: Equatable, Sendable {
    /// With each day of UTC.
    case daily
    case every(Duration)
    /// With so many bytes.
    case size(Int)
  }

  private static let ending = ".jsonl"

  let path: FilePath
  let rotation: Rotation

  /// Creates the folder if it does not exist.
  init(_ path: FilePath, rotation: Rotation) throws(OutputError) {
    self.path = path
    self.rotation = rotation
    let code = unsafe path.withCString { path in
      unsafe mkdir(path, 0o755) == 0 || errno == EEXIST && access(path, W_OK | X_OK) == 0
        ? 0 : errno
    }
    guard code == 0, path.fileType == S_IFDIR else {
      let reason = systemText(code == 0 || code == EEXIST ? ENOTDIR : code)
      throw .cannotCreate(path: path.description, reason: reason)
    }
  }

  /// Returns whether another file begins before the lines of a moment.
  ///
  /// - Parameters:
  ///   - start: When the current file began.
  ///   - size: The size of the current file, in bytes.
  func beginsFile(at moment: Moment, after start: Moment, size: Int) -> Bool {
    switch rotation {
    case .daily: start.wall?.day != moment.wall?.day
    case .every(let duration): start.duration(to: moment) >= duration
    case .size(let maximum): size >= maximum
    }
  }

  /// Creates the file for the lines from a moment on. If there is one of this name, the new one has
  /// the next millisecond that is free.
  func createFile(at moment: Moment) throws(OutputError) -> Descriptor {
    var time = moment.wall ?? .now
    while true {
      let file = FilePath(bytes: path.bytes + "/\(Self.name(for: time))".utf8)
      if file.fileType == 0 { return try Descriptor(creating: file) }
      time = time.advanced(by: .milliseconds(1))
    }
  }

  private static func name(for time: Timestamp) -> String {
    var text = TextBuffer()
    text.append(milliseconds: time)
    return text.string.filter { $0 != ":" } + ending
  }

  /// Returns the recordings in a folder, in their order.
  static func files(in folder: FilePath) throws(Failure) -> [FilePath] {
    guard let directory = unsafe folder.withCString({ unsafe opendir($0) }) else {
      throw Failure(.noInput, "\(folder): \(systemText(errno))")
    }
    defer { unsafe closedir(directory) }
    var names: [[UInt8]] = []
    while let entry = unsafe readdir(directory) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) {
        unsafe Array($0.prefix { $0 != 0 })
      }
      if name.suffix(ending.utf8.count).elementsEqual(ending.utf8) { names.append(name) }
    }
    names.sort { $0.lexicographicallyPrecedes($1) }
    if names.isEmpty { throw Failure(.noInput, "\(folder) has no recording (*\(ending))") }
    return names.map { FilePath(bytes: folder.bytes + [UInt8(ascii: "/")] + $0) }
  }
}

extension Timestamp {
  fileprivate var day: Int64 { secondsSince1970.dividedDown(by: 86_400).quotient }
}

extension FilePath {
  /// Whether the path is that of a folder, or can only be one.
  var isFolder: Bool { bytes.last == UInt8(ascii: "/") || fileType == S_IFDIR }
}
