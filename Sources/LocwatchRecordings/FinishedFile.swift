import GPSDLocation
import Glibc
import LocationCore
import LocwatchSystem

/// The file of a complete recording.
struct FinishedFile {
  private static let piece = 64 * 1024

  private let file: Descriptor
  private let path: FilePath
  private var status = stat()

  /// Returns `nil` if there is no such file.
  init?(_ path: FilePath) {
    guard let file = path.opened(), unsafe fstat(file.number, &status) == 0 else { return nil }
    self.file = file
    self.path = path
  }

  /// Whether the path still leads to this file, with the contents that it had.
  var isUnchanged: Bool {
    guard let now = path.ownStatus else { return false }
    return now.st_dev == status.st_dev && now.st_ino == status.st_ino
      && now.st_size == status.st_size
      && now.modified == status.modified
  }

  /// Returns whether the file begins with all that another one contains, decompressed. One that does not exist
  /// contains nothing, and a folder cannot be replaced.
  func contains(contentsOf other: FilePath) -> Bool {
    if [0, S_IFDIR].contains(other.fileType) { return true }
    guard let file = try? RecordingFile(path: other) else { return false }
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
      used = max(0, unsafe pread(file.number, buffer.baseAddress, buffer.count, offset))
    }
  }

  /// Compresses the file. Returns `false` if the file has changed in the meantime.
  func compress(_ span: RecordedSpan, into output: Descriptor) throws(OutputError) -> Bool {
    let fields = span.extraField + span.sourceField(ofSize: status.st_size)
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

extension FilePath {
  /// Opens the file, but not one that a link leads to; `nil` with the reason in errno if that fails.
  func opened(_ flags: CInt = O_RDONLY) -> Descriptor? {
    let number = unsafe withCString {
      unsafe open($0, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, Descriptor.ownMode)
    }
    return number < 0 ? nil : Descriptor(number, path: description, isOwned: true)
  }
}
