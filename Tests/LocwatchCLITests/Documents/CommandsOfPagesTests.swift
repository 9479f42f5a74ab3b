import Foundation
import LocationCore
import TestSupport
import Testing

@testable import LocwatchCLI
@testable import LocwatchSystem

/// The command lines that the README and the manual page show.
@Suite struct `A command line that documents show` {
  private static let readme = {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../README.md")
    return (try? String(contentsOf: file, encoding: .utf8)) ?? ""
  }()

  /// The blocks between fences, with the language of each.
  private static let blocks: [(language: String, lines: [String])] = {
    readme.components(separatedBy: "```").enumerated()
      .filter { !$0.offset.isMultiple(of: 2) }
      .map { block in
        let lines = block.element.components(separatedBy: "\n")
        return (lines[0], Array(lines.dropFirst()))
      }
  }()

  /// The commands in a line of a shell, each up to what ends it.
  private static func commands(in line: String) -> [String] {
    line.components(separatedBy: "locwatch ").dropFirst()
      .map { rest in
        String(rest.prefix { !"|>#);".contains($0) }).trimmingCharacters(in: .whitespaces)
      }
  }

  /// The commands of the README, in blocks and in the text.
  private static let shown: [String] = {
    let shells = blocks.filter { ["sh", ""].contains($0.language) }.flatMap(\.lines)
      .filter { !$0.hasPrefix("locwatch:") && !$0.hasPrefix("-") }
    let indented = readme.components(separatedBy: "\n").filter { $0.hasPrefix("    locwatch ") }
    let inline = readme.components(separatedBy: "```").enumerated()
      .filter { $0.offset.isMultiple(of: 2) }
      .flatMap { text in
        text.element.components(separatedBy: "`").enumerated()
          .filter { !$0.offset.isMultiple(of: 2) }.map(\.element)
      }
    // An option without its value is only named.
    let options = inline.filter { $0.hasPrefix("--") && $0.contains(" ") }
    let examples = ManualText.examples.filter { $0.contains("locwatch ") }
    let named = inline.filter { $0.hasPrefix("locwatch ") }
    return (shells + indented + named + examples).flatMap(commands) + options
  }()

  /// Splits a line at blanks, but not within quotation marks.
  private static func words(of command: String) -> [String] {
    var words: [String] = []
    for (index, part) in command.components(separatedBy: "'").enumerated() {
      if index.isMultiple(of: 2) {
        words += part.split(separator: " ").map(String.init)
      } else {
        words.append(part)
      }
    }
    return words
  }

  @Test func `is found`() {
    #expect(Self.shown.count > 25)
    #expect(ManualText.examples.count > 15)
    #expect(Self.shown.contains("bow=10.0.0.1 stern=10.0.0.2"))
    #expect(Self.shown.contains("--json --no-events --count 1"))
    #expect(Self.shown.contains("--record days/ --keep 30d"))
  }

  @Test(arguments: shown) func `is a valid one`(command: String) throws {
    _ = try Options(arguments: Self.words(of: command), environment: [:])
  }

  @Test(arguments: blocks.filter { $0.language == "sh" }.map { $0.lines.joined(separator: "\n") })
  func `is a script for any shell`(script: String) throws {
    try expectNoComplaint(of: script)
  }

  @Test(arguments: ManualText.examples)
  func `is an example for any shell`(command: String) throws {
    try expectNoComplaint(of: command)
  }

  private func expectNoComplaint(of script: String) throws {
    #expect(try ProgramOutput(of: "/bin/sh", ["-n", "-c", script]).errors == "")
  }
}
