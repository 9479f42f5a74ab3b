import LocationCore
import Synchronization

/// What a check has seen of one connection or iteration.
struct Transcript: Sendable {
  enum End: Hashable, Sendable {
    case ended
    case failed(LocationError.Code)
    /// Reading stopped before the end.
    case unread
  }

  /// What the check waits for.
  enum Request: Sendable {
    case event
    case deadline(Moment)
    case close
    /// The end, by a read after the end or after `close()`.
    case end(ProviderRule)
    /// The end of something that was cancelled, by its name.
    case cancellation(of: String)
  }

  var events: [LocationEvent] = []
  var end = End.unread
  var timeouts = 0
  /// How long after their deadlines waits ended, of those that did not end before.
  var delays: [Duration] = []
  /// Rules that a single result violates. The check reads no further.
  var violations: [ContractViolation] = []
  var request = Request.event
  /// The moment of the latest result.
  private var latest: Moment?

  /// Whether there is neither an end nor a violation.
  var canContinue: Bool { end == .unread && violations.isEmpty }

  func isUnread(below limit: Int) -> Bool { canContinue && events.count < limit }

  mutating func violate(_ rule: ProviderRule, _ detail: String) {
    violations.append(ContractViolation(rule, detail))
  }

  /// Adds the result of a read, with at most `room` events.
  mutating func add(
    _ read: TimedRead<[TimedEvent]>, deadline: Moment?, room: Int, now: Moment
  ) {
    switch read {
    case .value(let events, _):
      if events.isEmpty { violate(.returnsEvents, "a read returned an empty array") }
      // More events may have arrived together than the check needs.
      for event in events.prefix(room) {
        record(event.moment)
        self.events.append(event.event)
      }
    case .timedOut(let moment):
      record(moment)
      guard let deadline else {
        return violate(.deadlinesEndWaits, "a wait without a deadline timed out")
      }
      let end = min(moment, now)
      if end < deadline {
        violate(
          .deadlinesEndWaits, "a wait timed out \(end.duration(to: deadline)) before its deadline")
      }
      timeouts += 1
    case .ended:
      end = .ended
    }
  }

  private mutating func record(_ moment: Moment) {
    if let latest, moment < latest {
      violate(.momentsGoForward, "\(moment.uptime) came after \(latest.uptime)")
    }
    latest = moment
  }
}

/// The current transcript of a check that runs in a task of its own.
final class TranscriptLog: Sendable {
  enum Signal: Sendable { case reported, finished }

  let signals = Mailbox<Signal>()
  private let current = Mutex(Transcript())

  var transcript: Transcript { current.withLock(\.self) }

  func record(_ request: Transcript.Request) { current.withLock { $0.request = request } }

  func record(_ transcript: Transcript) {
    let count = current.withLock { current in
      defer { current = transcript }
      return current.events.count
    }
    if transcript.events.count != count { signals.send(.reported) }
  }
}
