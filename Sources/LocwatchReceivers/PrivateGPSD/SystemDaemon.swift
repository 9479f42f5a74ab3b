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
    let opening = PolledTask(on: executor) { [session] () throws(LocationError) in
      try await session.open(GPSDEndpoint())
    }
    defer {
      opening.cancel()
      session.close()
    }
    var conversation = Conversation(session: session, opening: opening)
    guard
      case .received(let paths)? = try? await conversation.next(
        until: deadline, by: Waiter(by: clock, on: executor))
    else { return nil }
    return paths.first { path in
      isSamePath(path, device.path)
        || isSamePath(SerialDevice.realPath(of: path), device.realPath)
    }
  }

  /// The question which receivers gpsd serves, and its answer.
  private struct Conversation: Pollable {
    let session: any GPSDSession
    let opening: PolledTask<Void, LocationError>
    var decoder = GPSDDecoder()
    var hasAsked = false

    /// Returns the paths of gpsd's receivers.
    mutating func poll(at now: Moment) throws(LocationError) -> Polled<[String]> {
      guard let result = opening.result else { return .quiet(at: now) }
      _ = try result.get()
      if !hasAsked { try session.send(.devices) }
      hasAsked = true
      while true {
        switch try session.poll(at: now) {
        case .received(let lines):
          for line in lines where decoder.decode(line.span) == .devices {
            return .received(decoder.devices.map(\.path))
          }
        case .quiet(let moment): return .quiet(at: moment)
        case .ended: return .ended
        }
      }
    }

    func wait() -> Wait {
      opening.result == nil ? Wait(for: opening.end) : session.wait()
    }
  }
}
