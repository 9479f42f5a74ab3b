import LocationCore

/// Words for people, on standard error.
struct Log: Sendable {
  /// A sentence of ours names paths and hosts, each of which may be longer than a text from the wire
  /// is shown.
  private static let longestLine = 1024

  private enum Level { case quiet, normal, verbose }

  private let level: Level
  private let descriptor: Descriptor

  init(_ options: Options, to descriptor: Descriptor = .standardError) {
    level = options.quiet ? .quiet : options.verbose ? .verbose : .normal
    self.descriptor = descriptor
  }

  /// Whether anybody wants to know what goes on.
  var isVerbose: Bool { level == .verbose }

  /// Says what went wrong.
  func complain(_ message: String) {
    write(message)
  }

  /// Says what goes on, to those who want to know.
  func note(_ message: @autoclosure () -> String) {
    if level == .verbose { write(message()) }
  }

  /// Says what was asked for, whatever the level.
  func say(_ message: String) { write(message) }

  private func write(_ message: String) {
    var text = TextBuffer()
    for line in message.split(separator: "\n", omittingEmptySubsequences: false) {
      text.append(text: "locwatch: ")
      text.append(visible: String(line), longest: Self.longestLine)
      text.append(character: "\n")
    }
    var rest = text.bytes
    while !rest.isEmpty {
      guard case .wrote(let count) = descriptor.write(rest) else { return }
      rest = rest.dropFirst(count)
    }
  }
}
