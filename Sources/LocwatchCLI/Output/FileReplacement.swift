import GPSDLocation
import Glibc
import LocationFormats

extension FilePath {
  /// Replaces the file as a whole: nobody ever reads half of it. What is not a regular file, such as
  /// a pipe, is written to instead.
  func replaceContents(with text: TextBuffer) throws(OutputError) {
    guard [0, S_IFREG].contains(fileType) else {
      return try Descriptor(appendingTo: self).writeText(text)
    }
    let new = FilePath(bytes: bytes + Array(".\(getpid()).new".utf8))
    do throws(OutputError) {
      try Descriptor(creating: new, inPlaceOf: self).writeText(text)
      try new.rename(to: self)
    } catch {
      new.remove()
      throw error
    }
  }

  private func rename(to path: FilePath) throws(OutputError) {
    let isRenamed = unsafe withCString { old in
      unsafe path.withCString { new in unsafe Glibc.rename(old, new) == 0 }
    }
    guard isRenamed else {
      throw .cannotCreate(path: path.description, reason: systemText(errno))
    }
  }

  private func remove() { _ = unsafe withCString { unsafe unlink($0) } }
}
