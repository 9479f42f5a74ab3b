/// The public surface of a module as text: a line for each symbol, and for each conformance.
struct APIListing {
  /// Every type has them.
  private static let implied: Set = ["Swift.Copyable", "Swift.Escapable", "Swift.SendableMetatype"]

  let lines: [String]

  init(_ graphs: [SymbolGraph]) {
    var lines: Set<String> = []
    for graph in graphs {
      let paths = Dictionary(
        graph.symbols.map { ($0.identifier.precise, $0.path) },
        uniquingKeysWith: { first, _ in first })
      for symbol in graph.symbols { lines.insert("\(symbol.path)  \(symbol.declaration)") }
      for relationship in graph.relationships where relationship.kind == "conformsTo" {
        // A type of another module is known by its mangled name alone.
        let path = paths[relationship.source] ?? relationship.source
        guard let target = paths[relationship.target] ?? relationship.targetFallback,
          !Self.implied.contains(target)
        else { continue }
        lines.insert("\(path): \(target)")
      }
    }
    self.lines = lines.sorted()
  }

  var text: String { lines.map { $0 + "\n" }.joined() }
}
