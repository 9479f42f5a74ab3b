// One import is enough: the fakes conform to protocols of this module.
@_exported public import LocationCore
@_exported public import VirtualTime
import Synchronization

/// A provider that follows a script, and reports events that a test forces.
///
/// ```swift
/// let clock = ManualClock()
/// let source = ScriptedLocationSource(
///   clock: clock,
///   scripts: [.event(.noFix(NoFix())), .wait(.seconds(2)), .fail(gone)], [])
/// ```
///
/// Each connection takes the next script, and the last script repeats. After the last step of a script, the connection
/// stays open, for forced steps. The moment of a step depends only on when the connection was made and on the waits
/// before the step, not on when the step is read.
public final class ScriptedLocationSource: LocationProvider {
  /// A step in the script of a connection.
  public enum Step: Hashable, Sendable {
    /// Reports an event.
    case event(LocationEvent)
    /// Waits before the next step.
    case wait(Duration)
    /// Fails with an error. Later steps are never taken.
    case fail(LocationError)
    /// Ends the connection without an error. Later steps are never taken.
    case end
  }

  /// A call to this source or to one of its connections.
  public enum Call: Hashable, Sendable {
    /// A connection was made for a request.
    case connect(LocationRequest)
    /// A connection was closed by its reader, for the first time.
    case close
  }

  /// A step that a test forces, and when it is due.
  struct Forced {
    var step: Step
    var moment: Moment
  }

  fileprivate struct State {
    var connections = 0
    var calls: [Call] = []
    var forced: [Forced] = []
    /// The bells of the connections, in their order. A connection that has ended has none.
    var bells: [(number: Int, bell: Bell)] = []
    var keepsMissedSteps = true
  }

  /// The clock that determines when steps are due.
  public let clock: LocationClock
  /// Whether the times of fixes are of the ``clock``, as those of a phone are. The default is `false`, so that a test
  /// may give fixes any times.
  public let receiversShareClock: Bool
  /// Returns the script of a connection by its number, from 0, and its request.
  private let script: @Sendable (Int, LocationRequest) -> [Step]
  private let state = Mutex(State())

  /// Creates a source with a script for each connection.
  ///
  /// - Parameters:
  ///   - clock: The clock that determines when steps are due.
  ///   - receiversShareClock: Whether the times of fixes are of this clock, so that an old fix is not current.
  ///   - scripts: The scripts of the connections, in order. The last one repeats.
  public convenience init(
    clock: LocationClock, receiversShareClock: Bool = false, scripts: [Step]...
  ) {
    self.init(clock: clock, receiversShareClock, all: scripts)
  }

  /// Creates a source with a script for each connection, on a manual clock.
  ///
  /// - Parameters:
  ///   - clock: The test's clock, which determines when steps are due.
  ///   - receiversShareClock: Whether the times of fixes are of this clock, so that an old fix is not current.
  ///   - scripts: The scripts of the connections, in order. The last one repeats.
  public convenience init(
    clock: ManualClock, receiversShareClock: Bool = false, scripts: [Step]...
  ) {
    self.init(clock: clock.locationClock, receiversShareClock, all: scripts)
  }

  /// Creates a source whose scripts depend on the requests.
  ///
  /// ```swift
  /// let source = ScriptedLocationSource(clock: clock) { request in
  ///   request.desiredAccuracy == nil ? [.event(.fix(coarse))] : [.wait(.seconds(20)), .event(.fix(exact))]
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - clock: The test's clock, which determines when steps are due.
  ///   - receiversShareClock: Whether the times of fixes are of this clock, so that an old fix is not current.
  ///   - script: Returns the script of a connection; called once for each, in order.
  public convenience init(
    clock: ManualClock, receiversShareClock: Bool = false,
    script: @escaping @Sendable (LocationRequest) -> [Step]
  ) {
    self.init(clock: clock.locationClock, receiversShareClock) { _, request in script(request) }
  }

  private convenience init(
    clock: LocationClock, _ receiversShareClock: Bool, all scripts: [[Step]]
  ) {
    let scripts = scripts.isEmpty ? [[]] : scripts
    self.init(clock: clock, receiversShareClock) { number, _ in
      scripts[min(number, scripts.count - 1)]
    }
  }

  private init(
    clock: LocationClock, _ receiversShareClock: Bool,
    script: @escaping @Sendable (Int, LocationRequest) -> [Step]
  ) {
    self.clock = clock.inWakingOrder()
    self.receiversShareClock = receiversShareClock
    self.script = script
  }

  /// The calls to the source, in order.
  ///
  /// A coordinator connects when it starts, and closes when it stops:
  ///
  /// ```swift
  /// #expect(source.calls == [.connect(LocationRequest(desiredAccuracy: 100)), .close])
  /// ```
  public var calls: [Call] { state.withLock(\.calls) }

  /// The number of connections made so far.
  public var connectionCount: Int { state.withLock { $0.connections } }

  /// Whether a forced step waits for the next connection if none is open when it is due. The default is `true`, so
  /// that a test can force steps before its code connects.
  ///
  /// With `false`, such a step is dropped, as fixes are while an app is in the background. A connection is open from
  /// when it is made until it ends or is closed.
  public var keepsMissedSteps: Bool {
    get { state.withLock(\.keepsMissedSteps) }
    set { state.withLock { $0.keepsMissedSteps = newValue } }
  }

  /// Returns a connection that takes the steps of the next script, and forced steps. It ends at
  /// ``Step/end``, and throws `LocationError` at a step that fails. The request is recorded in ``calls``.
  public func connection(for request: LocationRequest) -> some LocationConnection {
    let bell = Bell()
    let now = clock.now
    let number = state.withLock { state in
      state.calls.append(.connect(request))
      if state.missesSteps { state.forced.removeAll { $0.moment < now } }
      defer { state.connections += 1 }
      state.bells.append((state.connections, bell))
      return state.connections
    }
    return ScriptedConnection(
      source: self, number: number, script: script(number, request), bell: bell)
  }

  /// Adds a step outside the scripts, for the connection that reads next.
  func force(_ step: Step, at moment: Moment) {
    let now = clock.now
    let bells = state.withLock { state in
      if !state.missesSteps || now < moment {
        // Steps forced for one moment keep their order.
        let index = state.forced.firstIndex { moment < $0.moment } ?? state.forced.endIndex
        state.forced.insert(Forced(step: step, moment: moment), at: index)
      }
      return state.bells
    }
    for (_, bell) in bells { bell.ring() }
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

  func forget(_ number: Int) { state.withLock { $0.bells.removeAll { $0.number == number } } }

  func recordClose() { state.withLock { $0.calls.append(.close) } }
}

extension ScriptedLocationSource.State {
  /// Whether a step that is due now is dropped.
  fileprivate var missesSteps: Bool { !keepsMissedSteps && bells.isEmpty }
}
