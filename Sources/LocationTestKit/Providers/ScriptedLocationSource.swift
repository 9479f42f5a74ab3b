public import LocationCore
import Synchronization

/// A provider that follows a script, and reports events that a test forces.
///
/// ```swift
/// let clock = ManualClock()
/// let source = ScriptedLocationSource(
///   clock: clock,
///   scripts: [.event(.noFix(NoFix())), .wait(.seconds(2)), .fail(gone)], [.stayOpen])
/// ```
///
/// Each connection takes the next script, and the last script repeats; without scripts, connections
/// stay open. The moment of a step depends only on when the connection was made and on the waits
/// before the step, not on when the step is read.
public final class ScriptedLocationSource: LocationProvider {
  /// A step that a test forces, and when it is due.
  struct Forced {
    var step: LocationScriptStep
    var moment: Moment
  }

  /// Something that was asked of the source.
  public enum Call: Hashable, Sendable {
    /// A connection was made for a request.
    case connect(LocationRequest)
    /// A connection was closed by its reader, for the first time.
    case close
  }

  private struct State {
    var connections = 0
    var calls: [Call] = []
    var forced: [Forced] = []
    /// Wake waiting connections, by the number of the connection.
    var bells: [Int: Mailbox<Void>] = [:]
  }

  /// The clock that determines when steps are due.
  public let clock: LocationClock
  private let scripts: [[LocationScriptStep]]
  private let state = Mutex(State())

  /// Creates a source with a script for each connection.
  ///
  /// - Parameters:
  ///   - clock: The clock that determines when steps are due.
  ///   - scripts: The scripts of the connections, in order. The last one repeats.
  public convenience init(clock: LocationClock, scripts: [LocationScriptStep]...) {
    self.init(clock: clock, all: scripts)
  }

  /// Creates a source with a script for each connection, on a manual clock.
  ///
  /// - Parameters:
  ///   - clock: The test's clock, which determines when steps are due.
  ///   - scripts: The scripts of the connections, in order. The last one repeats.
  public convenience init(clock: ManualClock, scripts: [LocationScriptStep]...) {
    self.init(clock: clock.locationClock, all: scripts)
  }

  private init(clock: LocationClock, all scripts: [[LocationScriptStep]]) {
    self.clock = clock
    self.scripts = scripts.isEmpty ? [[.stayOpen]] : scripts
  }

  /// What was asked of the source, in order.
  ///
  /// A coordinator connects when it starts, and closes when it stops:
  ///
  /// ```swift
  /// #expect(source.calls == [.connect(LocationRequest(desiredAccuracy: 100)), .close])
  /// ```
  public var calls: [Call] { state.withLock(\.calls) }

  /// The number of connections made so far.
  public var connectionCount: Int { state.withLock { $0.connections } }

  /// Returns a connection that takes the steps of the next script, and forced steps. It ends after the
  /// last step, or throws `LocationError` at a step that fails. The request is recorded in ``calls``.
  public func connection(for request: LocationRequest) -> ScriptedConnection {
    let bell = Mailbox<Void>()
    let number = state.withLock { state in
      state.calls.append(.connect(request))
      defer { state.connections += 1 }
      state.bells[state.connections] = bell
      return state.connections
    }
    return ScriptedConnection(
      source: self, number: number, script: scripts[min(number, scripts.count - 1)], bell: bell)
  }

  /// Adds a step outside the scripts, for the connection that reads next.
  func force(_ step: LocationScriptStep, at moment: Moment) {
    let bells = state.withLock { state in
      // Steps forced for one moment keep their order.
      let index = state.forced.firstIndex { moment < $0.moment } ?? state.forced.endIndex
      state.forced.insert(Forced(step: step, moment: moment), at: index)
      return Array(state.bells.values)
    }
    for bell in bells { bell.send(()) }
  }

  /// When the next forced step is due.
  var nextForced: Moment? { state.withLock { $0.forced.first?.moment } }

  /// Takes the next forced step if it is due by `now` and before `moment`.
  func takeForced(before moment: Moment?, by now: Moment) -> Forced? {
    state.withLock { state in
      guard let first = state.forced.first, first.moment <= now,
        moment.map({ first.moment < $0 }) ?? true
      else { return nil }
      return state.forced.removeFirst()
    }
  }

  func forget(_ number: Int) { state.withLock { $0.bells[number] = nil } }

  func recordClose() { state.withLock { $0.calls.append(.close) } }
}
