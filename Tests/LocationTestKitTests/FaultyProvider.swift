#if canImport(Glibc)
  import Glibc
#endif
@testable import LocationTestKit
import Synchronization

/// A provider that breaks one rule of the contract, or none.
final class FaultyProvider: LocationProvider {
  enum Fault: String, CaseIterable {
    // With connections.
    case sharesEvents, secondIsEmpty, stealsWhileOpen, closingEndsAll, cancellingEndsAll
    case restartsOthers, connectsWhenMade, dropsEventsByRequest, dropsFixesJustAccurateEnough
    // With events.
    case missesAnEvent, reordersEvents, reportsEmptyArrays, dropsUnreadEvents, momentsGoBack
    case stampsWhenRead, stampsAnHourAhead, tellsTheWrongTimeOfDay, splitsWhatArrivesTogether
    // With deadlines.
    case ignoresDeadlines, ignoresPassedDeadlines, reportsNothingAfterDeadlines
    case losesEventsAtDeadlines, losesEventsJustAfterDeadlines, repeatsEventsAfterDeadlines
    case timesOutHalfWay, timesOutLate, timesOutWithoutDeadline, ignoresShortDeadlines
    /// Only where a test moves the clock does the check wait for that long.
    case timesOutAfterMinutes
    case endsAtDeadlines, throwsAtDeadlines, clockStandsStill
    // With cancellation.
    case goesOnWhenCancelled, endsLateWhenCancelled, throwsWhenCancelledInAWait
    case blocksItsThread, leaksAContinuation
    // With closing.
    case closeDoesNothing, closeNeverReturns, closeTakesLong
    // Only where a test moves the clock can these be seen.
    case timesOutALittleLate, losesEventsExactlyAtDeadlines, leavesEventsExactlyAtDeadlines
    /// Only where the check may count connections can this be seen.
    case keepsDroppedConnections
    /// Only where a provider ends can this be seen.
    case missesAnEventAndWaitsAfterItsEnd
  }

  struct Shared {
    var connections = 0
    var open = 0
    /// How many connections have neither been closed nor dropped.
    var held = 0
    /// The next event, where connections share them.
    var index = 0
    var isOver = false
  }

  static let interval = Duration.milliseconds(20)

  let events: [LocationEvent]
  let ending: ContractEnding
  let fault: Fault?
  let clock: LocationClock
  /// The clock by which events come.
  let time: LocationClock
  let shared = Mutex(Shared())

  /// - Parameters:
  ///   - ending: What follows the events, of which one comes every 20 ms.
  ///   - time: The clock by which they come.
  init(
    _ events: [LocationEvent], then ending: ContractEnding, fault: Fault? = nil,
    by time: LocationClock = .live
  ) {
    self.events = events
    self.ending = ending
    self.fault = fault
    self.time = time
    let start = time.now
    clock =
      fault == .clockStandsStill
      ? LocationClock(
        now: { start },
        sleepUntil: { _ in
          let isOver = await LocationClock.patient.sleep(for: .seconds(3600))
          if !isOver { throw CancellationError() }
        })
      : time
  }

  /// Waits by the clock of the check's own limits, whether its task is cancelled or not.
  private static func pass(_ duration: Duration) async {
    await Task { _ = await LocationClock.patient.sleep(for: duration) }.value
  }

  func connection(for request: LocationRequest) -> Connection {
    switch fault {
    case .dropsEventsByRequest where request != LocationRequest():
      makeConnection(of: events.filter { if case .fix = $0 { true } else { false } })
    case .dropsFixesJustAccurateEnough:
      makeConnection(
        of: events.filter {
          guard case .fix(let fix) = $0, let desired = request.desiredAccuracy else { return true }
          return (fix.horizontalError ?? .infinity) < desired
        })
    default: makeConnection(of: events)
    }
  }

  private func makeConnection(of all: [LocationEvent]) -> Connection {
    let number = shared.withLock { shared in
      defer { shared.connections += 1 }
      shared.open += 1
      shared.held += 1
      return shared.connections
    }
    var events = all
    switch fault {
    case .missesAnEvent, .missesAnEventAndWaitsAfterItsEnd: events.removeLast()
    case .reordersEvents: events.swapAt(0, 1)
    case .secondIsEmpty where number > 0: events = []
    default: break
    }
    return Connection(
      provider: self, events: events, start: fault == .connectsWhenMade ? time.now : nil,
      newest: number, hold: Hold(provider: self))
  }

  /// Notices when its connection is dropped.
  final class Hold: Sendable {
    private let provider: FaultyProvider

    init(provider: FaultyProvider) { self.provider = provider }

    deinit {
      if provider.fault != .keepsDroppedConnections { provider.shared.withLock { $0.held -= 1 } }
    }
  }

  struct Connection: LocationConnection {
    let provider: FaultyProvider
    let events: [LocationEvent]
    var start: Moment?
    /// The number of the newest connection that this one knows of.
    var newest: Int
    let hold: Hold
    var index = 0
    var isOver = false
    var timeouts = 0
    var lastRead: Moment?

    private var fault: Fault? { provider.fault }
    private var clock: LocationClock { provider.clock }
    private var time: LocationClock { provider.time }
    /// Events that are kept back would otherwise be before the latest time-out.
    private var stampsWhenRead: Bool {
      switch fault {
      case .stampsWhenRead, .clockStandsStill, .reportsNothingAfterDeadlines,
        .repeatsEventsAfterDeadlines:
        true
      default: false
      }
    }

    mutating func next(
      until deadline: Moment?
    ) async throws(LocationError) -> TimedRead<[TimedEvent]> {
      if lastRead == nil, fault == .connectsWhenMade {
        while let due, due.advanced(by: .milliseconds(50)) <= time.now { index += 1 }
      }
      let newest = provider.shared.withLock(\.connections) - 1
      if fault == .restartsOthers, newest > self.newest, index > 0 {
        index = 0
        start = time.now
      }
      self.newest = newest
      if start == nil { start = time.now }
      if Task.isCancelled { isOver = true }
      if fault == .closingEndsAll || fault == .cancellingEndsAll,
        provider.shared.withLock(\.isOver)
      {
        isOver = true
      }
      guard !isOver else {
        if fault == .missesAnEventAndWaitsAfterItsEnd {
          _ = await clock.sleep(until: clock.now.advanced(by: .seconds(3600)))
        }
        return .ended
      }
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
      if fault == .ignoresShortDeadlines, let deadline, clock.now < deadline,
        clock.now.duration(to: deadline) < .milliseconds(10)
      {
        return try await wait(until: nil)
      }
      let minutes =
        fault == .timesOutAfterMinutes ? clock.now.advanced(by: .seconds(120)) : nil
      return try await wait(until: fault == .ignoresDeadlines ? nil : deadline ?? minutes)
    }

    private mutating func wait(
      until deadline: Moment?
    ) async throws(LocationError) -> TimedRead<[TimedEvent]> {
      while true {
        let now = clock.now
        if let due, due <= time.now {
          if fault == .losesEventsExactlyAtDeadlines, due == deadline, index < events.count {
            index += 1
            return .timedOut(at: now)
          }
          if fault == .leavesEventsExactlyAtDeadlines, due == deadline { return .timedOut(at: now) }
          var moment = fault == .stampsAnHourAhead ? due.advanced(by: .seconds(3600)) : due
          if fault == .tellsTheWrongTimeOfDay {
            moment.wall = moment.wall?.advanced(by: .seconds(3600))
          }
          return try take(at: stampsWhenRead ? now : moment)
        }
        if let deadline, deadline <= now { return try timeOut(at: now) }
        if deadline == nil, fault == .timesOutWithoutDeadline { return .timedOut(at: now) }
        if let deadline, deadline > now, fault == .timesOutHalfWay {
          return .timedOut(at: now)
        }
        var wake = due
        if let deadline, fault != .clockStandsStill { wake = min(deadline, wake ?? deadline) }
        if fault == .timesOutLate || fault == .timesOutALittleLate, let deadline, wake == deadline {
          wake = deadline.advanced(by: .milliseconds(fault == .timesOutLate ? 60 : 1))
        }
        if try await isCancelled(sleepingUntil: wake) { return .ended }
      }
    }

    /// When the next event, or the end, is due; `nil` if there is none.
    private var due: Moment? {
      guard index < events.count || provider.ending != .staysOpen else { return nil }
      let count =
        switch fault {
        case .splitsWhatArrivesTogether: min(index, 1)
        case .connectsWhenMade: index + 1
        default: index
        }
      return start?.advanced(by: FaultyProvider.interval * count)
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
      case .losesEventsJustAfterDeadlines where index < events.count:
        if let due, now.duration(to: due) < .milliseconds(2) { index += 1 }
      case .repeatsEventsAfterDeadlines where timeouts == 1: index = max(0, index - 1)
      default: break
      }
      return .timedOut(at: now)
    }

    private mutating func isCancelled(
      sleepingUntil wake: Moment?
    ) async throws(LocationError) -> Bool {
      let clock = time
      if wake == nil, fault == .leaksAContinuation {
        await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
      }
      let wake = wake ?? clock.now.advanced(by: .seconds(3600))
      if fault == .goesOnWhenCancelled {
        return await Task { !(await clock.sleep(until: wake)) }.value
      }
      if fault == .blocksItsThread {
        Self.block(for: min(clock.now.duration(to: wake), .milliseconds(300)))
      }
      if await clock.sleep(until: wake) { return false }
      isOver = true
      switch fault {
      case .endsLateWhenCancelled:
        await FaultyProvider.pass(.milliseconds(700))
      case .throwsWhenCancelledInAWait: throw LocationError(.cancelled)
      case .cancellingEndsAll: provider.shared.withLock { $0.isOver = true }
      default: break
      }
      return true
    }

    private static func block(for duration: Duration) {
      usleep(UInt32(max(0, duration / .microseconds(1))))
    }

    mutating func close() async {
      if fault == .closeNeverReturns {
        await FaultyProvider.pass(.seconds(3600))
      }
      if fault == .closeTakesLong {
        await FaultyProvider.pass(.milliseconds(1500))
      }
      provider.shared.withLock { shared in
        shared.open -= 1
        if fault == .closingEndsAll { shared.isOver = true }
      }
      if fault != .closeDoesNothing { isOver = true }
    }
  }
}
