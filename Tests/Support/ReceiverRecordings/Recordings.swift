package import Foundation
import TestSupport

/// What gpsd made of 152 real receivers, where it is at hand. It is third-party data and no part of
/// the project.
package enum Recordings {
  package static let whySkipped: String =
    "needs the receiver recordings in ../shared/receivers, or where LOCWATCH_RECEIVERS points"

  /// `nil` where there are none.
  package static let folder: URL? = {
    let places = [
      ProcessInfo.processInfo.environment["LOCWATCH_RECEIVERS"].map { URL(filePath: $0) },
      URL(filePath: #filePath).appending(path: "../../../../../shared/receivers").standardized,
    ]
    return places.compactMap(\.self).first {
      FileManager.default.fileExists(atPath: $0.appending(path: "json").path)
    }
  }()

  /// All files, in an order that is the same everywhere.
  package static var files: [URL] {
    guard let folder else { return [] }
    return ["json", "json-3.27"].flatMap { name in
      let files = try? FileManager.default.contentsOfDirectory(
        at: folder.appending(path: name), includingPropertiesForKeys: nil)
      return (files ?? []).sorted { $0.path < $1.path }
    }
  }

  /// One of each `step` files; without the optimiser, one of four times as many.
  package static func files(every step: Int) -> [URL] {
    let step = isOptimized ? step : 4 * step
    return stride(from: 0, to: files.count, by: step).map { files[$0] }
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
