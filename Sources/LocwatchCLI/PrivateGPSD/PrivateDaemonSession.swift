import GPSDLocation
import LocationCore

/// A session with a gpsd that is started for it: each connection has a fresh one.
///
/// While it reads, it looks after the receiver of that gpsd.
struct PrivateDaemonSession<Base: GPSDSession>: GPSDSession {
  private let base: Base
  private let daemon: PrivateDaemon

  init(_ base: Base, daemon: PrivateDaemon) {
    self.base = base
    self.daemon = daemon
  }

  func open(_ endpoint: GPSDEndpoint) async throws(GPSDError) {
    let endpoint = try daemon.restart(at: clock.now)
    do throws(GPSDError) { try await base.open(endpoint) } catch { throw daemon.reason(of: error) }
  }

  func send(_ command: GPSDCommand) async throws(GPSDError) {
    do throws(GPSDError) { try await base.send(command) } catch { throw daemon.reason(of: error) }
  }

  func read(until deadline: Moment?) async throws(GPSDError) -> GPSDRead {
    while true {
      let wake = daemon.deadline?.orEarlier(deadline) ?? deadline
      let read: GPSDRead
      do throws(GPSDError) {
        read = try await base.read(until: wake)
      } catch {
        throw daemon.reason(of: error)
      }
      switch read {
      case .line(let line):
        daemon.hear(line)
        return read
      case .timedOut(let moment):
        daemon.keepReceiver(at: moment)
        if let deadline, deadline <= moment { return read }
      case .discarded, .ended:
        return read
      }
    }
  }

  func readBuffered() -> GPSDRead? {
    let read = base.readBuffered()
    if case .line(let line) = read { daemon.hear(line) }
    return read
  }

  func close() async { await base.close() }

  var clock: LocationClock { base.clock }
}
