import Testing

/// The way of a report, in Sources/README.md, leads to what is there.
@Suite struct `The way of a report` {
  /// A row of it: what happens, and where it is written.
  struct Step: CustomTestStringConvertible {
    var name: String
    var file: String

    var testDescription: String { name }

    /// - Parameter row: A row of a table: `name`, `file`, and what happens.
    init?(row: Substring) {
      let cells = row.split(separator: "`", omittingEmptySubsequences: false)
      guard row.hasPrefix("| `"), cells.count >= 5, cells[2] == " | " else { return nil }
      (name, file) = (String(cells[1]), String(cells[3]))
    }
  }

  @Test func `names what its files contain`() throws {
    let text = try Package.text(of: "Sources/README.md")
    let start = try #require(text.firstRange(of: "## The way of a report"))
    let rest = text[start.upperBound...]
    let section = rest[..<(rest.firstRange(of: "\n## ")?.lowerBound ?? rest.endIndex)]
    let rows = section.split(separator: "\n").filter { $0.hasPrefix("| ") }
    let steps = rows.compactMap { Step(row: $0) }
    // All but the two lines of the head.
    #expect(steps.count == rows.count - 2 && steps.count > 5)
    for step in steps {
      let source = try Package.text(of: "Sources/\(step.file)")
      let words = Set(source.split { !($0.isLetter || $0.isNumber || $0 == "_") })
      let missing = step.name.split(separator: ".").filter { !words.contains($0) }
      #expect(missing.isEmpty, "\(step.name) in \(step.file)")
    }
  }
}
