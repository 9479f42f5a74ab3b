import LocationCore
import Synchronization

/// A clock on which waiting takes no time.
final class FuzzClock: Sendable {
  private let uptime = Mutex(Duration.seconds(1000))

  /// The system's clock is far from the receivers', and that must not matter.
  private static let bootTime = Timestamp(secondsSince1970: 1_600_000_000)

  var now: Moment {
    let uptime = uptime.withLock(\.self)
    return Moment(uptime: uptime, wall: Self.bootTime.advanced(by: uptime))
  }

  /// Never goes back.
  func advance(to moment: Moment) { uptime.withLock { $0 = max($0, moment.uptime) } }

  var locationClock: LocationClock {
    LocationClock(now: { self.now }, sleepUntil: { self.advance(to: $0) })
  }
}
