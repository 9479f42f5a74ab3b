import Foundation

/// This package on the disk.
enum Package {
  static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The modules that users import.
  static let modules = [
    "LocationCore", "GPSDLocation", "LibGPS", "VirtualTime", "LocationTestKit", "GPSDTestKit",
  ]

  static func text(of path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  /// The files of a folder and those below, by their paths from the root.
  static func files(in folder: String, withExtension fileExtension: String) -> [String] {
    let names = FileManager.default.subpaths(atPath: root.appending(path: folder).path) ?? []
    return names.filter { $0.hasSuffix(".\(fileExtension)") }.sorted().map { "\(folder)/\($0)" }
  }
}
