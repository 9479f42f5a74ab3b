import Glibc
import LocationCore
import LocwatchSystem

/// The file of a recording in a folder while it is incomplete: its name ends in `.part`.
///
/// Its writer holds a lock as of flock(2), which ends with the process, so other runs notice that a crash left the file.
/// `flock -n FILE true` shows the same in a shell.
struct PartFile {
  /// The number of names that are tried if other files have them.
  private static let maximumTries = 1000

  let folder: FilePath
  let name: RecordingName

  /// Creates and locks the file of a recording, which gets this name or, if another file has it, the next number.
  static func create(
    _ name: RecordingName, in folder: FilePath
  ) throws(OutputError) -> (file: PartFile, descriptor: Descriptor) {
    for name in freeNames(from: name, in: folder) {
      let file = PartFile(folder: folder, name: name)
      guard let descriptor = try Descriptor(creating: file.path, appends: true) else { continue }
      let isLocked = flock(descriptor.number, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK
      // Before it was locked, another run may have completed it as abandoned.
      if isLocked, FileIdentity(of: file.path) == FileIdentity(of: descriptor.number) {
        return (file, descriptor)
      }
    }
    throw .cannotCreate(path: "\(folder.appending(name.plain))", reason: systemText(EEXIST))
  }

  /// Gives the file the name of a complete recording or, if another file has it, the next number. It does nothing if
  /// somebody has moved the file.
  ///
  /// - Returns: The name of the complete recording.
  func complete() throws(OutputError) -> RecordingName {
    for name in Self.freeNames(from: name, in: folder) {
      if path.ownStatus == nil { return name }
      if try path.rename(toNew: folder.appending(name.plain)) { return name }
    }
    throw .cannotCreate(path: "\(folder.appending(name.plain))", reason: systemText(EEXIST))
  }

  /// Completes the file as ``complete()`` does; returns `nil` if it is being written, or belongs to another user, or if
  /// its file system has no such locks.
  func completeIfAbandoned() throws(OutputError) -> RecordingName? {
    // On NFS, only a shared lock needs no file that is open for writing.
    guard let file = path.opened(), flock(file.number, LOCK_SH | LOCK_NB) == 0 else { return nil }
    // A child process that is being started has copies of all descriptors until it runs its program.
    defer { _ = flock(file.number, LOCK_UN) }
    return try complete()
  }

  private var path: FilePath { folder.appending(name.file(.part)) }

  /// The names from one on whose numbers follow each other, except those of complete recordings.
  private static func freeNames(
    from name: RecordingName, in folder: FilePath
  ) -> some Sequence<RecordingName> {
    (name.number..<name.number + maximumTries).lazy
      .map { RecordingName(number: $0, start: name.start) }
      .filter { [$0.plain, $0.compressed].allSatisfy { folder.appending($0).ownStatus == nil } }
  }
}
