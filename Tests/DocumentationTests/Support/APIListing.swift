/// The public surface of a module as text: a line for each symbol, and one for what each type conforms to.
struct APIListing {
  /// Every type has them, or has them by another that it conforms to.
  private static let implied: Set = ["Copyable", "Escapable", "SendableMetatype", "Equatable"]
  /// The members by which a type conforms to the protocols of the standard library.
  private static let members: Set = [
    "init(from:)", "encode(to:)", "description", "debugDescription", "hash(into:)", "==(_:_:)",
    "<(_:_:)",
  ]

  let lines: [String]

  init(_ graphs: [SymbolGraph]) {
    var lines: Set<String> = []
    var conformances: [String: Set<String>] = [:]
    for graph in graphs {
      var paths = Dictionary(
        graph.symbols.map { ($0.identifier.precise, $0.path) },
        uniquingKeysWith: { first, _ in first })
      // A type of another module is named only in the paths of the members that this one adds.
      for relationship in graph.relationships where relationship.kind == "memberOf" {
        guard paths[relationship.target] == nil, let member = paths[relationship.source],
          let dot = member.lastIndex(of: ".")
        else { continue }
        paths[relationship.target] = String(member[..<dot])
      }
      for symbol in graph.symbols where !Self.members.contains(symbol.pathComponents.last ?? "") {
        lines.insert("\(symbol.path)  \(symbol.declaration)")
      }
      for relationship in graph.relationships where relationship.kind == "conformsTo" {
        let path = paths[relationship.source] ?? relationship.source
        guard let target = paths[relationship.target] ?? relationship.targetFallback else {
          continue
        }
        conformances[path, default: []].insert(target.replacing("Swift.", with: ""))
      }
    }
    for (path, names) in conformances {
      let isEquatableAlone = !names.contains("Hashable") && names.contains("Equatable")
      let coding: Set = ["Decodable", "Encodable"]
      let names = coding.isSubset(of: names) ? names.subtracting(coding).union(["Codable"]) : names
      let told = names.subtracting(Self.implied).union(isEquatableAlone ? ["Equatable"] : [])
      if !told.isEmpty { lines.insert("\(path): \(told.sorted().joined(separator: ", "))") }
    }
    self.lines = lines.sorted()
  }

  var text: String { lines.map { $0 + "\n" }.joined() }
}
