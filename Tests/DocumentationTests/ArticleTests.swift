import Testing

/// Articles hold no code that is not compiled: each block is a region of a file in `Snippets`. Manifests and the
/// code of Sources/Library.md are compiled in packages of their own, by `make check-products`.
@Suite struct `Articles` {
  private static let paths = Package.modules.flatMap {
    Package.files(in: "Sources/\($0)", withExtension: "md")
  }

  private static func snippets() throws -> [CodeBlock] {
    try Package.files(in: "Tests/DocumentationTests/Snippets", withExtension: "swift")
      .flatMap { CodeBlock.all(inSnippets: try Package.text(of: $0)) }
  }

  @Test(arguments: paths) func `show code that is compiled`(path: String) throws {
    let snippets = Set(try Self.snippets().map(\.lines))
    for block in CodeBlock.all(inMarkdown: try Package.text(of: path)) {
      let isManifest = block.name.hasPrefix("// swift-tools-version")
      let isCompiled = isManifest || snippets.contains(block.lines)
      #expect(isCompiled, "\(block.lines.joined(separator: "\n"))")
    }
  }

  @Test func `show all code that is compiled for them`() throws {
    let shown = Set(
      try Self.paths.flatMap { CodeBlock.all(inMarkdown: try Package.text(of: $0)) }.map(\.lines))
    #expect(try Self.snippets().filter { !shown.contains($0.lines) }.map(\.name) == [])
  }
}
