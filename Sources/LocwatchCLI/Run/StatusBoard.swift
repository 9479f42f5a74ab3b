import LocationCore

/// What the lines that are redrawn have to show: one for each receiver, in the order in which they
/// appeared, or one for the link where there are none.
struct StatusBoard {
  /// A line, and the path of its receiver; `nil` for that of the link.
  struct Line: Equatable {
    var path: String?
    var status: LiveStatus
  }

  fileprivate struct Entry {
    var path: String
    /// `nil` where the link is down, or the receiver has not reported.
    var state: LocationState?
    var since: Moment
    var reason: String?
    var fix: (value: LocationFix, at: Moment)?
    var last: LastFix?
    var used: Int?
    var seen: Int?

    mutating func forgetSatellites() {
      used = nil
      seen = nil
    }
  }

  fileprivate struct LastFix {
    var value: LocationFix
    /// By this machine's clock; `nil` where that is not known.
    var at: Moment?
  }

  fileprivate struct Link {
    var state: LocationState
    var since: Moment
    var last: LastFix?
    var retry: Moment?
  }

  private var link: Link?
  private var receivers: [Entry] = []

  mutating func note(_ update: LocationUpdate, at moment: Moment) {
    switch update {
    case .state(let change):
      guard let device = change.device else { return noteLink(change, at: moment) }
      edit(device, at: moment) { $0.note(change, at: moment) }
    case .fix(let fix):
      edit(fix.device, at: moment) { receiver in
        // What comes too late after a loss is not where the receiver is.
        guard fix.isCurrent || receiver.state?.hasFix == true else { return }
        receiver.fix = (fix, moment)
      }
    case .report(.sky(let sky)):
      edit(sky.device, at: moment) { receiver in
        receiver.used = sky.used ?? receiver.used
        receiver.seen = sky.seen ?? receiver.seen
      }
    case .retry, .report: break
    }
  }

  /// Notes that gpsd is tried again after so long.
  mutating func noteRetry(in delay: Duration, at moment: Moment) {
    link?.retry = moment.advanced(by: delay)
  }

  /// What there is to show; nothing at the very beginning.
  func lines(at now: Moment) -> [Line] {
    let known = receivers.filter { $0.state != nil }
    guard !known.isEmpty else {
      return link.map { [Line(path: nil, status: $0.status(at: now))] } ?? []
    }
    return known.map { receiver in
      var status = receiver.status(at: now)
      // One receiver needs no name.
      if known.count > 1 { status.device = receiver.path }
      return Line(path: receiver.path, status: status)
    }
  }

  private mutating func noteLink(_ change: StateChange, at moment: Moment) {
    let isSame = link?.state == change.state
    var new = Link(state: change.state, since: isSame ? link?.since ?? moment : moment)
    new.last = change.lastFix.map { LastFix($0, endedBy: change, at: moment, cameAt: nil) }
    link = new
    if let retryIn = change.retryIn { noteRetry(in: retryIn, at: moment) }
    // They keep their places.
    for index in receivers.indices {
      receivers[index].state = nil
      receivers[index].fix = nil
      receivers[index].last = nil
      receivers[index].forgetSatellites()
    }
  }

  private mutating func edit(_ path: String, at moment: Moment, _ change: (inout Entry) -> Void) {
    if let index = receivers.firstIndex(where: { $0.path == path }) {
      return change(&receivers[index])
    }
    if receivers.count == Chain.mostReceivers {
      guard
        let gone = receivers.firstIndex(where: { $0.state == nil || $0.state == .noDevice })
      else { return }
      receivers.remove(at: gone)
    }
    var receiver = Entry(path: path, since: moment)
    change(&receiver)
    receivers.append(receiver)
  }
}

extension StatusBoard.Entry {
  fileprivate mutating func note(_ change: StateChange, at moment: Moment) {
    if state != change.state { since = moment }
    state = change.state
    reason = change.state == .lost ? change.reason : nil
    guard !change.state.hasFix else {
      last = nil
      return
    }
    last = change.lastFix.map {
      StatusBoard.LastFix($0, endedBy: change, at: moment, cameAt: fix?.at)
    }
    fix = nil
    // Who is silent, or gone, sees no satellites.
    if change.state == .noDevice || change.reason == "silence" { forgetSatellites() }
  }

  fileprivate func status(at now: Moment) -> LiveStatus {
    var status = LiveStatus(state: state ?? .searching, fix: fix?.value)
    status.duration = since.duration(to: now)
    if let fix {
      status.age = fix.at.duration(to: now)
      // A fix that was held up was old when it came.
      if !fix.value.isCurrent, let age = fix.value.age {
        status.age? += .seconds(max(0, age))
      }
    } else if let last {
      status.lastFix = last.value
      status.age = last.at?.duration(to: now)
    }
    status.reason = reason
    status.satellitesUsed = used
    status.satellitesSeen = seen
    return status
  }
}

extension StatusBoard.Link {
  fileprivate func status(at now: Moment) -> LiveStatus {
    var status = LiveStatus(state: state)
    status.duration = since.duration(to: now)
    status.retryIn = retry.map { now.duration(to: $0) }
    if let last {
      status.lastFix = last.value
      status.age = last.at?.duration(to: now)
    }
    return status
  }
}

extension StatusBoard.LastFix {
  /// - Parameters:
  ///   - change: What ended the fix. How much later that was, its own clocks tell best: the fix may
  ///     have been one that was not to be shown.
  ///   - cameAt: When the last one came that was shown.
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
