import Foundation

/// A file, or a name for one, that is removed with its last reference.
package final class TemporaryFile {
  package let path: String

  /// - Parameters:
  ///   - bytes: What is in it; `nil` for no file.
  ///   - ending: The ending of its name.
  package init(_ bytes: [UInt8]? = nil, ending: String = "") throws {
    path = "/tmp/locwatch-\(UUID().uuidString)\(ending)"
    if let bytes { try Data(bytes).write(to: URL(filePath: path)) }
  }

  package convenience init(_ text: String) throws { try self.init(Array(text.utf8)) }

  package convenience init(lines: [String]) throws {
    try self.init(Array(lines.map { "\($0)\r\n" }.joined().utf8))
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  package var bytes: [UInt8] { (try? Data(contentsOf: URL(filePath: path))).map(Array.init) ?? [] }

  package var text: String { String(decoding: bytes, as: UTF8.self) }
}
