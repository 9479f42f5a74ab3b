package import Foundation
import TestSupport

/// What gpsd reports of the logs of real receivers, which its authors test it with. `make receivers` makes the
/// recordings; they are third-party data, and not part of the project.
package enum Recordings {
  package static let whySkipped: String =
    "there are no recordings of real receivers: 'make receivers' makes them"

  /// The folder in `LOCWATCH_RECEIVERS`, or else that of `make receivers`; `nil` without recordings.
  package static let folder: URL? = {
    let given = ProcessInfo.processInfo.environment["LOCWATCH_RECEIVERS"]
    let made = URL(filePath: #filePath).appending(path: "../../../../.build/receivers").standardized
    let folder = given.map { URL(filePath: $0) } ?? made
    return FileManager.default.fileExists(atPath: folder.appending(path: "json").path)
      ? folder : nil
  }()

  /// All recordings, in an order that is the same everywhere.
  package static var files: [URL] { files(in: "json", withExtension: "jsonl") }

  /// What each receiver sent, in the same order.
  package static var logs: [URL] { files(in: "log", withExtension: "log") }

  private static func files(in name: String, withExtension suffix: String) -> [URL] {
    guard let folder = folder?.appending(path: name) else { return [] }
    let files = try? FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil)
    return (files ?? []).filter { $0.pathExtension == suffix }.sorted { $0.path < $1.path }
  }

  /// One of each `step` files; outside a release build, one of four times as many.
  package static func files(every step: Int) -> [URL] {
    let step = isReleaseBuild ? step : 4 * step
    return stride(from: 0, to: files.count, by: step).map { files[$0] }
  }

  /// The release of gpsd that made the recordings, such as `3.22`.
  package static var release: String {
    get throws {
      struct Version: Decodable {
        let release: String
      }
      let first = try files.first.flatMap { try lines(of: $0).first } ?? []
      return try JSONDecoder().decode(Version.self, from: Data(first)).release
    }
  }

  /// The lines of a file, line ends included.
  package static func lines(of file: URL) throws -> [ArraySlice<UInt8>] {
    let bytes = [UInt8](try Data(contentsOf: file))
    var lines: [ArraySlice<UInt8>] = []
    var start = 0
    for (index, byte) in bytes.enumerated() where byte == 0x0A {
      lines.append(bytes[start...index])
      start = index + 1
    }
    return lines
  }
}
