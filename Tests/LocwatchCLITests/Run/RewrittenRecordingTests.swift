import Foundation
import LocwatchTestSupport
import Testing

@testable import LocwatchSystem

/// Recordings that another program has written again: as long as its JSON says the same, so does the replay.
@Suite(.timeLimit(.minutes(5))) struct `A recording that was written again` {
  private static let fixtures = URL(filePath: #filePath)
    .appending(path: "../../../../Fixtures").standardized
  private static let names =
    ((try? FileManager.default.contentsOfDirectory(atPath: fixtures.path)) ?? [])
    .filter { $0.hasSuffix(".jsonl") }.sorted()

  /// The forms in which programs write JSON.
  enum Form: CaseIterable {
    /// As `jq -c .` does: the shortest form of a number.
    case jq
    /// As Python's `json.dumps` does.
    case python
    /// As `jq -c 'to_entries|reverse|from_entries'` does: the class comes last.
    case reversed
    /// With exponents, and spaces where JSON allows them.
    case unusual

    func apply(to line: String) -> String {
      let members = line.members.map { name, value in (name, number(value)) }
      switch self {
      case .jq: return "{" + members.map { "\($0):\($1)" }.joined(separator: ",") + "}"
      case .python: return "{" + members.map { "\($0): \($1)" }.joined(separator: ", ") + "}"
      case .reversed:
        return "{" + members.reversed().map { "\($0):\($1)" }.joined(separator: ",") + "}"
      case .unusual:
        return " { " + members.map { "\($0) :\t\($1)" }.joined(separator: " , ") + " } "
      }
    }

    private func number(_ value: String) -> String {
      guard let number = Double(value) else { return value }
      switch self {
      case .jq, .reversed:
        // jq keeps the sign of -0.0.
        return number == number.rounded() ? "\(number)".replacing(".0", with: "") : "\(number)"
      case .python: return value.contains(".") ? "\(number)" : value
      case .unusual: return value.contains("e") ? value : "\(value)E+0"
      }
    }
  }

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Replays lines as JSON with a report.
  private func replay(_ lines: [String]) async throws -> (run: CommandRun, report: String?) {
    let file = try folder.write(lines.map { $0 + "\n" }.joined(), to: "recording.jsonl")
    unlink("\(folder.path)/report.json")
    let run = try await CommandRun(
      ["-j", "--replay", file, "--report", "\(folder.path)/report.json", "-v"], in: folder)
    return (run, folder.text(of: "report.json"))
  }

  @Test(arguments: names, Form.allCases)
  func `has the same records and the same report`(name: String, form: Form) async throws {
    let lines = try String(contentsOf: Self.fixtures.appending(path: name), encoding: .utf8)
      .split(whereSeparator: \.isNewline).map(String.init)
    let original = try await replay(lines)
    let other = try await replay(lines.map(form.apply))
    #expect(other.run.output == original.run.output)
    #expect(other.run.messages == original.run.messages)
    #expect(other.run.status == original.run.status)
    #expect(other.report == original.report)
    #expect(original.run.messages.contains { $0.hasPrefix("WATCH reports: ") })
  }
}

extension String {
  /// The members of an object: each name in quotes, and its value.
  fileprivate var members: [(name: String, value: String)] {
    var parts = [""]
    var (depth, isInText, isEscaped) = (0, false, false)
    for character in trimmingCharacters(in: .whitespacesAndNewlines).dropFirst().dropLast() {
      if isInText {
        if character == "\"", !isEscaped { isInText = false }
        isEscaped = character == "\\" && !isEscaped
      } else if depth == 0, character == "," || character == ":" {
        parts.append("")
        continue
      } else if character == "\"" {
        isInText = true
      } else if "[{".contains(character) {
        depth += 1
      } else if "]}".contains(character) {
        depth -= 1
      }
      parts[parts.count - 1].append(character)
    }
    return stride(from: 0, to: parts.count - 1, by: 2).map { (parts[$0], parts[$0 + 1]) }
  }
}
