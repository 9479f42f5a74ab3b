/// What the command line asks for.
struct SoakOptions {
  /// How many reports to send and to replay: those of a day at 1 Hz.
  var reports = 172_800
  /// How often to break the connection.
  var reconnects = 1000
  /// The port to connect to again and again, and nothing else: the other side of ``ReconnectSoak``.
  var followed: UInt16?

  static let usage = "Usage: soak [--reports N] [--reconnects N]\n"

  /// `nil` where it makes no sense.
  init?(_ arguments: [String]) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      guard let value = rest.popFirst().flatMap({ Int($0) }), value > 0 else { return nil }
      switch argument {
      case "--reports": reports = value
      case "--reconnects": reconnects = value
      case "--follow": followed = UInt16(exactly: value)
      default: return nil
      }
    }
  }
}
