import LocwatchSystem
import LocwatchTestSupport

/// The machine of a session, of which only what the session says is known.
final class PlayedMachine: Sendable {
  let machine: Machine
  private let fake: FakeMachine?

  /// - Parameter lines: `plug DEVICE`, `plug DEVICE NAME`, `run PROGRAM ID ARGUMENT…`, `link PATH TARGET`, or
  ///   `PATH = TEXT`.
  init(_ lines: [String]) throws {
    guard !lines.isEmpty else {
      (machine, fake) = (.empty, nil)
      return
    }
    let fake = try FakeMachine()
    for line in lines {
      let words = line.split(separator: " ", maxSplits: 2).map(String.init)
      switch (words[0], words.count) {
      case ("plug", 2...): try fake.plug(words[1], as: words.dropFirst(2).first)
      case ("run", 3...):
        let more = words[2].split(separator: " ", maxSplits: 1).map(String.init)
        try fake.run(words[1], as: Int32(more[0]) ?? 1, more.count > 1 ? more[1] : "")
      case ("link", 3...): try fake.link(words[1], to: words[2])
      case (_, 3...) where words[1] == "=": try fake.write(words[2] + "\n", to: words[0])
      default: throw SessionMistake(line: line)
      }
    }
    (machine, self.fake) = (fake.machine, fake)
  }
}

struct SessionMistake: Error {
  let line: String
}
