import CLinux
package import Glibc
package import LocationCore
package import LocationText

extension FilePath {
  /// Replaces the file atomically, so a reader never sees half of it. The new file has the mode of the old one
  /// and, where that is permitted, its owner. A link stays, and the file that it names is replaced. What
  /// is not a regular file, such as a pipe, is written to instead.
  ///
  /// - Parameter random: Returns a number for the name under which the new file is written.
  ///
  /// - Parameter mode: The mode of a file that did not exist.
  package func replaceContents(
    mode: mode_t = Descriptor.ownMode, random: () -> Int = { .random(in: 0 ... .max) },
    _ write: (Descriptor) throws(OutputError) -> Void
  ) throws(OutputError) {
    guard isReplaceable else { return try write(Descriptor(appendingTo: self)) }
    let file = followingLinks
    let (new, output) = try createReplacement(of: file, mode, random)
    do throws(OutputError) {
      try write(output)
      try new.rename(to: file, inPlaceOf: self)
    } catch {
      new.remove()
      throw error
    }
  }

  /// Replaces the file by a text.
  ///
  /// - Parameters:
  ///   - mode: The mode of a file that did not exist.
  ///   - isOver: Whether to give up a reader that is behind, if the file is a pipe.
  package func replaceContents(
    with text: TextBuffer, mode: mode_t = Descriptor.ownMode, unless isOver: () -> Bool = { false }
  ) throws(OutputError) {
    try replaceContents(mode: mode) { output throws(OutputError) in
      try output.writeText(text, unless: isOver)
    }
  }

  /// Removes a regular file, which takes no room on a full disk.
  package func removeContents() { if isReplaceable { followingLinks.remove() } }

  /// Whether the path names a regular file, or nothing yet.
  package var isReplaceable: Bool { [0, S_IFREG].contains(fileType) }

  /// Creates an empty file beside the one that it replaces. Its name is one of its own: the process that
  /// left another file behind may have had the same number, in a container for example.
  private func createReplacement(
    of file: FilePath, _ mode: mode_t, _ random: () -> Int
  ) throws(OutputError) -> (FilePath, Descriptor) {
    while true {
      // Not interpolated: that would load the standard library's conversion of integers, 140 KB. The
      // name does not contain the file's, which may be as long as names can be.
      var name = TextBuffer()
      name.append(text: ".locwatch-")
      name.append(integer: random())
      name.append(text: ".new")
      let new = file.sibling(name.bytes)
      if let output = try Descriptor(
        creating: new, inPlaceOf: file, named: description, mode: mode)
      {
        return (new, output)
      }
    }
  }

  /// - Parameter given: The path of the file that is replaced, in messages.
  package func rename(to path: FilePath, inPlaceOf given: FilePath) throws(OutputError) {
    let isRenamed = unsafe withCString { old in
      unsafe path.withCString { new in unsafe Glibc.rename(old, new) == 0 }
    }
    guard isRenamed else {
      throw .cannotCreate(path: given.description, reason: systemText(errno))
    }
  }

  /// Renames the file, unless there is one of the new name. Returns `false` if there is.
  package func rename(toNew path: FilePath) throws(OutputError) -> Bool {
    let code = unsafe withCString { old in
      unsafe path.withCString { new in unsafe lw_rename_new(old, new) == 0 ? 0 : errno }
    }
    switch code {
    case 0: return true
    case EEXIST: return false
    // NFS and others cannot do that in one step.
    case EINVAL, ENOSYS:
      if path.ownStatus != nil { return false }
      try rename(to: path, inPlaceOf: path)
      return true
    default: throw .cannotCreate(path: path.description, reason: systemText(code))
    }
  }

  /// Removes the file, if it is there.
  package func remove() { _ = unsafe withCString { unsafe unlink($0) } }
}
