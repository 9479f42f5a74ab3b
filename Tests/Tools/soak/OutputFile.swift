import Foundation

/// The file that a command writes its records to. It is removed with its last reference.
final class OutputFile {
  let path = FileManager.default.temporaryDirectory.path + "/locwatch-soak-\(UUID().uuidString)"

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Whether a text is in the last 4 KB.
  func ends(with text: String) throws -> Bool {
    let handle = try FileHandle(forReadingFrom: URL(filePath: path))
    defer { try? handle.close() }
    let length = try handle.seekToEnd()
    try handle.seek(toOffset: length > 4096 ? length - 4096 : 0)
    return String(decoding: try handle.readToEnd() ?? Data(), as: UTF8.self).contains(text)
  }

  /// How many of these seconds have their one fix, in order.
  func fixes(of seconds: Int) throws -> Int {
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    var next = 0
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      guard line.starts(with: #"{"type":"fix""#.utf8) else { continue }
      let time = #""time":"\#(DayOfReports.time(of: next))""#
      guard next < seconds, String(decoding: line, as: UTF8.self).contains(time) else {
        return next
      }
      next += 1
    }
    return next
  }
}
