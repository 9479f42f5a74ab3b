import Foundation

/// Writes a file, and removes it when it goes.
final class TemporaryFile {
  let path: String

  init(_ bytes: String) throws {
    path = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).jsonl").path()
    try Data(bytes.utf8).write(to: URL(filePath: path))
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
