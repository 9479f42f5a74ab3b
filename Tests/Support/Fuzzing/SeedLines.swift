import Foundation

/// Lines that a gpsd did send: the project's own recordings.
package enum SeedLines {
  package static func load() throws -> [[UInt8]] {
    let root = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let files = try FileManager.default.contentsOfDirectory(
      at: root.appending(path: "Fixtures"), includingPropertiesForKeys: nil)
    return try files.filter { $0.pathExtension == "jsonl" }.sorted { $0.path < $1.path }
      .flatMap { [UInt8](try Data(contentsOf: $0)).split(separator: UInt8(ascii: "\n")) }
      .map { Array($0.last == UInt8(ascii: "\r") ? $0.dropLast() : $0) }
  }
}
