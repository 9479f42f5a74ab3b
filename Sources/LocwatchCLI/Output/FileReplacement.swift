import GPSDLocation
import Glibc
import LocationFormats

extension FilePath {
  /// Replaces the file as a whole: nobody ever reads half of it. What is not a regular file, such as
  /// a pipe, is written to instead.
  func replaceContents(
    _ write: (Descriptor) throws(OutputError) -> Void
  ) throws(OutputError) {
    guard [0, S_IFREG].contains(fileType) else { return try write(Descriptor(appendingTo: self)) }
    // Not interpolated: that would load the standard library's conversion of integers, 140 KB.
    var ending = TextBuffer()
    ending.append(text: ".")
    ending.append(integer: Int(getpid()))
    ending.append(text: ".new")
    let new = FilePath(bytes: bytes + ending.bytes)
    do throws(OutputError) {
      try write(Descriptor(creating: new, inPlaceOf: self))
      try new.rename(to: self)
    } catch {
      new.remove()
      throw error
    }
  }

  /// Replaces the file by a text.
  ///
  /// - Parameter isOver: Whether to give up a reader that is behind, if the file is a pipe.
  func replaceContents(
    with text: TextBuffer, unless isOver: () -> Bool = { false }
  ) throws(OutputError) {
    try replaceContents { output throws(OutputError) in
      try output.writeText(text, unless: isOver)
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
