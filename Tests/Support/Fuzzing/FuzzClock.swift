import LocationCore
import Synchronization

/// A clock on which waiting takes no time.
final class FuzzClock: Sendable {
  private struct State {
    var uptime = Duration.seconds(1000)
    /// How far the time of day has been set.
    var change = Duration.zero
  }

  private let state = Mutex(State())

  /// The system's clock is far from the receivers', and that must not matter.
  private static let bootTime = Timestamp(secondsSince1970: 1_600_000_000)

  var now: Moment {
    let state = state.withLock(\.self)
    return Moment(
      uptime: state.uptime, wall: Self.bootTime.advanced(by: state.uptime + state.change))
  }

  /// Never goes back.
  func advance(to moment: Moment) {
    state.withLock { $0.uptime = max($0.uptime, moment.uptime) }
  }

  /// Sets the time of day, as a user or NTP does.
  func setWall(by change: Duration) { state.withLock { $0.change += change } }

  var locationClock: LocationClock { locationClock(wallError: nil) }

  /// - Parameter wallError: The stated maximum error of the time of day, in seconds; `nil` for any.
  func locationClock(wallError: Double?) -> LocationClock {
    LocationClock(
      now: { self.now }, wallError: { wallError },
      move: { moment, listener in
        // What another task is about to do takes no time.
        for _ in 0..<3 { await Task.yield() }
        if !listener.hasHeard { self.advance(to: moment) }
      }, sleepUntil: { _ in throw CancellationError() })
  }
}
