import LocationCore

/// What is known of a source: the reports and states that still apply, collected from its updates.
struct KnownState: Sendable {
  /// The reports that still apply, in their order: the service, the receivers and their satellites.
  private var reports: [KeptReport] = []
  /// The last change of the link or of each receiver, in their order.
  private(set) var changes: [StateChange] = []
  /// The time of the last current fix of each receiver, and when it arrived.
  private var times = ReceiverTable<(time: Timestamp, moment: Moment)>()

  private typealias KeptReport = (key: Key, update: LocationUpdate)
  /// The maximum number of receivers that are remembered, because a recording can name any number of them.
  private static let maximumKept = 256

  private enum Key: Hashable {
    case service, receivers
    case receiver(String)
    case sky(String?)
    case corrections, correctionsChange
  }

  /// Records an update, which arrived at a moment.
  mutating func record(_ update: LocationUpdate, at moment: Moment) {
    switch update {
    case .state(let change): record(change)
    case .event(.service): keep(update, as: .service)
    case .event(.receivers):
      reports.removeAll { if case .receiver = $0.key { true } else { false } }
      keep(update, as: .receivers)
    case .event(.receiver(let receiver)): keep(update, as: .receiver(receiver.path))
    case .event(.removed(let path)):
      reports.removeAll { $0.key == .receiver(path) }
    case .event(.sky(let sky)): keep(update, as: .sky(sky.device))
    case .event(.corrections): keep(update, as: .corrections)
    case .change(let change):
      if case .corrections = change.kind { keep(update, as: .correctionsChange) }
    case .fix(let fix):
      if fix.isCurrent, let time = fix.time { times[fix.device] = (time, moment) }
    case .event, .retry: break
    }
  }

  private mutating func record(_ change: StateChange) {
    reports.removeAll { report in
      switch report.key {
      case .sky(let device): change.endsSky(of: device)
      case .corrections, .correctionsChange: change.error?.code == .notRecorded
      case .service, .receivers, .receiver: false
      }
    }
    // A failure of the link ends the states of its receivers. A later state of a receiver replaces that of the link.
    changes.removeAll {
      change.subject == .link || $0.subject == .link || $0.subject == change.subject
    }
    if changes.count >= Self.maximumKept { changes.removeFirst() }
    changes.append(change)
  }

  private mutating func keep(_ update: LocationUpdate, as key: Key) {
    reports.removeAll { $0.key == key }
    if reports.count >= Self.maximumKept { reports.removeFirst() }
    reports.append((key, update))
  }

  /// Returns the updates by which something that begins at a moment has the state of that moment.
  func updates(at beginning: Moment) -> [LocationUpdate] {
    reports.map { report in
      guard case .change(var change) = report.update,
        case .corrections(let corrections, _) = change.kind
      else { return report.update }
      change.kind = .corrections(corrections, previous: nil)
      change.moment = beginning
      return .change(change)
    }
      + changes.map { change in
        var change = change
        change.time = time(of: change, at: beginning)
        change.moment = beginning
        change.previous = nil
        // The moment may be any of that time.
        change.retryIn = nil
        return .state(change)
      }
  }

  /// Returns the time of a receiver at the beginning: by its last fix or, without one since the change, by the change. It
  /// does not depend on when the state began, so that nothing of a long time before is needed.
  private func time(of change: StateChange, at beginning: Moment) -> Timestamp? {
    guard case .receiver(let path) = change.subject, let last = times[path],
      last.moment >= change.moment
    else { return change.time?.later(by: change.moment.nanoseconds(to: beginning)) }
    return last.time.later(by: last.moment.nanoseconds(to: beginning))
  }
}
