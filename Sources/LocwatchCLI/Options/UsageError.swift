/// An error in the command line, with a message for the user.
package struct UsageError: Error, Equatable, CustomStringConvertible {
  package var message: String

  package init(_ message: String) { self.message = message }

  /// The message and a pointer to the help, to be written after `locwatch: `.
  package var description: String { "\(message)\nTry 'locwatch --help'." }
}
