import GPSDLocation
import Glibc
import LocationCore
import LocwatchSystem

/// A file that no locwatch is recording to. None begins to record to it while this value exists.
struct FinishedFile: ~Copyable {
  private static let piece = 64 * 1024
  /// How long a file has to be unchanged where the system does not know who has it open.
  private static let quiet = Nanoseconds.seconds(3600)

  private let number: CInt
  private let path: FilePath
  private var status = stat()

  /// The size in bytes.
  var size: Int { status.st_size }

  /// Returns `nil` if the file is being written or does not exist.
  init?(_ path: FilePath) {
    self.path = path
    number = unsafe path.withCString {
      unsafe open($0, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
    }
    guard number >= 0 else { return nil }
    // Only a process that is writing the file can prevent a read lock. Another process may have removed the
    // file in the meantime.
    guard number.setLock(F_RDLCK), unsafe fstat(number, &status) == 0, status.st_nlink > 0 else {
      return nil
    }
  }

  /// Returns whether a program that knows nothing of these locks may be writing the file.
  func isOpenForWriting(at now: Timestamp = .now) -> Bool {
    let change = Timestamp(secondsSince1970: Int64(status.st_ctim.tv_sec))
    return number.isOpenForWriting() ?? (change.nanoseconds(to: now) < Self.quiet)
  }

  /// Whether the path still leads to this file, with the contents that it had.
  var isUnchanged: Bool {
    guard !isOpenForWriting(), let now = path.ownStatus else { return false }
    return now.st_dev == status.st_dev && now.st_ino == status.st_ino
      && now.st_size == status.st_size
      && now.modified == status.modified
  }

  /// Returns whether the file begins with all that another one contains, decompressed. One that does not exist
  /// contains nothing, and a folder cannot be replaced.
  func contains(contentsOf other: FilePath) -> Bool {
    if [0, S_IFDIR].contains(other.fileType) { return true }
    guard let held = FinishedFile(other), !held.isOpenForWriting(),
      let file = try? RecordingFile(path: other)
    else { return false }
    var end = 0
    while let piece = try? file.nextBytes(upTo: Self.piece) {
      if piece.isEmpty { return !file.isDamaged }
      guard read(piece.count, from: end) == piece else { return false }
      end += piece.count
    }
    return false
  }

  /// Returns the bytes from an offset on, as far as they exist.
  private func read(_ count: Int, from offset: Int) -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, used in
      used = max(0, unsafe pread(number, buffer.baseAddress, buffer.count, offset))
    }
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
      let piece = read(Self.piece, from: size)
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
    guard isUnchanged, status.st_size == size else { return false }
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
    if !number.setLock(F_WRLCK), errno == EAGAIN { return nil }
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
