import DaemonHarness
import Foundation

/// The public symbols of a module, as the compiler lists them.
struct SymbolGraph: Decodable {
  struct Symbol: Decodable {
    struct Fragment: Decodable { var spelling: String }
    struct Identifier: Decodable { var precise: String }
    struct Comment: Decodable {
      struct Line: Decodable { var text: String }
      var lines: [Line]
    }

    var identifier: Identifier
    var pathComponents: [String]
    var declarationFragments: [Fragment]
    var docComment: Comment?

    var path: String { pathComponents.joined(separator: ".") }

    /// The declaration on one line.
    var declaration: String {
      declarationFragments.map(\.spelling).joined().split { $0.isWhitespace }
        .joined(separator: " ")
    }

    var isDocumented: Bool {
      docComment?.lines.contains { !$0.text.allSatisfy(\.isWhitespace) } ?? false
    }
  }

  struct Relationship: Decodable {
    var kind: String
    var source: String
    var target: String
    var targetFallback: String?
  }

  var symbols: [Symbol]
  var relationships: [Relationship]

  /// The module's own graph, and one for each module that it extends.
  static func all(ofModule module: String) async throws -> [SymbolGraph] {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    // The symbols are those of the build under test.
    let build = URL(filePath: ChildProcess.builtProduct("")).path
    let sources = Package.root.appending(path: "Sources").path
    let extraction = try ChildProcess(
      "swift",
      [
        "symbolgraph-extract", "-module-name", module, "-target", try await target(),
        "-I", "\(build)/Modules", "-minimum-access-level", "public", "-skip-synthesized-members",
        "-Xcc", "-fmodule-map-file=\(sources)/CGPS/module.modulemap",
        "-Xcc", "-fmodule-map-file=\(sources)/CZlib/module.modulemap",
        "-Xcc", "-fmodule-map-file=\(build)/CGPSShims.build/module.modulemap",
        "-Xcc", "-fmodule-map-file=\(build)/CVirtualTime.build/module.modulemap",
        "-output-dir", folder.path,
      ])
    let status = try await extraction.waitForExit(timeout: .seconds(120))
    guard status == .exited(0) else { throw ExtractionFailure(words: extraction.errors.text) }
    return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .map { try JSONDecoder().decode(SymbolGraph.self, from: Data(contentsOf: $0)) }
  }

  private static func target() async throws -> String {
    struct Info: Decodable {
      struct Target: Decodable { var unversionedTriple: String }
      var target: Target
    }
    let info = try ChildProcess("swift", ["-print-target-info"])
    _ = try await info.waitForExit(timeout: .seconds(120))
    return try JSONDecoder().decode(Info.self, from: Data(info.output.text.utf8)).target
      .unversionedTriple
  }
}

struct ExtractionFailure: Error { var words: String }
