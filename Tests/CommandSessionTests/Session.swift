import Foundation
import Synchronization
import Testing

/// A session of the command, as a text. README.md describes its form.
struct Session: CustomTestStringConvertible, Sendable {
  /// What there is before the command runs, or what happens while it runs.
  struct Input {
    enum Kind: String { case file, gpsd, machine, user }

    var kind: Kind
    /// Of a file or a gpsd.
    var name: String
    var lines: [String] = []
  }

  /// A command line, and the lines that it is expected to write.
  struct Command {
    var line: String
    var expected: [String] = []
  }

  /// The file, without its ending.
  let file: String
  let rule: String
  private(set) var inputs: [Input]
  private(set) var commands: [Command] = []
  /// Lines that cannot be understood.
  private(set) var mistakes: [String] = []

  var testDescription: String { "\(file): \(rule)" }

  /// Whether it may contain wrong command lines.
  var isAboutUsage: Bool { file == "usage" }

  /// Changes the machine for the commands that follow.
  mutating func changeMachine(_ line: String) {
    inputs.append(Input(kind: .machine, name: "", lines: [line]))
  }

  func lines(of kind: Input.Kind) -> [String] { inputs.filter { $0.kind == kind }.flatMap(\.lines) }
}

// MARK: - Reading and writing texts

extension Session {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Sessions")
  private static let ending = ".session"
  private static let indentation = "  "

  /// The sessions of all texts.
  static let all: [Session] =
    (try? FileManager.default.contentsOfDirectory(atPath: folder.path))?.sorted()
    .filter { $0.hasSuffix(ending) }.flatMap { read(String($0.dropLast(ending.count))) } ?? []

  private static func path(of file: String) -> URL { folder.appending(path: file + ending) }

  /// Returns the sessions of a text. The inputs before the first one belong to each of them.
  private static func read(_ file: String) -> [Session] {
    let text = (try? String(contentsOf: path(of: file), encoding: .utf8)) ?? ""
    var sessions = [Session(file: file, rule: "", inputs: [])]
    for line in text.split(separator: "\n").map(String.init) where !line.hasPrefix("#") {
      guard line.hasPrefix("== ") else {
        sessions[sessions.count - 1].add(line)
        continue
      }
      let rule = String(line.dropFirst(3))
      let isDuplicate = sessions.contains { $0.rule == rule }
      sessions.append(Session(file: file, rule: rule, inputs: sessions[0].inputs))
      if isDuplicate { sessions[sessions.count - 1].mistakes = ["there are two of this rule"] }
    }
    return Array(sessions.dropFirst())
  }

  private mutating func add(_ line: String) {
    if line.hasPrefix("$ ") {
      commands.append(Command(line: String(line.dropFirst(2))))
    } else if line.hasPrefix(Self.indentation) {
      let content = String(line.dropFirst(Self.indentation.count))
      if !commands.isEmpty {
        commands[commands.count - 1].expected.append(content)
      } else if !inputs.isEmpty {
        inputs[inputs.count - 1].lines.append(content)
      } else {
        mistakes.append(line)
      }
    } else {
      let words = line.split(separator: " ", maxSplits: 1).map(String.init)
      guard let kind = Input.Kind(rawValue: words[0]), commands.isEmpty else {
        return mistakes.append(line)
      }
      let input = Input(kind: kind, name: words.count > 1 ? words[1] : "")
      // A session's own input replaces that of all, but a machine is changed by it.
      inputs.removeAll { $0.kind == input.kind && $0.name == input.name && kind != .machine }
      inputs.append(input)
    }
  }

  /// Writes what came out of its commands into the text.
  func approve(_ outputs: [[String]]) throws {
    try Self.writing.withLock { _ in
      var lines: [String] = []
      var (isThis, count) = (false, 0)
      let text = try String(contentsOf: Self.path(of: file), encoding: .utf8)
      for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
        if line.hasPrefix("== ") { isThis = line.dropFirst(3) == rule }
        if isThis, count > 0, line.hasPrefix(Self.indentation) { continue }
        lines.append(line)
        guard isThis, line.hasPrefix("$ ") else { continue }
        lines += outputs[count].map { Self.indentation + $0 }
        count += 1
      }
      try Data(lines.joined(separator: "\n").utf8).write(to: Self.path(of: file))
    }
  }

  /// Sessions of the same text end at the same time.
  private static let writing = Mutex(())
}
