import Foundation
import Synchronization

@testable import LocationTestKit

/// A provider that breaks one rule of the contract, or none.
final class FaultyProvider: LocationProvider {
  enum Fault: String, CaseIterable {
    // With connections.
    case sharesEvents, secondIsEmpty, stealsWhileOpen, closingEndsAll, restartsOthers
    case connectsWhenMade, dropsEventsByRequest, dropsFixesJustAccurateEnough
    // With events.
    case missesAnEvent, reordersEvents, reportsEmptyArrays, dropsUnreadEvents, momentsGoBack
    case stampsWhenPolled, stampsAnHourAhead, tellsTheWrongTimeOfDay
    // With quiet polls.
    case losesEventsWhenPolledOften, repeatsEventsWhenPolledOften, endsWhenPolledOften
    case isQuietUntilTheLastEvent, isQuietUntilTheNextEvent
    // With waits.
    case waitsForNothing, waitsTooLong, ringsForNothing, waitsUntilThePast, clockStandsStill
    // With cancellation.
    case endsWhenCancelled, throwsWhenCancelled
    // With calls.
    case pollBlocks, waitBlocks, closeBlocks, closeDoesNothing
    // Where a provider ends.
    case reportsAfterItsEnd, throwsTwice
    /// Only where a test moves the clock can these be seen.
    case endsAfterMinutes, waitsALittleTooLong
    /// Only where the check may count connections can this be seen.
    case keepsDroppedConnections
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
        sleepUntil: { _ in try await LocationClock.patient.sleep(for: .seconds(3600)) })
      : time
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
    case .missesAnEvent: events.removeLast()
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
    let bell = Bell()
    var index = 0
    var isOver = false
    var quietPolls = 0
    var lastPoll: Moment?

    private var fault: Fault? { provider.fault }
    private var time: LocationClock { provider.time }

    mutating func poll(at now: Moment) throws(LocationError) -> Polled<[TimedEvent]> {
      begin()
      guard !isOver else { return try pollAfterTheEnd(at: now) }
      if Task.isCancelled, fault == .endsWhenCancelled || fault == .throwsWhenCancelled {
        isOver = true
        if fault == .throwsWhenCancelled { throw LocationError(.cancelled) }
        return .ended
      }
      defer { lastPoll = now }
      if fault == .dropsUnreadEvents, let lastPoll,
        lastPoll.duration(to: now) > FaultyProvider.interval * 2
      {
        // As a stream does that buffers the newest event.
        index = max(index, events.count - 1)
      }
      if fault == .reportsEmptyArrays { return .received([]) }
      guard let due, due <= time.now else { return beQuiet(at: now) }
      return try take(at: moment(of: due, now))
    }

    private mutating func begin() {
      if lastPoll == nil, fault == .connectsWhenMade {
        while let due, due.advanced(by: .milliseconds(50)) <= time.now { index += 1 }
      }
      let newest = provider.shared.withLock(\.connections) - 1
      if fault == .restartsOthers, newest > self.newest, index > 0 {
        index = 0
        start = time.now
      }
      self.newest = newest
      if start == nil { start = time.now }
      if provider.shared.withLock(\.isOver) { isOver = true }
    }

    private func moment(of due: Moment, _ now: Moment) -> Moment {
      switch fault {
      case .stampsWhenPolled, .clockStandsStill: return now
      // Before the quiet poll, it would not be in order.
      case .repeatsEventsWhenPolledOften where quietPolls >= 7: return now
      case .stampsAnHourAhead: return due.advanced(by: .seconds(3600))
      case .momentsGoBack where index == 1: return due.advanced(by: .seconds(-60))
      case .tellsTheWrongTimeOfDay:
        var moment = due
        moment.wall = moment.wall?.advanced(by: .seconds(3600))
        return moment
      default: return due
      }
    }

    /// When the next event, or the end, is due; `nil` if there is none.
    private var due: Moment? {
      if index >= events.count, provider.ending == .staysOpen {
        return fault == .endsAfterMinutes ? start?.advanced(by: .seconds(120)) : nil
      }
      let count = fault == .connectsWhenMade ? index + 1 : index
      return start?.advanced(by: FaultyProvider.interval * count)
    }

    private mutating func take(at moment: Moment) throws(LocationError) -> Polled<[TimedEvent]> {
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
      return .event(events[next], at: moment)
    }

    private mutating func pollAfterTheEnd(
      at now: Moment
    ) throws(LocationError) -> Polled<[TimedEvent]> {
      if fault == .throwsTwice { throw LocationError(.disconnected, "gone") }
      return fault == .reportsAfterItsEnd ? .event(.notice("still here"), at: now) : .ended
    }

    private mutating func beQuiet(at now: Moment) -> Polled<[TimedEvent]> {
      quietPolls += 1
      switch fault {
      case .losesEventsWhenPolledOften where quietPolls == 7: index += 1
      case .repeatsEventsWhenPolledOften where quietPolls == 7: index -= 1
      case .endsWhenPolledOften where quietPolls == 7:
        isOver = true
        return .ended
      case .isQuietUntilTheLastEvent: return .quiet(at: now.advanced(by: .milliseconds(-1)))
      case .isQuietUntilTheNextEvent: return .quiet(at: due ?? now)
      case .pollBlocks: Thread.sleep(forTimeInterval: 0.2)
      default: break
      }
      return .quiet(at: now)
    }

    mutating func wait() -> Wait {
      switch fault {
      case .waitsForNothing: return Wait()
      case .waitsUntilThePast: return Wait(until: .past)
      case .waitsTooLong: return Wait(until: due?.advanced(by: .milliseconds(150)))
      case .waitsALittleTooLong: return Wait(until: due?.advanced(by: .milliseconds(1)))
      case .ringsForNothing: bell.ring()
      case .waitBlocks: Thread.sleep(forTimeInterval: 0.2)
      default: break
      }
      return Wait(for: bell, until: due)
    }

    mutating func close() {
      if fault == .closeBlocks { Thread.sleep(forTimeInterval: 0.2) }
      provider.shared.withLock { shared in
        shared.open -= 1
        if fault == .closingEndsAll { shared.isOver = true }
      }
      if fault != .closeDoesNothing { isOver = true }
    }
  }
}
