public import LocationCore
import Synchronization

/// A provider that does what a script says, and what a test tells it meanwhile.
///
/// ```swift
/// let clock = ManualClock()
/// let source = ScriptedLocationSource(
///   clock: clock,
///   scripts: [.event(.noFix(NoFix())), .wait(.seconds(2)), .fail(gone)], [.stayOpen])
/// ```
///
/// Each connection takes the next script, and the last one repeats; without any, connections stay
/// open. Steps come at their own moments: they follow from the clock's time at the connection and
/// from the waits, however late somebody reads.
public final class ScriptedLocationSource: LocationProvider {
  /// What a test forced, and when it comes.
  struct Forced {
    var step: LocationScriptStep
    var moment: Moment
  }

  private struct State {
    var connections = 0
    var forced: [Forced] = []
    /// Wake those that wait, by the number of their connection.
    var bells: [Int: Rendezvous<Void>] = [:]
  }

  /// What its steps come by.
  public let clock: LocationClock
  private let scripts: [[LocationScriptStep]]
  private let state = Mutex(State())

  /// - Parameters:
  ///   - clock: What the steps come by.
  ///   - scripts: What each connection does, in their order. The last one repeats.
  public convenience init(clock: LocationClock, scripts: [LocationScriptStep]...) {
    self.init(clock: clock, all: scripts)
  }

  /// - Parameters:
  ///   - clock: What the steps come by: the test's own.
  ///   - scripts: What each connection does, in their order. The last one repeats.
  public convenience init(clock: ManualClock, scripts: [LocationScriptStep]...) {
    self.init(clock: clock.locationClock, all: scripts)
  }

  private init(clock: LocationClock, all scripts: [[LocationScriptStep]]) {
    self.clock = clock
    self.scripts = scripts.isEmpty ? [[.stayOpen]] : scripts
  }

  /// How many connections there have been.
  public var connectionCount: Int { state.withLock { $0.connections } }

  /// The steps of the next script, and what is forced meanwhile. It ends behind the last step, and
  /// throws where a step says so.
  public func events() -> LocationEvents<ScriptedConnection> {
    LocationEvents { self.connection() }
  }

  /// The same, with a deadline to each wait.
  public func connection() -> ScriptedConnection {
    let bell = Rendezvous<Void>()
    let number = state.withLock { state in
      defer { state.connections += 1 }
      state.bells[state.connections] = bell
      return state.connections
    }
    return ScriptedConnection(
      source: self, number: number, script: scripts[min(number, scripts.count - 1)], bell: bell)
  }

  /// Tells whoever reads next to take a step, beside its script.
  func force(_ step: LocationScriptStep, at moment: Moment) {
    let bells = state.withLock { state in
      // What is forced for one moment comes in the order in which it was forced.
      let index = state.forced.firstIndex { moment < $0.moment } ?? state.forced.endIndex
      state.forced.insert(Forced(step: step, moment: moment), at: index)
      return Array(state.bells.values)
    }
    for bell in bells { bell.bring(()) }
  }

  /// When the next forced step comes.
  var nextForced: Moment? { state.withLock { $0.forced.first?.moment } }

  /// Takes the next forced step, where it comes before `moment`.
  func takeForced(before moment: Moment?, by now: Moment) -> Forced? {
    state.withLock { state in
      guard let first = state.forced.first, first.moment <= now,
        moment.map({ first.moment < $0 }) ?? true
      else { return nil }
      return state.forced.removeFirst()
    }
  }

  func forget(_ number: Int) { state.withLock { $0.bells[number] = nil } }
}
