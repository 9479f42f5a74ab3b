public import LocationCore

/// One connection to a ``ScriptedLocationSource``.
public struct ScriptedConnection: LocationConnection {
  private let source: ScriptedLocationSource
  private let number: Int
  private let bell: Rendezvous<Void>
  private var script: ArraySlice<LocationScriptStep>
  /// When the next step of the script comes.
  private var due: Moment
  /// The moment of what came last, and before that of the connection.
  private var latest: Moment
  private var isOver = false

  init(
    source: ScriptedLocationSource, number: Int, script: [LocationScriptStep],
    bell: Rendezvous<Void>
  ) {
    self.source = source
    self.number = number
    self.script = script[...]
    self.bell = bell
    due = source.clock.now
    latest = due
  }

  /// The next step of the script, or what was forced before it.
  ///
  /// - Parameter deadline: When to stop waiting, by the source's clock; `nil` waits for ever.
  /// - Throws: `LocationError` where the script, or the test, says that it fails.
  public mutating func next(until deadline: Moment?) async throws(LocationError) -> LocationRead {
    while !isOver, !Task.isCancelled {
      passWaits()
      let now = source.clock.now
      let isOpen = script.first == .stayOpen
      if let forced = source.takeForced(before: isOpen ? nil : due, by: now) {
        return try await take(forced.step, at: max(forced.moment, latest))
      }
      if !isOpen, due <= now {
        guard let step = script.popFirst() else { break }
        return try await take(step, at: due)
      }
      if let deadline, deadline <= now { return .timedOut(at: now) }
      let wake = isOpen ? deadline : due.orEarlier(deadline)
      let forced = source.nextForced
      _ = await bell.take(until: forced?.orEarlier(wake) ?? wake, by: source.clock)
    }
    await close()
    return .ended
  }

  /// Hangs up; the source forgets it.
  public mutating func close() async {
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
  ) async throws(LocationError) -> LocationRead {
    latest = moment
    switch step {
    case .event(let event):
      return .event(event, at: moment)
    case .fail(let error):
      await close()
      throw error
    case .wait, .stayOpen:
      // Neither is ever forced, nor left at the front of a script.
      await close()
      return .ended
    }
  }
}
