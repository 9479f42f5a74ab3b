import GPSDLocation
import LocationCore

/// A session with a gpsd that is started for it: each connection has a fresh one.
struct PrivateDaemonSession<Base: GPSDSession>: GPSDSession {
  /// A gpsd that does not listen by then has not started.
  private static var longestStart: Duration { .seconds(5) }
  private static var retryConnect: Duration { .milliseconds(25) }

  private let base: Base
  private let daemon: PrivateDaemon

  init(_ base: Base, daemon: PrivateDaemon) {
    self.base = base
    self.daemon = daemon
  }

  func open(_ endpoint: GPSDEndpoint) async throws(GPSDError) {
    let endpoint = try daemon.restart()
    let deadline = clock.now.advanced(by: Self.longestStart)
    while true {
      do throws(GPSDError) {
        return try await base.open(endpoint)
      } catch {
        guard error.code == .cannotConnect else { throw error }
        guard clock.now < deadline else { throw daemon.didNotStart }
        guard await clock.sleep(until: clock.now.advanced(by: Self.retryConnect)) else {
          throw GPSDError(.cancelled, "cancelled while gpsd starts")
        }
      }
    }
  }

  func send(_ command: GPSDCommand) async throws(GPSDError) { try await base.send(command) }

  func read(until deadline: Moment?) async throws(GPSDError) -> GPSDRead {
    try await base.read(until: deadline)
  }

  func readBuffered() -> GPSDRead? { base.readBuffered() }

  func close() async { await base.close() }

  var clock: LocationClock { base.clock }
}
