import GPSDLocation
import Glibc
import LocationCore
import LocwatchSystem

/// A file that no process is recording to. No process begins to record to it while this value exists.
struct FinishedFile: ~Copyable {
  private static let piece = 64 * 1024

  private let number: CInt
  private let path: FilePath
  /// The size in bytes.
  private(set) var size = 0

  /// Returns `nil` if the file is being written or does not exist.
  init?(_ path: FilePath) {
    self.path = path
    number = unsafe path.withCString {
      unsafe open($0, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
    }
    guard number >= 0 else { return nil }
    var status = stat()
    // Only a process that is writing the file can prevent a read lock. Another process may have removed the
    // file in the meantime.
    guard number.setLock(F_RDLCK), unsafe fstat(number, &status) == 0, status.st_nlink > 0 else {
      return nil
    }
    size = status.st_size
  }

  // This also runs if the initializer returns `nil`.
  deinit { number.closeUnlocked() }

  /// Compresses the file. Returns `false` if the file has changed in the meantime.
  func compress(_ span: RecordedSpan, into output: Descriptor) throws(OutputError) -> Bool {
    let fields = span.extraField + span.sourceField(ofSize: self.size)
    guard var deflater = Deflater(extra: fields) else {
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

/// A lock on a folder, for the one process that may keep the folder in order. Other users cannot take it.
struct FolderLock: ~Copyable {
  private let number: CInt

  /// Whether the file of the lock is open. On a full disk, it cannot always be created.
  let isHeld: Bool

  /// - Returns: `nil` if another process holds the lock.
  /// - Throws: ``OutputError`` if the lock cannot be created, for example because its file belongs to another
  ///   user.
  init?(_ folder: FilePath) throws(OutputError) {
    let path = folder.appending(Array(".locwatch.lock".utf8))
    number = unsafe path.withCString {
      unsafe open($0, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0o600)
    }
    let code = errno
    isHeld = number >= 0
    guard isHeld || [ENOSPC, EDQUOT].contains(code) else {
      throw .cannotCreate(path: path.description, reason: systemText(code))
    }
    if !number.setLock(F_WRLCK), [EAGAIN, EACCES].contains(errno) { return nil }
  }

  // This also runs if the initializer throws or returns `nil`.
  deinit { number.closeUnlocked() }
}

extension CInt {
  /// Unlocks and closes a file. It does nothing if the number is negative.
  ///
  /// If the file were only closed, a child process that is being started could keep the lock: until it runs
  /// its program, it has copies of all descriptors.
  fileprivate func closeUnlocked() {
    guard self >= 0 else { return }
    _ = setLock(F_UNLCK)
    _ = close(self)
  }
}
