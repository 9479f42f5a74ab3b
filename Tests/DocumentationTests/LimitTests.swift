import Foundation
import Testing

/// Sources/Limits.md has a row for each limit of the code. `make api` writes it.
@Suite struct `The list of limits` {
  /// A constant of the code, with what its doc comment says.
  private struct Limit {
    var type: String
    var name: String
    var value: String
    var meaning: String

    var row: String { "| `\(type).\(name)` | `\(value)` | \(meaning) |" }
  }

  private static let path = "Sources/Limits.md"
  private static let head = """
    # Limits

    What is received, read or kept has a limit. Each is a constant, and this list is made of their doc comments by
    `make api`. [Security.md](Security.md) has times, too.

    | limit | is | meaning |
    | --- | --- | --- |

    """

  private static func limits() throws -> [Limit] {
    try Package.files(in: "Sources", withExtension: "swift").flatMap { path in
      let file = path.split(separator: "/").last?.split(separator: ".").first ?? ""
      let lines = try Package.text(of: path).split(
        separator: "\n", omittingEmptySubsequences: false)
      return lines.indices.compactMap { number -> Limit? in
        // A regular expression on each line would take 15 s.
        guard lines[number].contains("static let maximum"),
          let match = lines[number].firstMatch(of: /static let (maximum\w*)(?:: \w+)? = (.+)/)
        else { return nil }
        let comment = lines[..<number].reversed().map { $0.drop { $0 == " " } }
          .prefix { $0.hasPrefix("///") }.reversed().map { $0.dropFirst(4) }
        return Limit(
          type: String(file), name: String(match.1), value: String(match.2),
          meaning: comment.joined(separator: " "))
      }
    }
  }

  @Test func `matches the code`() throws {
    let limits = try Self.limits()
    #expect(limits.filter(\.meaning.isEmpty).map { "\($0.type).\($0.name)" } == [], "undocumented")
    let text = Self.head + limits.map(\.row).joined(separator: "\n") + "\n"
    if ProcessInfo.processInfo.environment["LOCWATCH_WRITE_API"] != nil {
      try text.write(
        to: Package.root.appending(path: Self.path), atomically: true, encoding: .utf8)
    }
    #expect(try Package.text(of: Self.path) == text, "'make api' writes it")
  }
}
