import SimulatedReceiver

/// A recording to be made: what happens, and for how long.
struct Fixture: Sendable {
  let name: String
  /// One for each receiver.
  var scenarios: [Scenario] = []
  let seconds: Int
  /// How many times faster than in time the receivers send, and the recording's clock runs.
  var speed = 1.0
  /// What is sent to gpsd besides the WATCH, and how many seconds after the first epoch.
  var commands: [(second: Int, text: String)] = []

  /// How many seconds after the first epoch the first receiver is unplugged.
  var unplugSecond: Int? {
    guard let scenario = scenarios.first else { return nil }
    return (0..<seconds).first { !scenario.isPresent(at: $0) }
  }

  static let all = [
    Fixture(name: "cold-start", scenarios: [.coldStart], seconds: 13),
    Fixture(name: "drive", scenarios: [.drive], seconds: 15),
    Fixture(name: "tunnel", scenarios: [.tunnel], seconds: 15),
    Fixture(
      name: "unplug-replug", scenarios: [.unplug], seconds: 17,
      // gpsd 3.22 stays deaf after a replug until a client sends something.
      commands: [(11, "?VERSION;")]),
    Fixture(name: "two-receivers", scenarios: [.drive, .coldStart], seconds: 12),
    Fixture(name: "ten-hertz", scenarios: [.tenHertz], seconds: 4),
    Fixture(name: "no-receiver", seconds: 2, commands: [(1, "?DEVICES;")]),
    Fixture(name: "several-tpvs", scenarios: [.severalTPVs], seconds: 10),
    Fixture(name: "hour", scenarios: [.hour], seconds: 3600, speed: 20),
  ]
}
