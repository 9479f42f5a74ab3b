import Foundation
import LocwatchTestSupport
import TestSupport
import Testing

/// Uses of the command as texts: README.md says how to read, to add and to change them.
@Suite(.timeLimit(.minutes(5))) struct CommandSessionTests {
  /// Those whose text or rule contains the words in the environment's SESSIONS.
  private static let chosen = Session.all.filter { session in
    let words = ProcessInfo.processInfo.environment["SESSIONS"] ?? ""
    return words.isEmpty || session.testDescription.contains(words)
  }

  @Test(arguments: chosen) func `A session`(_ session: Session) async throws {
    #expect(session.mistakes == [], "\(session.testDescription)")
    var player = try SessionPlayer(session)
    let outputs = try await player.outputs()
    if Approval.isGiven { return try session.approve(outputs) }
    for (command, output) in zip(session.commands, outputs) where output != command.expected {
      Issue.record(
        "\(session.rule)\n$ \(command.line)\n\(Self.difference(of: output, from: command.expected))"
      )
    }
  }

  /// Returns the lines that are missing and those that are there instead, in the order of the text.
  private static func difference(of output: [String], from expected: [String]) -> String {
    let difference = output.difference(from: expected)
    let missing = Set(difference.removals.map(\.place))
    let new = Set(difference.insertions.map(\.place))
    var (lines, place) = ([String](), 0)
    for (index, line) in expected.enumerated() {
      if missing.contains(index) {
        lines.append("- \(line)")
        continue
      }
      while new.contains(place) {
        lines.append("+ \(output[place])")
        place += 1
      }
      place += 1
    }
    lines += output[place...].map { "+ \($0)" }
    return lines.joined(separator: "\n")
  }
}

extension CollectionDifference.Change {
  fileprivate var place: Int {
    switch self {
    case .insert(let offset, _, _), .remove(let offset, _, _): offset
    }
  }
}
