import Glibc
import LocwatchSystem
import LocwatchTestSupport

/// The machine of a session, of which only what the session says is known.
final class PlayedMachine: Sendable {
  let machine: Machine
  private let fake: FakeMachine?

  /// - Parameter lines: What README.md says of a machine.
  init(_ lines: [String]) throws {
    guard !lines.isEmpty else {
      (machine, fake) = (.empty, nil)
      return
    }
    let fake = try FakeMachine()
    for line in lines { try Self.change(fake, line) }
    (machine, self.fake) = (fake.machine, fake)
  }

  private static func change(_ fake: FakeMachine, _ line: String) throws {
    let words = line.split(separator: " ", maxSplits: 2).map(String.init)
    switch (words[0], words.count) {
    case ("plug", 2...): try fake.plug(words[1], as: words.dropFirst(2).first)
    case ("run", 3...):
      let more = words[2].split(separator: " ", maxSplits: 1).map(String.init)
      try fake.run(words[1], as: Int32(more[0]) ?? 1, more.count > 1 ? more[1] : "")
    case ("link", 3...):
      try? fake.remove(words[1])
      try fake.link(words[1], to: words[2])
    case ("remove", 2): try fake.remove(words[1])
    case ("mode", 3): try fake.protect(words[2], mode_t(words[1], radix: 8) ?? 0)
    case (_, 3...) where words[1] == "=": try fake.write(text(words[2]) + "\n", to: words[0])
    default: throw SessionMistake(line: line)
    }
  }

  /// Returns a text in which `\n` ends a line, `\t` is a tab, and GROUP is the group to which a `mode` gives a file.
  private static func text(_ words: String) -> String {
    words.replacing("\\n", with: "\n").replacing("\\t", with: "\t")
      .replacing("GROUP", with: "\(FakeMachine.group)")
  }
}

struct SessionMistake: Error {
  let line: String
}
