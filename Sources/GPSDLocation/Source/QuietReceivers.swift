import LocationCore

/// Which receivers have said nothing for long, while others behind the same gpsd do, and whether their
/// devices are there.
///
/// gpsd 3.22 does not listen to a receiver that is plugged in again before somebody speaks to it, and
/// gives up one that is not there when somebody does. With one receiver that silence is the connection's;
/// with several it drowns in what the others say.
struct QuietReceivers: Sendable {
  /// More are not looked after; gpsd itself takes four to six.
  private static let most = 64

  enum Change: Equatable {
    /// The device of the receiver at this path is gone.
    case gone(String)
    /// A device is back.
    case back
  }

  private var receivers: [(path: String, watch: NodeWatch)] = []
  private var latest = 0
  private var nudged: Moment?

  /// Whether gpsd is not to be spoken to, because it would give up a receiver: one is unplugged, and none
  /// that has come back needs it.
  var needsPeace: Bool {
    var needsPeace = false
    for receiver in receivers {
      if receiver.watch.isReturned { return false }
      needsPeace = needsPeace || receiver.watch.isAway
    }
    return needsPeace
  }

  /// When a device is to be looked for, or the receiver that has been quiet longest is due for a nudge,
  /// `pause` after its last report and after the last nudge. `nil` where neither will be.
  func deadline(after pause: Nanoseconds) -> Moment? {
    var deadline = nudgeDeadline(after: pause)
    for receiver in receivers {
      if let look = receiver.watch.deadline { deadline = look.orEarlier(deadline) }
    }
    return deadline
  }

  /// Whether a receiver is due for a nudge.
  func needsNudge(at moment: Moment, after pause: Nanoseconds) -> Bool {
    nudgeDeadline(after: pause).map { $0 <= moment } ?? false
  }

  private func nudgeDeadline(after pause: Nanoseconds) -> Moment? {
    var quietest: Moment?
    for receiver in receivers where !receiver.watch.isAway {
      quietest = receiver.watch.heard.orEarlier(quietest)
    }
    guard let quietest, !needsPeace else { return nil }
    return (nudged.map { max($0, quietest) } ?? quietest).later(by: pause)
  }

  /// Notes that a receiver reported.
  mutating func hear(_ path: String, at moment: Moment, _ lookup: (String) -> DeviceNode?) {
    guard let index = index(of: path, at: moment) else { return }
    receivers[index].watch.hear(at: moment) { lookup(path) }
  }

  /// Notes that gpsd has a receiver, whose reports are to come.
  mutating func expect(_ path: String, at moment: Moment) { _ = index(of: path, at: moment) }

  mutating func forget(_ path: String) { receivers.removeAll { $0.path == path } }

  /// Forgets those that gpsd does not list.
  mutating func forgetAll(but paths: [String]) {
    receivers.removeAll { !$0.path.isEmpty && !paths.contains($0.path) }
  }

  mutating func noteNudge(at moment: Moment) { nudged = moment }

  /// Looks for the devices for which that is due, until there is a change.
  mutating func look(at moment: Moment, _ lookup: (String) -> DeviceNode?) -> Change? {
    for index in receivers.indices {
      let path = receivers[index].path
      switch receivers[index].watch.look(at: moment, for: { lookup(path) }) {
      case .gone: return .gone(path)
      case .back: return .back
      case nil: break
      }
    }
    return nil
  }

  /// The place of a receiver; a new one where it is new, and there is room.
  private mutating func index(of path: String, at moment: Moment) -> Int? {
    if latest < receivers.count, receivers[latest].path == path { return latest }
    if let index = receivers.firstIndex(where: { $0.path == path }) {
      latest = index
      return index
    }
    guard receivers.count < Self.most else { return nil }
    receivers.append((path, NodeWatch(expectedSince: moment)))
    latest = receivers.count - 1
    return latest
  }
}
