import LocationCore

/// Which receivers have said nothing for long, while others behind the same gpsd do.
///
/// gpsd 3.22 does not listen to a receiver that is plugged in again before somebody speaks to it.
/// With one receiver that silence is the connection's; with several it drowns in what the others say.
struct QuietReceivers: Sendable {
  /// More are not looked after; gpsd itself takes four to six.
  private static let most = 64

  private var receivers: [(path: String, heard: Moment)] = []
  private var latest = 0
  private var nudged: Moment?

  /// When the one that has been quiet longest is due for a nudge, `pause` after its last report and
  /// after the last nudge. `nil` without a receiver.
  func deadline(after pause: Nanoseconds) -> Moment? {
    guard var quietest = receivers.first?.heard else { return nil }
    for receiver in receivers { quietest = min(quietest, receiver.heard) }
    return nudged.map { max($0, quietest) }.map { $0.later(by: pause) }
      ?? quietest.later(by: pause)
  }

  mutating func hear(_ path: String, at moment: Moment) {
    if latest < receivers.count, receivers[latest].path == path {
      receivers[latest].heard = moment
    } else if let index = receivers.firstIndex(where: { $0.path == path }) {
      latest = index
      receivers[index].heard = moment
    } else if receivers.count < Self.most {
      receivers.append((path, moment))
    }
  }

  mutating func forget(_ path: String) { receivers.removeAll { $0.path == path } }

  mutating func noteNudge(at moment: Moment) { nudged = moment }
}
