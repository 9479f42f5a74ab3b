package import LocwatchSystem

/// What solves a problem.
package struct Remedy: Equatable, Sendable {
  /// What to do; empty if there is nothing to do.
  let words: Message
  /// Commands for a shell, in their order.
  package let commands: [ShellText]

  static let none = Remedy("")
  /// What to do if only root can check something.
  static let root = Remedy("Only root can see that: 'sudo locwatch --doctor'.")

  /// - Parameters:
  ///   - words: Ends with a colon if it announces commands. If there are none, it ends with a full stop.
  ///   - commands: `nil` if they would contain something that locwatch cannot vouch for.
  init(_ words: Message, run commands: [ShellText]? = nil) {
    self.commands = commands ?? []
    self.words = self.commands.isEmpty ? words.withoutColon : words
  }

  /// The words, and each command on a line of its own.
  var lines: [Message] { (words.isEmpty ? [] : [words]) + commands.map { "\($0)" } }

  var isEmpty: Bool { words.isEmpty && commands.isEmpty }
}
