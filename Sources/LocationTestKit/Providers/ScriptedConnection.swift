import LocationCore

/// A connection to a ``ScriptedLocationSource``.
struct ScriptedConnection: LocationConnection {
  private let source: ScriptedLocationSource
  private let number: Int
  private let bell: Bell
  private var script: ArraySlice<ScriptedLocationSource.Step>
  /// When the next step of the script is due.
  private var due: Moment
  /// The moment of the latest step, or of the connection if there was none.
  private var latest: Moment
  /// The error of a step that was due together with events, which were returned first.
  private var failure: LocationError?
  private var isOver = false
  private var isClosed = false

  init(
    source: ScriptedLocationSource, number: Int, script: [ScriptedLocationSource.Step],
    bell: Bell
  ) {
    self.source = source
    self.number = number
    self.script = script[...]
    self.bell = bell
    due = source.clock.now
    latest = due
  }

  /// Returns the events of all steps that are due together: of the script, and forced ones.
  ///
  /// - Throws: `LocationError` if the step is an error.
  mutating func poll(at now: Moment) throws(LocationError) -> Polled<[TimedEvent]> {
    while !isOver {
      if let failure = failure.take() {
        end()
        throw failure
      }
      let events = takeDue(by: now)
      if !events.isEmpty { return .received(events) }
      if failure == nil, !isOver { return .quiet(at: now) }
    }
    end()
    return .ended
  }

  mutating func wait() -> Wait {
    var wait = Wait(for: bell, until: source.nextForced)
    if !script.isEmpty { wait.end(by: due) }
    return wait
  }

  /// Ends the connection.
  mutating func close() {
    if !isClosed { source.recordClose() }
    isClosed = true
    end()
  }

  private mutating func end() {
    isOver = true
    source.forget(number)
  }

  private mutating func passWaits() {
    while case .wait(let duration) = script.first {
      due = due.advanced(by: duration)
      script.removeFirst()
    }
  }

  /// Takes the first steps that are due, all of which have the same moment.
  private mutating func takeDue(by now: Moment) -> [TimedEvent] {
    var events: [TimedEvent] = []
    while failure == nil, !isOver,
      let (step, moment) = takeStep(by: now, with: events.last?.moment)
    {
      latest = moment
      switch step {
      case .event(let event): events.append(TimedEvent(event, at: moment))
      case .fail(let error): failure = error
      // A wait is never forced, or at the front of a script here.
      case .end, .wait: isOver = true
      }
    }
    return events
  }

  /// Takes the next step if it is due by `now`, and at `together` unless that is `nil`.
  private mutating func takeStep(
    by now: Moment, with together: Moment?
  ) -> (step: ScriptedLocationSource.Step, moment: Moment)? {
    passWaits()
    let limit = together ?? now
    if let forced = source.takeForced(before: script.isEmpty ? nil : due, by: limit) {
      return (forced.step, max(forced.moment, latest))
    }
    guard due <= limit else { return nil }
    return script.popFirst().map { ($0, due) }
  }
}
