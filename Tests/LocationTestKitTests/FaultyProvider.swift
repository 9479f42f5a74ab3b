import LocationTestKit
import Synchronization

/// A provider that breaks one rule of the contract, or none.
final class FaultyProvider: LocationProvider {
  enum Fault: String, CaseIterable {
    // With connections.
    case sharesEvents, secondIsEmpty, stealsWhileOpen, closingEndsAll, cancellingEndsAll
    // With events.
    case missesAnEvent, reordersEvents, reportsEmptyArrays, dropsUnreadEvents, momentsGoBack
    // With deadlines.
    case ignoresDeadlines, ignoresPassedDeadlines, reportsNothingAfterDeadlines
    case losesEventsAtDeadlines, repeatsEventsAfterDeadlines
    case timesOutHalfWay, timesOutLate, timesOutWithoutDeadline
    case endsAtDeadlines, throwsAtDeadlines, clockStandsStill
    // With cancellation.
    case goesOnWhenCancelled, endsLateWhenCancelled, throwsWhenCancelledInAWait
    // With closing.
    case closeDoesNothing, closeNeverReturns
  }

  struct Shared {
    var connections = 0
    var open = 0
    /// The next event, where connections share them.
    var index = 0
    var isOver = false
  }

  static let interval = Duration.milliseconds(20)

  let events: [LocationEvent]
  let ending: ContractEnding
  let fault: Fault?
  let clock: LocationClock
  let shared = Mutex(Shared())

  /// - Parameter ending: What follows the events, of which one comes every 20 ms.
  init(_ events: [LocationEvent], then ending: ContractEnding, fault: Fault? = nil) {
    self.events = events
    self.ending = ending
    self.fault = fault
    let start = LocationClock.live.now
    clock =
      fault == .clockStandsStill
      ? LocationClock(
        now: { start }, sleepUntil: { _ in try await Task.sleep(for: .seconds(3600)) })
      : .live
  }

  func connection() -> Connection {
    let number = shared.withLock { shared in
      defer { shared.connections += 1 }
      shared.open += 1
      return shared.connections
    }
    var events = events
    switch fault {
    case .missesAnEvent: events.removeLast()
    case .reordersEvents: events.swapAt(0, 1)
    case .secondIsEmpty where number > 0: events = []
    default: break
    }
    return Connection(provider: self, events: events)
  }

  struct Connection: LocationConnection {
    let provider: FaultyProvider
    let events: [LocationEvent]
    var start: Moment?
    var index = 0
    var isOver = false
    var hasFailed = false
    var timeouts = 0
    var lastRead: Moment?

    private var fault: Fault? { provider.fault }
    private var clock: LocationClock { provider.clock }

    mutating func next(
      until deadline: Moment?
    ) async throws(LocationError) -> TimedRead<[TimedEvent]> {
      if start == nil { start = LocationClock.live.now }
      if Task.isCancelled { isOver = true }
      if fault == .closingEndsAll || fault == .cancellingEndsAll,
        provider.shared.withLock(\.isOver)
      {
        isOver = true
      }
      guard !isOver else { return .ended }
      if fault == .dropsUnreadEvents, let lastRead,
        lastRead.duration(to: clock.now) > FaultyProvider.interval * 2
      {
        // As a stream does that buffers the newest event.
        index = max(index, events.count - 1)
      }
      defer { lastRead = clock.now }
      if fault == .reportsEmptyArrays { return .value([], at: clock.now) }
      if let deadline, deadline <= clock.now {
        switch fault {
        case .reportsNothingAfterDeadlines: return .timedOut(at: clock.now)
        case .ignoresPassedDeadlines: return try await wait(until: nil)
        default: break
        }
      }
      return try await wait(until: fault == .ignoresDeadlines ? nil : deadline)
    }

    private mutating func wait(
      until deadline: Moment?
    ) async throws(LocationError) -> TimedRead<[TimedEvent]> {
      while true {
        let now = clock.now
        if let due, due <= LocationClock.live.now { return try take(at: now) }
        if let deadline, deadline <= now { return try timeOut(at: now) }
        if deadline == nil, fault == .timesOutWithoutDeadline { return .timedOut(at: now) }
        if let deadline, deadline > now, fault == .timesOutHalfWay {
          return .timedOut(at: now)
        }
        var wake = due
        if let deadline, fault != .clockStandsStill { wake = min(deadline, wake ?? deadline) }
        if fault == .timesOutLate, let deadline, wake == deadline {
          wake = deadline.advanced(by: .milliseconds(60))
        }
        if try await isCancelled(sleepingUntil: wake) { return .ended }
      }
    }

    /// When the next event, or the end, is due; `nil` if there is none.
    private var due: Moment? {
      guard index < events.count || provider.ending != .staysOpen else { return nil }
      return start?.advanced(by: FaultyProvider.interval * index)
    }

    private mutating func take(
      at now: Moment
    ) throws(LocationError) -> TimedRead<[TimedEvent]> {
      var next = index
      if fault == .sharesEvents || fault == .stealsWhileOpen {
        next = provider.shared.withLock { shared in
          // Connections one after another start from the beginning.
          if fault == .stealsWhileOpen, shared.open == 1 { shared.index = index }
          defer { shared.index += 1 }
          return shared.index
        }
      }
      guard next < events.count else {
        isOver = true
        if case .fails(let code) = provider.ending { throw LocationError(code, "gone") }
        return .ended
      }
      index = next + 1
      let back = fault == .momentsGoBack && next == 1
      return .event(events[next], at: back ? now.advanced(by: .seconds(-60)) : now)
    }

    private mutating func timeOut(
      at now: Moment
    ) throws(LocationError) -> TimedRead<[TimedEvent]> {
      timeouts += 1
      switch fault {
      case .endsAtDeadlines:
        isOver = true
        return .ended
      case .throwsAtDeadlines:
        isOver = true
        throw LocationError(.timedOut, "too late")
      case .losesEventsAtDeadlines where index < events.count: index += 1
      case .repeatsEventsAfterDeadlines where timeouts == 1: index = max(0, index - 1)
      default: break
      }
      return .timedOut(at: now)
    }

    private mutating func isCancelled(
      sleepingUntil wake: Moment?
    ) async throws(LocationError) -> Bool {
      let clock = LocationClock.live
      let wake = wake ?? clock.now.advanced(by: .seconds(3600))
      if fault == .goesOnWhenCancelled {
        return await Task { !(await clock.sleep(until: wake)) }.value
      }
      if await clock.sleep(until: wake) { return false }
      isOver = true
      switch fault {
      case .endsLateWhenCancelled:
        await Task { try? await Task.sleep(for: .milliseconds(700)) }.value
      case .throwsWhenCancelledInAWait: throw LocationError(.cancelled)
      case .cancellingEndsAll: provider.shared.withLock { $0.isOver = true }
      default: break
      }
      return true
    }

    mutating func close() async {
      if fault == .closeNeverReturns {
        await Task { try? await Task.sleep(for: .seconds(3600)) }.value
      }
      provider.shared.withLock { shared in
        shared.open -= 1
        if fault == .closingEndsAll { shared.isOver = true }
      }
      if fault != .closeDoesNothing { isOver = true }
    }
  }
}
