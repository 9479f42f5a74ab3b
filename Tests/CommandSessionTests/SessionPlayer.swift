import Foundation
import LocwatchTestSupport
import TestSupport
import Testing

/// Plays all commands of a session, in a folder of their own.
struct SessionPlayer {
  /// With what its commands have changed.
  private var session: Session
  private let folder: TemporaryFolder

  init(_ session: Session) throws {
    self.session = session
    folder = try TemporaryFolder()
    for file in session.inputs where file.kind == .file {
      if let end = file.name.lastIndex(of: "/") {
        try folder.makeFolder(String(file.name[..<end]))
      }
      let text = file.lines.flatMap(TimedLine.read).recording
      let bytes = file.name.hasSuffix(".gz") ? gzip(text) : Array(text.utf8)
      try Data(bytes).write(to: URL(filePath: "\(folder.path)/\(file.name)"))
    }
  }

  /// Returns what comes out of each command.
  mutating func outputs() async throws -> [[String]] {
    var outputs: [[String]] = []
    for command in session.commands { outputs.append(try await output(of: command.line)) }
    return outputs
  }

  private mutating func output(of line: String) async throws -> [String] {
    if line.hasPrefix("machine ") {
      session.changeMachine(String(line.dropFirst("machine ".count)))
      return []
    }
    let parts = line.split(separator: " | ", maxSplits: 1).map(String.init)
    var words = Self.words(of: parts[0])
    var environment: [String: String] = [:]
    while let variable = words.first, variable.first?.isUppercase == true,
      let end = variable.firstIndex(of: "=")
    {
      environment[String(variable[..<end])] = String(variable[end...].dropFirst())
      words.removeFirst()
    }
    guard words.first == "locwatch" else { return Stage.shell(line, in: folder) }
    var output = try await Play.output(
      of: Array(words.dropFirst()), environment, in: session, folder)
    // It is easy to approve one that was not meant.
    #expect(session.isAboutUsage || output.last?.hasSuffix("= 64") != true, "\(output)")
    guard parts.count > 1, let status = output.popLast() else { return output }
    let file = try TemporaryFile(output.map { "\($0)\n" }.joined())
    // If grep finds nothing, its status is 1.
    return Stage.shell("<\(file.path) \(parts[1])", in: folder).filter { $0 != "= 1" } + [status]
  }

  /// Splits a command line as a shell does. Words may be between single quotation marks.
  private static func words(of line: String) -> [String] {
    var words: [String] = []
    var (word, isQuoted) = (String?.none, false)
    for character in line {
      switch character {
      case "'":
        isQuoted.toggle()
        word = word ?? ""
      case " " where !isQuoted:
        if let word { words.append(word) }
        word = nil
      default: word = (word ?? "") + String(character)
      }
    }
    return words + (word.map { [$0] } ?? [])
  }
}
