import Foundation

/// A file, or a name for one, that is removed when nobody refers to it.
final class TemporaryFile {
  let path = "/tmp/locwatch-\(UUID().uuidString)"

  init(_ bytes: [UInt8]? = nil) throws {
    if let bytes { try Data(bytes).write(to: URL(filePath: path)) }
  }

  convenience init(lines: [String]) throws {
    try self.init(Array(lines.map { "\($0)\r\n" }.joined().utf8))
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  var bytes: [UInt8] { (try? Data(contentsOf: URL(filePath: path))).map(Array.init) ?? [] }

  var text: String { String(decoding: bytes, as: UTF8.self) }
}
