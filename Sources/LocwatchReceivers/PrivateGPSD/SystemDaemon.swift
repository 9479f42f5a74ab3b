package import GPSDLocation
import GPSDProtocol
package import LocationCore
package import LocwatchSystem

/// The system's gpsd, which may already serve the receiver.
package struct SystemDaemon: Sendable {
  /// How long to ask it. A private gpsd must run within 2 s, whether or not the system's one answers.
  package static let patience = Duration.milliseconds(1500)

  let session: any GPSDSession
  let clock: LocationClock
  var executor: (any TaskExecutor)?

  package init(session: any GPSDSession, clock: LocationClock, executor: (any TaskExecutor)? = nil)
  {
    self.session = session
    self.clock = clock
    self.executor = executor
  }

  /// Returns gpsd's path for the device; `nil` if gpsd does not serve it, does not run or does not
  /// answer in time.
  ///
  /// - Parameter deadline: The limit for connecting and the answer together.
  package func device(like device: SerialDevice, until deadline: Moment) async -> String? {
    let opening = Opening(session, to: GPSDEndpoint(), on: executor)
    do throws(LocationError) {
      guard try await opening.isDone(until: deadline, by: clock) else {
        await opening.cancel()
        await session.close()
        return nil
      }
      try await session.send(.devices)
      let paths = try await listedPaths(until: deadline)
      await session.close()
      return paths.first { path in
        isSamePath(path, device.path)
          || isSamePath(SerialDevice.realPath(of: path), device.realPath)
      }
    } catch {
      await session.close()
      return nil
    }
  }

  private func listedPaths(until deadline: Moment) async throws(LocationError) -> [String] {
    var decoder = GPSDDecoder()
    while true {
      switch try await session.read(until: deadline) {
      case .value(let lines, _):
        for line in lines where decoder.decode(line.span) == .devices {
          return decoder.devices.map(\.path)
        }
        // Other lines must not put the deadline off.
        if deadline <= clock.now { return [] }
      case .timedOut, .ended: return []
      }
    }
  }
}
