import GPSDLocation
import GPSDProtocol
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
    /// Whole lines that are still to be read.
    var lines: ArraySlice<UInt8> = []
    /// When the next bytes come; `nil` before that is known.
    var due: Moment?
    /// Whether the client has read a valid line, and knows that this is a gpsd.
    var isKnown = false
    var random: SeededRandom
    var isOver = false
  }

  private let state: Mutex<State>
  private let fuzzClock = FuzzClock()
  /// The number of mutated lines after which the input ends.
  private let lines: Int

  init(_ stream: FuzzStream, lines: Int, seed: UInt64) {
    self.lines = lines
    state = Mutex(State(stream: stream, random: SeededRandom(seed: ~seed)))
  }

  var stream: FuzzStream { state.withLock(\.stream) }

  var clock: LocationClock { fuzzClock.locationClock }

  func open(_ endpoint: GPSDEndpoint) throws(LocationError) {
    let isRefused = state.withLock { Int.random(in: 0..<8, using: &$0.random) == 0 }
    if isRefused { throw LocationError(.unreachable, "connection refused") }
  }

  func send(_ command: GPSDCommand) {}

  func close() {
    state.withLock { state in
      state.stream.takeBack(state.lines.count + state.framer.pending)
      state.framer = LineFramer()
      state.lines = []
      state.due = nil
      state.isKnown = false
    }
  }

  func poll(at now: Moment) throws(LocationError) -> Polled<GPSDLines> {
    try state.withLock { state throws(LocationError) in
      while true {
        if let lines = state.takeLines() {
          return .received(GPSDLines(bytes: lines, received: now))
        }
        switch state.framer.next() {
        case .lines(let bytes):
          state.lines = bytes
          continue
        case .discarded(let count):
          return .received(GPSDLines(bytes: [], received: now, discardedBytes: count))
        case nil: break
        }
        if let due = state.due {
          guard due <= now else { return .quiet(at: now) }
          state.due = nil
          state.framer.append(state.stream.next())
          continue
        }
        if state.stream.mutatedLines >= lines, state.stream.isBetweenBatches { return .ended }
        if Int.random(in: 0..<500, using: &state.random) == 0 {
          throw LocationError(.disconnected, "closed by gpsd")
        }
        state.due = now.advanced(by: state.pause())
      }
    }
  }

  func wait() -> Wait { Wait(until: state.withLock(\.due)) }
}

extension FuzzSession.State {
  /// Returns all lines, but one at a time before the first valid one: a client that takes the peer for
  /// no gpsd reads no further than the line by which it does.
  fileprivate mutating func takeLines() -> ArraySlice<UInt8>? {
    guard !lines.isEmpty else { return nil }
    var end = lines.endIndex
    if !isKnown {
      end = lines.firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? end
      isKnown = FuzzStream.isOfNeighbour(lines[..<end])
    }
    defer { lines = lines[end...] }
    return lines[..<end]
  }

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
