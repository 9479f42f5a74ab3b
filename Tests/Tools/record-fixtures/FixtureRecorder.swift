import DaemonHarness
import Glibc
import SimulatedReceiver

/// Records fixtures from a real gpsd that reads simulated receivers.
///
/// `record-fixtures FOLDER [NAME…]`
@main
enum FixtureRecorder {
  static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst()
    guard let folder = arguments.first, !folder.hasPrefix("-") else {
      print("Usage: record-fixtures FOLDER [NAME...]")
      exit(64)
    }
    let names = arguments.dropFirst()
    try await withThrowingTaskGroup { group in
      for fixture in Fixture.all where names.isEmpty || names.contains(fixture.name) {
        group.addTask {
          let bytes = try await record(fixture)
          try write(bytes, to: "\(folder)/\(fixture.name).jsonl")
          print("\(fixture.name): \(bytes.count) bytes")
        }
      }
      try await group.waitForAll()
    }
  }

  private static func record(_ fixture: Fixture) async throws -> [UInt8] {
    try await waitForListeningDaemon(fixture)
    let start = ReceiverTime.now.roundedDown(toMilliseconds: 1000).advanced(byMilliseconds: 3000)
    let folder = "/tmp/locwatch-sim/\(fixture.name)"
    defer { rmdir(folder) }
    let receivers = try fixture.scenarios.enumerated().map { index, scenario in
      var scenario = scenario
      scenario.start = start
      return try SimulatedReceiver(scenario, link: "\(folder)/gps\(index)")
    }
    let gpsd = try await GPSDProcess.start(receivers.map(\.path))
    try await waitUntil("gpsd has opened the receivers") { receivers.allSatisfy(\.isOpen) }

    let recording = try Recording(
      port: gpsd.port, speed: fixture.speed, from: start.advanced(byMilliseconds: 150))
    try recording.send(#"?WATCH={"enable":true,"json":true};"#)
    // A receiver reports a whole second a little after it.
    try await wait(until: start.advanced(byMilliseconds: 150))
    try await withThrowingTaskGroup { group in
      for receiver in receivers { group.addTask { try await receiver.run(speed: fixture.speed) } }
      for (second, text) in fixture.commands {
        try await wait(until: start.advanced(byMilliseconds: Int64(second) * 1000 + 500))
        try recording.send(text)
      }
      let length = Int64(Double(fixture.seconds) / fixture.speed * 1000)
      try await wait(until: start.advanced(byMilliseconds: length))
      group.cancelAll()
      do { try await group.waitForAll() } catch is CancellationError {}
    }
    return fixture.speed > 1 ? Thinning(recording.bytes).bytes : recording.bytes
  }

  /// Waits for a time at which gpsd will not be deaf after an unplugging.
  private static func waitForListeningDaemon(_ fixture: Fixture) async throws {
    guard let second = fixture.unplugSecond else { return }
    // From now to the unplugging, and 2 s more on either side.
    let window = [second + 1, second + 3, second + 5]
    try await waitUntil("listening gpsd", timeout: .seconds(90)) {
      window.allSatisfy { second in
        let time = ReceiverTime.now.advanced(byMilliseconds: Int64(second) * 1000)
        return GPSDProcess.deafness(afterHangUpAt: time) <= 1
      }
    }
  }

  private static func wait(until time: ReceiverTime) async throws {
    let remaining = time.millisecondsSince1970 - ReceiverTime.now.millisecondsSince1970
    try await ContinuousClock().sleep(for: .milliseconds(max(0, remaining)), tolerance: .zero)
  }

  private static func write(_ bytes: [UInt8], to path: String) throws(SystemError) {
    guard let file = fopen(path, "w") else { throw SystemError("open \(path)") }
    let count = fwrite(bytes, 1, bytes.count, file)
    guard fclose(file) == 0, count == bytes.count else { throw SystemError("write \(path)") }
  }
}
