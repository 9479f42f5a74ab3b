import DaemonHarness
import SimulatedReceiver
import Synchronization

/// What a gpsd sends, byte for byte, and when it came.
final class Recording: Sendable {
  private let client: LoopbackClient
  private let log: Log

  /// - Parameters:
  ///   - speed: How many times faster than in time the clock runs.
  ///   - beginning: From when on it does.
  init(port: Int, speed: Double, from beginning: ReceiverTime) throws(SystemError) {
    let log = Log(speed: speed, from: beginning)
    self.log = log
    client = try LoopbackClient(port: port) { log.take($0) }
  }

  func send(_ command: String) throws(SystemError) { try client.send(command) }

  /// The whole lines so far, with the lines between them that tell the time.
  var bytes: [UInt8] { log.bytes }
}

private final class Log: Sendable {
  private let start = ContinuousClock.now
  private let speed: Double
  /// Seconds from the start.
  private let beginning: Double
  private let state: Mutex<State>

  private struct State {
    var written: [UInt8]
    var lastTime = "0.000"
    var unended: [UInt8] = []
  }

  init(speed: Double, from beginning: ReceiverTime) {
    self.speed = speed
    let wait = beginning.millisecondsSince1970 - ReceiverTime.now.millisecondsSince1970
    self.beginning = Double(wait) / 1000
    let first = #"{"class":"LOCWATCH","t":0.000,"start":"\#(ReceiverTime.now.description)"}"#
    state = Mutex(State(written: Array("\(first)\r\n".utf8)))
  }

  var bytes: [UInt8] { state.withLock(\.written) }

  func take(_ fresh: [UInt8]) {
    let elapsed = (ContinuousClock.now - start) / .seconds(1)
    let told = elapsed + max(0, elapsed - beginning) * (speed - 1)
    let (seconds, rest) = Int((told * 1000).rounded()).quotientAndRemainder(dividingBy: 1000)
    let fraction = String(1000 + rest).dropFirst()
    state.withLock { state in
      state.unended += fresh
      guard let end = state.unended.lastIndex(of: UInt8(ascii: "\n")) else { return }
      let time = "\(seconds).\(fraction)"
      if time != state.lastTime {
        state.written += Array("{\"class\":\"LOCWATCH\",\"t\":\(time)}\r\n".utf8)
        state.lastTime = time
      }
      state.written += state.unended[...end]
      state.unended.removeSubrange(...end)
    }
  }
}
