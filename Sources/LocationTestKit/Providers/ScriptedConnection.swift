public import LocationCore

/// A connection to a ``ScriptedLocationSource``.
public struct ScriptedConnection: LocationConnection {
  private let source: ScriptedLocationSource
  private let number: Int
  private let bell: Mailbox<Void>
  private var script: ArraySlice<LocationScriptStep>
  /// When the next step of the script is due.
  private var due: Moment
  /// The moment of the latest step, or of the connection if there was none.
  private var latest: Moment
  private var isOver = false
  private var isClosed = false

  init(
    source: ScriptedLocationSource, number: Int, script: [LocationScriptStep],
    bell: Mailbox<Void>
  ) {
    self.source = source
    self.number = number
    self.script = script[...]
    self.bell = bell
    due = source.clock.now
    latest = due
  }

  /// Waits for the next step of the script or a forced step, whichever is due first.
  ///
  /// - Parameter deadline: When to stop waiting, by the source's clock; `nil` waits indefinitely.
  /// - Returns: The event of the step; `TimedRead.ended` after the last step, after ``close()``, or if
  ///   the task is cancelled.
  /// - Throws: `LocationError` if the step is an error.
  public mutating func next(until deadline: Moment?) async throws(LocationError) -> TimedRead<
    [TimedEvent]
  > {
    while !isOver, !Task.isCancelled {
      passWaits()
      let now = source.clock.now
      let isOpen = script.first == .stayOpen
      if let forced = source.takeForced(before: isOpen ? nil : due, by: now) {
        return try take(forced.step, at: max(forced.moment, latest))
      }
      if !isOpen, due <= now {
        guard let step = script.popFirst() else { break }
        return try take(step, at: due)
      }
      if let deadline, deadline <= now { return .timedOut(at: now) }
      let wake = isOpen ? deadline : due.earlier(of: deadline)
      let forced = source.nextForced
      _ = await bell.take(until: forced?.earlier(of: wake) ?? wake, by: source.clock)
    }
    end()
    return .ended
  }

  /// Ends the connection.
  public mutating func close() async {
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

  private mutating func take(
    _ step: LocationScriptStep, at moment: Moment
  ) throws(LocationError) -> TimedRead<[TimedEvent]> {
    latest = moment
    switch step {
    case .event(let event):
      return .event(event, at: moment)
    case .fail(let error):
      end()
      throw error
    case .wait, .stayOpen:
      // Neither step is ever forced, or at the front of a script here.
      end()
      return .ended
    }
  }
}
