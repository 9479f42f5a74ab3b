import EventLoop
import LocationCore
import LocwatchSystem

/// The connections of a private gpsd to a port. It reads from the latest one.
struct GPSDArrivals {
  /// The pause after the system had no descriptor for a connection.
  private static let pause = Nanoseconds.seconds(1)

  private let listener: GPSDPort
  private let clock: LocationClock
  private let isGPSD: GPSDPort.Check
  private var resumption = Moment.past

  init(
    at listener: GPSDPort, clock: LocationClock, isGPSD: @escaping GPSDPort.Check
  ) {
    self.listener = listener
    self.clock = clock
    self.isGPSD = isGPSD
  }

  /// What to wait for; `nil` during a pause.
  var source: AwaitedDescriptor? {
    resumption <= clock.now ? AwaitedDescriptor(listener.socket.descriptor) : nil
  }

  /// When a pause ends; `nil` outside of one.
  var deadline: Moment? { resumption <= clock.now ? nil : resumption }

  /// Accepts a connection; `nil` if it is not gpsd's, or if there is none.
  mutating func accept() -> Socket? {
    guard resumption <= clock.now else { return nil }
    do throws(LocationError) {
      return try listener.take(isGPSD: isGPSD)
    } catch {
      resumption = clock.now.later(by: Self.pause)
      return nil
    }
  }
}
