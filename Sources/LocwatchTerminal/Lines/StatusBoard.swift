package import LocationCore

/// The contents of the live lines: one for each receiver, in the order of their appearance, or one
/// for the link if there is no receiver.
package struct StatusBoard: Sendable {
  /// A line, with the path of its receiver; the path is `nil` for the link.
  package struct Line: Equatable {
    package var path: String?
    package var status: LiveStatus
  }

  fileprivate struct Entry {
    var path: String
    /// `nil` while the link is down, or before the receiver reports.
    var state: LocationState?
    var since: Moment
    var reason: String?
    var failure: String?
    var fix: (value: LocationFix, at: Moment)?
    var last: LastFix?
  }

  fileprivate struct LastFix {
    var value: LocationFix
    /// The moment by the local clock; `nil` if it is unknown.
    var at: Moment?
  }

  fileprivate struct Link {
    var state: LocationState
    var since: Moment
    var last: LastFix?
    var retry: Moment?
    var failure: String?
  }

  private var link: Link?
  /// The source that was selected as the best; `nil` if there is none.
  private var selected: String?
  /// The corrections; `nil` if none were reported.
  private var corrections: Corrections?
  private var receivers = ReceiverTable<Entry>()
  private var skies = SkyMemory()

  package init() {}

  package mutating func record(_ update: LocationUpdate, at moment: Moment) {
    switch update {
    case .state(let change):
      skies.record(change)
      if change.error?.code == .notRecorded { corrections = nil }
      guard case .receiver(let device) = change.subject else {
        return recordLink(change, at: moment)
      }
      edit(device ?? "", at: moment) { $0.record(change, at: moment) }
    case .fix(let fix):
      edit(fix.device ?? "", at: moment) { receiver in
        // A late fix after a loss is not the current position.
        guard fix.isCurrent || receiver.state?.hasFix == true else { return }
        receiver.fix = (fix, moment)
      }
    case .event(.sky(let sky)): skies.record(sky)
    case .retry(let retry):
      link?.retry = retry.retryIn.map { moment.advanced(by: $0) }
      link?.failure = retry.error.description
    case .change(let change):
      if case .selected(let name, _) = change.kind { selected = name }
    case .event(.corrections(let new)): corrections = new
    case .event: break
    }
  }

  /// Returns the lines to show; none before the first update.
  package func lines(at now: Moment) -> [Line] {
    let known = receivers.values.filter { $0.state != nil }
    guard !known.isEmpty else {
      return link.map { [Line(path: nil, status: $0.status(at: now))] } ?? []
    }
    return known.map { receiver in
      var status = receiver.status(at: now)
      // A single receiver needs no name, but the best of several sources does.
      status.device = known.count > 1 ? receiver.path : selected
      let sky = skies.summary(of: receiver.path.name)
      status.satellitesUsed = sky.used
      status.satellitesSeen = sky.seen
      status.corrections = corrections
      return Line(path: receiver.path, status: status)
    }
  }

  /// Returns the last list of satellites of a receiver with a line; `nil` if none is known.
  package func satellites(of path: String) -> [Satellite]? { skies.satellites(of: path.name) }

  /// The paths of the receivers that have a fix.
  var receiversWithFix: [String] {
    receivers.values.filter { $0.state?.hasFix == true }.map(\.path)
  }

  private mutating func recordLink(_ change: StateChange, at moment: Moment) {
    var new = Link(state: change.state, since: moment)
    new.last = change.lastFix.map { LastFix($0, endedBy: change, at: moment, cameAt: nil) }
    new.retry = change.retryIn.map { moment.advanced(by: $0) }
    new.failure = change.error?.description ?? change.reason
    link = new
    // Receivers keep their lines after a reconnect.
    for index in receivers.indices {
      receivers.values[index].state = nil
      receivers.values[index].fix = nil
      receivers.values[index].last = nil
    }
  }

  /// Changes the entry of a receiver. A new entry can replace the entry of a receiver that is gone, or else
  /// of one without a position.
  private mutating func edit(_ path: String, at moment: Moment, _ change: (inout Entry) -> Void) {
    if let index = receivers.find(path) { return change(&receivers.values[index]) }
    var receiver = Entry(path: path, since: moment)
    change(&receiver)
    let index = receivers.insert(receiver, for: path) {
      $0.state == nil || $0.state == .noDevice
    }
    if index == nil { receivers.insert(receiver, for: path) { $0.state?.hasFix != true } }
  }
}

extension StatusBoard.Entry {
  fileprivate mutating func record(_ change: StateChange, at moment: Moment) {
    if state != change.state { since = moment }
    state = change.state
    reason = change.loss == nil ? nil : change.reasonInWords
    failure = change.state == .noDevice ? change.reason : nil
    guard !change.state.hasFix else {
      last = nil
      return
    }
    last = change.lastFix.map {
      StatusBoard.LastFix($0, endedBy: change, at: moment, cameAt: fix?.at)
    }
    fix = nil
  }

  fileprivate func status(at now: Moment) -> LiveStatus {
    var status = LiveStatus(state: state ?? .searching, fix: fix?.value)
    status.duration = since.duration(to: now)
    if let fix {
      status.age = fix.at.duration(to: now)
      // A delayed fix was already old when it arrived.
      if !fix.value.isCurrent, let age = fix.value.age {
        status.age? += .seconds(max(0, age))
      }
    } else if let last {
      status.lastFix = last.value
      status.age = last.at?.duration(to: now)
    }
    status.reason = reason
    status.failure = failure
    return status
  }
}

extension StatusBoard.Link {
  fileprivate func status(at now: Moment) -> LiveStatus {
    var status = LiveStatus(state: state)
    status.duration = since.duration(to: now)
    status.retryIn = retry.map { now.duration(to: $0) }
    status.failure = failure
    if let last {
      status.lastFix = last.value
      status.age = last.at?.duration(to: now)
    }
    return status
  }
}

extension StatusBoard.LastFix {
  /// - Parameters:
  ///   - change: The transition that ended the fix. The age is computed from the times in both, because the
  ///     last fix may not have been shown.
  ///   - cameAt: When the last fix that was shown arrived.
  fileprivate init(
    _ fix: LocationFix, endedBy change: StateChange, at moment: Moment, cameAt: Moment?
  ) {
    value = fix
    let passed: Duration? =
      if let time = fix.time, let ended = change.time {
        time.duration(to: ended)
      } else if let received = fix.received, let ended = change.moment.wall {
        received.duration(to: ended)
      } else {
        cameAt?.duration(to: moment)
      }
    at = passed.map { moment.advanced(by: .zero - max(.zero, $0)) }
  }
}

extension String {
  /// The path of an entry as the service names it; `nil` if the service does not name it.
  fileprivate var name: String? { isEmpty ? nil : self }
}
