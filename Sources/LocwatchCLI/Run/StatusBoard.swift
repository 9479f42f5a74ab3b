import LocationCore

/// What the line that is redrawn has to show: the link, or one of the receivers behind it.
///
/// That is the one that was shown before, as long as no other has a better fix; two receivers that
/// take turns could not be read.
struct StatusBoard {
  private struct Entry {
    var path: String
    var state: LocationState?
    var since: Moment
    var fix: (value: LocationFix, at: Moment)?
    var used: Int?
    var seen: Int?

    var rank: Int {
      switch state {
      case .fix3D: 3
      case .fix2D: 2
      case .searching, .lost, .connecting: 1
      case .noDevice, .noDaemon, nil: 0
      }
    }
  }

  private var link: (state: LocationState, since: Moment)?
  private var receivers: [Entry] = []
  /// The path of the receiver that is shown; `nil` where there is none yet.
  private(set) var shown: String?

  mutating func note(_ update: LocationUpdate, at moment: Moment) {
    switch update {
    case .state(let change):
      guard let device = change.device else {
        link = (change.state, moment)
        receivers.removeAll()
        return
      }
      edit(device, at: moment) { receiver in
        if receiver.state != change.state { receiver.since = moment }
        receiver.state = change.state
        if !change.state.hasFix { receiver.fix = nil }
      }
      choose()
    case .fix(let fix):
      edit(fix.device, at: moment) { $0.fix = (fix, moment) }
    case .report(.sky(let sky)):
      edit(sky.device, at: moment) { receiver in
        receiver.used = sky.used ?? receiver.used
        receiver.seen = sky.seen ?? receiver.seen
      }
    case .retry, .report: break
    }
  }

  func status(at now: Moment) -> LiveStatus? {
    let known = receivers.filter { $0.state != nil }
    guard let receiver = known.first(where: { $0.path == shown }), let state = receiver.state else {
      return link.map { LiveStatus(state: $0.state, elapsed: $0.since.duration(to: now)) }
    }
    return LiveStatus(
      state: state, fix: receiver.fix?.value,
      elapsed: (receiver.fix?.at ?? receiver.since).duration(to: now),
      // One receiver needs no name.
      device: known.count > 1 ? receiver.path : nil,
      satellitesUsed: receiver.used, satellitesSeen: receiver.seen)
  }

  private mutating func edit(_ path: String, at moment: Moment, _ change: (inout Entry) -> Void) {
    if let index = receivers.firstIndex(where: { $0.path == path }) {
      change(&receivers[index])
    } else if receivers.count < Chain.mostReceivers {
      var receiver = Entry(path: path, since: moment)
      change(&receiver)
      receivers.append(receiver)
    }
  }

  /// Shows another receiver where that is better than the one shown.
  private mutating func choose() {
    let current = receivers.first { $0.path == shown }
    guard let best = receivers.max(by: { $0.rank < $1.rank }) else { return }
    if best.rank > current?.rank ?? -1 { shown = best.path }
  }
}
