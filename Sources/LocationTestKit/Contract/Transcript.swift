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
  /// The moments of a connection's events.
  var moments: [Moment] = []
  var end = End.unread
  var timeouts = 0
  /// How long after their deadlines waits ended, except for waits that ended before.
  var delays: [Duration] = []
  /// How long events had arrived before the reads that returned them, for each read whose previous read had
  /// timed out.
  var leads: [Duration] = []
  /// The longest delay of a wait between two reads.
  var longestOversleep = Duration.zero
  /// Rules that a single result violates. After a violation, the check stops reading.
  var violations: [ContractViolation] = []
  var request = Request.event
  /// The moment of the latest result.
  private var latest: Moment?
  /// The moment of the latest event, unless a read has timed out since.
  private var latestEvent: Moment?
  private let excused: Set<ProviderRule>

  init(excusing excused: Set<ProviderRule> = []) { self.excused = excused }

  /// Whether there is neither an end nor a violation.
  var canContinue: Bool { end == .unread && violations.isEmpty }

  func isUnread(below limit: Int) -> Bool { canContinue && events.count < limit }

  mutating func violate(_ rule: ProviderRule, _ detail: String) {
    guard !excused.contains(rule) else { return }
    violations.append(ContractViolation(rule, detail))
  }

  /// Adds the result of a read, with at most `room` events.
  ///
  /// - Parameters:
  ///   - start: When the read began, by the provider's clock.
  ///   - now: When it ended.
  mutating func add(
    _ read: TimedRead<[TimedEvent]>, deadline: Moment?, room: Int, from start: Moment,
    to now: Moment
  ) {
    switch read {
    case .value(let events, _):
      if events.isEmpty { violate(.returnsEvents, "a read returned an empty array") }
      if let first = events.first?.moment, first == latestEvent, first < start {
        violate(
          .returnsTogether,
          "two events arrived at \(first.uptime), and the second one was returned by another read")
      }
      // More events may have arrived together than the check needs.
      for event in events.prefix(room) {
        record(event.moment)
        self.events.append(event.event)
        moments.append(event.moment)
      }
      if let last = events.last?.moment {
        latestEvent = last
        if now < last {
          violate(
            .momentsOfArrival, "an event has a moment \(now.duration(to: last)) ahead of the clock")
        }
        if let error = last.wallError(by: now), error > .seconds(1) || error < .seconds(-1) {
          violate(
            .wallTimesAgree,
            "an event has a time of day \(error) ahead of the clock's at that moment")
        }
      }
    case .timedOut(let moment):
      record(moment)
      guard let deadline else {
        return violate(.deadlinesEndWaits, "a wait without a deadline timed out")
      }
      latestEvent = nil
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

extension Moment {
  /// How far the time of day is ahead of the one that a clock had at this moment, computed from a later reading of the
  /// clock; `nil` if one of them is unknown.
  fileprivate func wallError(by now: Moment) -> Duration? {
    guard let wall, let expected = now.advanced(by: now.duration(to: self)).wall else { return nil }
    return expected.duration(to: wall)
  }
}

/// The current transcript of a check that runs in a task of its own.
final class TranscriptLog: Sendable {
  enum Signal: Sendable { case reported, finished }

  let signals = Mailbox<Signal>()
  /// The rules that are not checked.
  let excused: Set<ProviderRule>
  private let current: Mutex<Transcript>

  init(excusing excused: Set<ProviderRule>) {
    self.excused = excused
    current = Mutex(Transcript(excusing: excused))
  }

  /// A separate log, for events that are not progress of the check.
  var aside: TranscriptLog { TranscriptLog(excusing: excused) }

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
