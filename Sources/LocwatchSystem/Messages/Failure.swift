/// Why a run could not begin or had nothing to write, with its exit status.
package struct Failure: Error, Equatable {
  package var status: ExitStatus
  package var message: Message

  package init(_ status: ExitStatus, _ message: Message) {
    self.status = status
    self.message = message
  }
}

/// An error in the command line, with a message for the user.
package struct UsageError: Error, Equatable, CustomStringConvertible {
  package var message: String

  package init(_ message: String) { self.message = message }

  package var description: String { text.text }

  /// The message and a pointer to the help.
  package var text: Message { "\(message)\nTry 'locwatch --help'." }
}
