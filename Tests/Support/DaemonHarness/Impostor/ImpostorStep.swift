/// One step of what an ``Impostor`` does to a client. What the client sends is taken in meanwhile.
package enum ImpostorStep: Sendable {
  /// Writes bytes, and waits until the client's side has taken them.
  case sendBytes([UInt8])
  /// Writes bytes one by one, each in a packet of its own.
  case trickle([UInt8], every: Duration)
  /// Writes what a closure gives for 0, 1, 2 …, until it gives `nil`.
  case generate(@Sendable (Int) -> [UInt8]?)
  /// Waits until the client has sent something that contains this; each command counts once.
  case expect(String)
  case pause(Duration)
  /// Waits until the test opens a gate.
  case wait(Gate)
  /// Tells the test, by a gate, that the script has come so far.
  case open(Gate)
  /// Does nothing more, until the client hangs up.
  case hold
  /// Hangs up: the client sees the end of the stream.
  case close
  /// Breaks the connection: the client sees a reset.
  case reset

  /// Writes text as it stands.
  package static func send(_ text: String) -> ImpostorStep {
    .sendBytes(Array(text.utf8))
  }

  /// Writes lines, each with CRLF as gpsd ends them.
  package static func sendLines(_ lines: String...) -> ImpostorStep {
    .send(lines.map { "\($0)\r\n" }.joined())
  }
}
