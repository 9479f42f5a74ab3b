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
    var bytes: [UInt8] = []
    for line in message.split(separator: "\n", omittingEmptySubsequences: false) {
      bytes.append(text: "locwatch: ")
      bytes.append(visible: String(line), longest: Self.longestLine)
      bytes.append(character: "\n")
    }
    var rest = bytes[...]
    while !rest.isEmpty {
      guard case .wrote(let count) = descriptor.write(rest) else { return }
      rest = rest.dropFirst(count)
    }
  }
}

extension Log {
  /// What the service and the receivers say of themselves.
  func note(_ event: LocationEvent) {
    switch event {
    case .service(let service): note("\(service.name) answers")
    case .receivers(let receivers):
      note(receivers.isEmpty ? "no receiver" : "receivers: \(receivers.count)")
      for receiver in receivers { note(receiver.words) }
    case .receiver(let receiver): note(receiver.words)
    case .removed(let path): note("\(path) was removed")
    case .notice(let words): note("gpsd says: \(words)")
    case .fix, .noFix, .sky, .refused: break
    }
  }
}

extension Receiver {
  /// `/dev/ttyACM0: u-blox, 9600 bit/s, every 1.0 s`
  var words: String {
    var parts: [String] = []
    if let driver { parts.append(driver) }
    if let subtype { parts.append(subtype) }
    if let bitsPerSecond { parts.append("\(bitsPerSecond) bit/s") }
    if let cycle { parts.append("every \(cycle.inSeconds) s") }
    if !isActive { parts.append("not open") }
    return parts.isEmpty ? path : "\(path): \(parts.joined(separator: ", "))"
  }
}
