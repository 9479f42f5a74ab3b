import Foundation

/// A folder for the files of a round, which are removed with it.
final class FuzzFolder {
  private let folder: URL

  init() throws {
    // In memory, if there is such a folder.
    let memory = URL(filePath: "/dev/shm")
    let parent =
      FileManager.default.isWritableFile(atPath: memory.path)
      ? memory : FileManager.default.temporaryDirectory
    folder = parent.appending(path: "locwatch-fuzz-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func path(_ name: String) -> String { folder.appending(path: name).path }

  func makeFolder(_ name: String) throws {
    try FileManager.default.createDirectory(
      atPath: path(name), withIntermediateDirectories: true)
  }

  func write(_ bytes: [UInt8], to name: String) throws {
    try Data(bytes).write(to: URL(filePath: path(name)))
  }

  /// Returns the contents of a file; nothing if there is none.
  func read(_ name: String) -> [UInt8] {
    FileManager.default.contents(atPath: path(name)).map { [UInt8]($0) } ?? []
  }
}
