import LocationText

/// Hints on what to try next.
package enum Hint {
  /// The number of serial devices or receivers that a hint names.
  package static let maximumNames = 4

  /// - Parameter ports: Serial devices that are there, instead of the one that was named; at least one.
  static func otherPorts(_ ports: [Machine.SerialPort], on machine: Machine) -> Message {
    let names = Text.list(ports.prefix(maximumNames).map(\.description))
    let message: Message = "\(names) \(ports.count == 1 ? "is" : "are") there"
    guard let path = ports.first?.path(on: machine) else { return "\(message)." }
    return "\(message): 'locwatch \(path)'"
  }

  package static func replay(_ path: String) -> Message {
    let command: ShellText = "locwatch --replay \(argument: path)"
    return "'\(command)' replays a recording."
  }
}
