import DaemonHarness
import SimulatedReceiver
import Synchronization

/// What a gpsd sends, byte for byte, and when it came.
final class Recording: Sendable {
  private let client: LoopbackClient
  private let log: Log

  init(port: Int) throws(SystemError) {
    let log = Log()
    self.log = log
    client = try LoopbackClient(port: port) { log.take($0) }
  }

  func send(_ command: String) throws(SystemError) { try client.send(command) }

  /// The whole lines so far, with the lines between them that tell the time.
  var bytes: [UInt8] { log.bytes }
}

private final class Log: Sendable {
  private let start = ContinuousClock.now
  private let state: Mutex<State>

  private struct State {
    var written: [UInt8]
    var lastTime = "0.000"
    var unended: [UInt8] = []
  }

  init() {
    let first = #"{"class":"LOCWATCH","t":0.000,"start":"\#(ReceiverTime.now.description)"}"#
    state = Mutex(State(written: Array("\(first)\r\n".utf8)))
  }

  var bytes: [UInt8] { state.withLock(\.written) }

  func take(_ fresh: [UInt8]) {
    let (seconds, attoseconds) = (ContinuousClock.now - start).components
    let fraction = String(1000 + attoseconds / 1_000_000_000_000_000).dropFirst()
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
