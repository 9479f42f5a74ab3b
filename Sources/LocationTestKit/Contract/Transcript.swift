import LocationCore
import Synchronization

/// What a check has seen of one connection.
struct Transcript: Sendable {
  enum End: Hashable, Sendable {
    case ended
    case failed(LocationError.Code)
    /// Reading stopped before the end.
    case unread
    /// Nothing more came for as long as the check waits.
    case stuck
  }

  /// A call of the connection, and how long it took in real time.
  struct Call: Sendable {
    var name = ""
    var duration = Duration.zero
  }

  /// How many polls in a row may be quiet within 80 ms.
  private static let maximumQuietPolls = 100

  var events: [LocationEvent] = []
  var end = End.unread
  /// Rules that are violated. After a violation, the check stops reading.
  var violations: [ContractViolation] = []
  var longestCall = Call()
  /// The times from events until the ends of the waits for them.
  var delays: [Duration] = []
  /// The moment of the last poll if it was quiet.
  private(set) var quiet: Moment?
  /// The moment of the latest result.
  private var latest: Moment?
  /// When the polls in a row began that were quiet, and how many there were.
  private var quietPolls: (start: Moment, count: Int)?
  /// Whether events that the next poll returns have come before it.
  var hasPaused = false
  private let excused: Set<ProviderRule>

  init(excusing excused: Set<ProviderRule> = []) { self.excused = excused }

  /// Whether there is neither an end nor a violation.
  var canContinue: Bool { end == .unread && violations.isEmpty }

  func isUnread(below limit: Int) -> Bool { canContinue && events.count < limit }

  mutating func violate(_ rule: ProviderRule, _ detail: String) {
    guard !excused.contains(rule) else { return }
    violations.append(ContractViolation(rule, detail))
  }

  /// Adds the result of a poll, with at most `room` events.
  ///
  /// - Parameters:
  ///   - start: The moment of the poll.
  ///   - now: When it returned.
  mutating func add(
    _ result: PollResult, room: Int, from start: Moment, to now: Moment
  ) {
    defer { hasPaused = false }
    switch result {
    case .success(.received(let events)):
      add(events, room: room, from: start, to: now)
      quiet = nil
      quietPolls = nil
    case .success(.quiet(let moment)):
      if moment < start || now < moment {
        violate(
          .quietUntilNow, "a poll at \(start.uptime) was quiet until \(moment.uptime)")
      }
      record(moment)
      quiet = start
      countQuietPoll(at: now)
    case .success(.ended): end = .ended
    case .failure(let error): end = .failed(error.code)
    }
  }

  private mutating func add(
    _ events: [TimedEvent], room: Int, from start: Moment, to now: Moment
  ) {
    guard let first = events.first?.moment, let last = events.last?.moment else {
      return violate(.returnsEvents, "a poll returned an empty array")
    }
    if hasPaused, start <= first {
      violate(
        .momentsOfArrival,
        "events that came between two polls have the moment of the second poll")
    }
    if let quiet, quiet < first { delays.append(first.duration(to: start)) }
    // More events may have arrived together than the check needs.
    for event in events.prefix(room) {
      record(event.moment)
      self.events.append(event.event)
    }
    if now < last {
      violate(
        .momentsOfArrival, "an event has a moment \(now.duration(to: last)) ahead of the clock")
    }
    if let error = last.wallError(by: now), error > .seconds(1) || error < .seconds(-1) {
      violate(
        .wallTimesAgree, "an event has a time of day \(error) ahead of the clock's at that moment")
    }
  }

  private mutating func countQuietPoll(at now: Moment) {
    var polls = quietPolls ?? (now, 0)
    polls.count += 1
    quietPolls = polls
    guard polls.count >= Self.maximumQuietPolls else { return }
    quietPolls = nil
    let duration = polls.start.duration(to: now)
    if duration < .milliseconds(80) {
      violate(.waitsForSomething, "\(polls.count) waits in a row ended within \(duration)")
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

/// The progress of a part of the check, which runs in a task of its own.
final class TranscriptLog: Sendable {
  enum Signal: Sendable { case reported, finished }

  let signals = Mailbox<Signal>()
  /// The rules that are not checked.
  let excused: Set<ProviderRule>
  /// How long the check waits, in real time.
  let patience: Duration
  /// The latest call of a connection.
  let call = Mutex("")

  init(excusing excused: Set<ProviderRule>, patience: Duration) {
    self.excused = excused
    self.patience = patience
  }
}
