import Testing

/// Articles hold no code that is not compiled: each block is a region of a file in `Snippets`. The
/// code of Sources/Library.md is compiled in packages of its own, by `make check-products`, and a manifest in
/// an article is the one shown there.
@Suite struct `Articles` {
  private static let paths = Package.modules.flatMap {
    Package.files(in: "Sources/\($0)", withExtension: "md")
  }

  private static func snippets() throws -> [CodeBlock] {
    try Package.files(in: "Tests/DocumentationTests/Snippets", withExtension: "swift")
      .flatMap { CodeBlock.all(inSnippets: try Package.text(of: $0)) }
  }

  @Test(arguments: paths) func `show code that is compiled`(path: String) throws {
    let manifest = CodeBlock.all(inMarkdown: try Package.text(of: "Sources/Library.md"))
      .first { $0.name.hasPrefix("// swift-tools-version") }
    let snippets = Set(try (Self.snippets() + [#require(manifest)]).map(\.lines))
    for block in CodeBlock.all(inMarkdown: try Package.text(of: path)) {
      let isCompiled = snippets.contains(block.lines)
      #expect(isCompiled, "\(block.lines.joined(separator: "\n"))")
    }
  }

  @Test func `show all code that is compiled for them`() throws {
    let shown = Set(
      try Self.paths.flatMap { CodeBlock.all(inMarkdown: try Package.text(of: $0)) }.map(\.lines))
    #expect(try Self.snippets().filter { !shown.contains($0.lines) }.map(\.name) == [])
  }
}
