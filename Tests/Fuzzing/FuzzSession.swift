import GPSDLocation
import LocationCore
import LocationTestKit
import Synchronization

/// A conversation with a gpsd gone mad: anything comes at any time, and now and then it hangs up.
///
/// Lines that a broken connection lost are sent again by the next one, so that each valid one can be
/// expected exactly once.
final class FuzzSession: GPSDSession {
  struct State {
    var stream: FuzzStream
    var framer = LineFramer()
    var random: SeededRandom
    var isOver = false
  }

  private let state: Mutex<State>
  private let fuzzClock = FuzzClock()
  /// After so many mutated lines there is no more.
  private let lines: Int

  init(_ stream: FuzzStream, lines: Int, seed: UInt64) {
    self.lines = lines
    state = Mutex(State(stream: stream, random: SeededRandom(seed: ~seed)))
  }

  var stream: FuzzStream { state.withLock(\.stream) }

  var clock: LocationClock { fuzzClock.locationClock }

  func open(_ endpoint: GPSDEndpoint) throws(GPSDError) {
    let isRefused = state.withLock { Int.random(in: 0..<8, using: &$0.random) == 0 }
    if isRefused { throw GPSDError(.cannotConnect, "connection refused") }
  }

  func send(_ command: GPSDCommand) {}

  func close() {
    state.withLock { state in
      state.stream.takeBack(state.framer.pending)
      state.framer = LineFramer()
    }
  }

  func read(until deadline: Moment?) throws(GPSDError) -> GPSDRead {
    try state.withLock { state throws(GPSDError) in
      while true {
        switch state.framer.next() {
        case .line(let bytes): return .line(GPSDLine(bytes: bytes, received: fuzzClock.now))
        case .discarded(let count): return .discarded(bytes: count, at: fuzzClock.now)
        case nil: break
        }
        let now = fuzzClock.now
        if let deadline, deadline <= now { return .timedOut(at: now) }
        if state.stream.mutatedLines >= lines, state.stream.isBetweenBatches { return .ended }
        if Int.random(in: 0..<500, using: &state.random) == 0 {
          throw GPSDError(.hungUp, "closed by gpsd")
        }
        let then = now.advanced(by: state.pause())
        if let deadline, deadline < then {
          fuzzClock.advance(to: deadline)
          return .timedOut(at: deadline)
        }
        fuzzClock.advance(to: then)
        state.framer.append(state.stream.next())
      }
    }
  }
}

extension FuzzSession.State {
  /// Mostly what a receiver takes, at times as long as a tunnel or a night.
  fileprivate mutating func pause() -> Duration {
    switch Int.random(in: 0..<1000, using: &random) {
    case 0: .seconds(.random(in: 5...25, using: &random))
    case 1: .seconds(.random(in: 60...40_000, using: &random))
    case 2..<300: .zero
    default: .milliseconds(.random(in: 1...400, using: &random))
    }
  }
}
