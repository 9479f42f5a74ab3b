import Testing

@testable import LocationCore

/// A machine under test. Its output is text: one line for each transition or fix, with the
/// moment in seconds, the receiver and what happened.
struct Watch {
  private var machine: LinkMachine
  private var queue = UpdateQueue()

  init(
    stale: Duration? = nil, needs: FixNeeds = FixNeeds(),
    clockError: @escaping @Sendable () -> Double? = { nil }
  ) {
    machine = LinkMachine(staleAfter: stale, needs: needs, clockError: clockError)
    machine.start(at: Reports.moment(0), into: &queue)
    _ = queue.take()
  }

  var deadline: Double? { machine.deadline?.uptime.inSeconds }

  /// Takes what comes, and does then what is due up to `end`.
  mutating func play(
    _ events: [(Double, LocationEvent)], until end: Double? = nil
  ) -> [String] {
    for (second, event) in events {
      machine.handle(event, at: Reports.moment(second), into: &queue)
    }
    if let end { machine.expire(at: Reports.moment(end), into: &queue) }
    return told()
  }

  mutating func fail(
    _ error: LocationError = LocationError(.disconnected, "gone"), retryIn: Duration? = nil,
    at second: Double
  ) -> [String] {
    machine.fail(error, retryIn: retryIn, at: Reports.moment(second), into: &queue)
    return told()
  }

  mutating func finish(at second: Double) -> [String] {
    machine.finish(at: Reports.moment(second), into: &queue)
    return told()
  }

  private mutating func told() -> [String] {
    var lines: [String] = []
    while let (update, moment) = queue.take() {
      if let line = Self.line(update, at: moment) { lines.append(line) }
    }
    return lines
  }

  /// What a read returned; `nil` if it was none.
  static func line(_ read: TimedRead<LocationUpdate>?) -> String? {
    switch read {
    case .value(let update, let moment): line(update, at: moment)
    case .timedOut(let moment): "\(moment.uptime) timed out"
    case .ended: "ended"
    case nil: nil
    }
  }

  /// What a poll returned.
  static func line(_ polled: Polled<TimedUpdate>) -> String? {
    switch polled {
    case .received((let update, let moment)): line(update, at: moment)
    case .quiet(let moment): "\(moment.uptime.inSeconds) quiet"
    case .ended: "ended"
    }
  }

  static func line(_ update: LocationUpdate, at moment: Moment) -> String? {
    let second = "\(moment.uptime.inSeconds)"
    switch update {
    case .state(let change):
      #expect(change.moment == moment)
      let receiver = if case .receiver(let path) = change.subject { " \(path ?? "")" } else { "" }
      let previous = change.previous.map { " \($0.rawValue) >" } ?? ""
      let reason = change.reason.map { ": \($0)" } ?? ""
      return "\(second)\(receiver)\(previous) \(change.state.rawValue)\(reason)"
    case .fix(let fix):
      let time = fix.time.map { " \(Reports.start.duration(to: $0).inSeconds)" } ?? ""
      let jump = fix.timeJump.map { " jumped \($0.inSeconds)" } ?? ""
      let mode = fix.mode == .fix3D ? "3d" : "2d"
      return "\(second) \(fix.device ?? "") \(mode)\(time)\(fix.isCurrent ? "" : " late")\(jump)"
    case .change(let change):
      #expect(change.moment == moment)
      let values = "\(change.kind.previous ?? "-") > \(change.kind.value ?? "-")"
      return "\(second) \(change.device ?? "") \(change.kind.name) \(values)"
    case .retry(let retry):
      #expect(retry.moment == moment)
      return "\(second) still no-daemon: \(retry.error)"
    case .event:
      return nil
    }
  }
}
