import Synchronization

/// What an ``Impostor`` knows of one client.
package final class ImpostorClient: Sendable {
  private let state = Mutex(State())

  private struct State {
    var received: [UInt8] = []
    var hasHungUp = false
    var isOver = false
    var isToBeClosed = false
  }

  /// All that the client sent.
  package var received: [UInt8] { state.withLock(\.received) }

  /// The commands that the client sent, without their line ends: what ends with `;` or a newline.
  package var commands: [String] {
    var commands: [String] = []
    var command = ""
    for character in String(decoding: received, as: UTF8.self) {
      if !character.isNewline { command.append(character) }
      guard character == ";" || character.isNewline, !command.isEmpty else { continue }
      commands.append(command)
      command = ""
    }
    return commands
  }

  /// Whether the client has closed its side.
  package var hasHungUp: Bool { state.withLock(\.hasHungUp) }

  /// Whether the connection is over: by the client, or by the end of the script.
  package var isOver: Bool { state.withLock(\.isOver) }

  /// Waits for a command that contains `part`, among those that came and those that come.
  package func waitForCommand(
    containing part: String, after start: Int = 0, timeout: Duration = .seconds(30)
  ) async throws -> String {
    try await waitFor("command containing \(part)", timeout: timeout) {
      commands.dropFirst(start).first { $0.contains(part) }
    }
  }

  /// Waits until the client has closed its side.
  package func waitForHangUp(timeout: Duration = .seconds(30)) async throws {
    try await waitUntil("hang-up", timeout: timeout) { hasHungUp }
  }

  var isToBeClosed: Bool { state.withLock(\.isToBeClosed) }

  func close() { state.withLock { $0.isToBeClosed = true } }

  func receive(_ bytes: some Sequence<UInt8>) { state.withLock { $0.received += bytes } }

  func hangUp() { state.withLock { $0.hasHungUp = true } }

  func end() { state.withLock { $0.isOver = true } }
}
