import LocationCore
import LocationFormats
import Synchronization

@testable import LocwatchCLI
@testable import LocwatchSystem
@testable import LocwatchTerminal

/// Keeps what it is asked for, in order.
final class RecordingPresenter: Presenter {
  struct State {
    var calls: [String] = []
    /// The sources that have ended, in order.
    var ended: [Int] = []
    var status = OutputStatus()
    var failure: OutputError?
  }

  let state = Mutex(State())

  /// The calls since the last time.
  func takeCalls() -> [String] {
    state.withLock { state in
      defer { state.calls = [] }
      return state.calls
    }
  }

  func set<Value: Sendable>(_ property: WritableKeyPath<State, Value>, to value: Value) {
    state.withLock { $0[keyPath: property] = value }
  }

  private func record(_ call: String) { state.withLock { $0.calls.append(call) } }

  var ended: [Int] { state.withLock(\.ended) }
  var status: OutputStatus { state.withLock(\.status) }

  func add(_ style: OutputStyle, as source: Int) {
    record("add \(style.records.source ?? "-") as \(source)")
  }

  func recordEnd(of source: Int) { state.withLock { $0.ended.append(source) } }
  func begin(at now: Moment) { record("begin \(now.uptime.inSeconds)") }

  func present(_ update: LocationUpdate, of source: Int, at moment: Moment) {
    record("\(source) \(update.kindName) \(moment.uptime.inSeconds)")
  }

  func advise(_ advice: Message, of source: Int) { record("\(source) advise") }

  func flush(at now: Moment) throws(OutputError) {
    record("flush \(now.uptime.inSeconds)")
    if let failure = state.withLock(\.failure) { throw failure }
  }

  func finish(waitsForReader: Bool) throws(OutputError) {
    record("finish \(waitsForReader)")
    if let failure = state.withLock(\.failure) { throw failure }
  }
}

extension LocationUpdate {
  /// What kind of update it is, or the state that it leads to.
  var kindName: String {
    switch self {
    case .fix: "fix"
    case .state(let change): change.state.rawValue
    case .change: "change"
    case .retry: "retry"
    case .event: "report"
    }
  }
}
