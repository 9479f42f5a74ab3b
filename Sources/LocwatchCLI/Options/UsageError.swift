/// Why a command line cannot be followed, in words for the one who wrote it.
package struct UsageError: Error, Equatable, CustomStringConvertible {
  package var message: String

  package init(_ message: String) { self.message = message }

  /// The message, and where to find out more; to stand after `locwatch: `.
  package var description: String { "\(message)\nTry 'locwatch --help'." }
}
