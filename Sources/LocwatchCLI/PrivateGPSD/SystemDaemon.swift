import GPSDLocation
import Glibc
import LocationCore

/// The system's gpsd, which may already serve the receiver.
struct SystemDaemon<Session: GPSDSession>: Sendable {
  /// How long gpsd may take to answer. It can take 7 s while it opens a receiver.
  private static var answerTimeout: Duration { .seconds(8) }

  let session: Session

  /// Returns gpsd's path for the device; `nil` if gpsd does not serve it or does not run.
  func device(like device: SerialDevice) async -> String? {
    let deadline = LocationClock.live.now.advanced(by: Self.answerTimeout)
    do throws(GPSDError) {
      try await session.open(GPSDEndpoint())
      try await session.send(.devices)
      let paths = try await listedPaths(until: deadline)
      await session.close()
      return paths.first { $0 == device.path || SerialDevice.realPath(of: $0) == device.realPath }
    } catch {
      await session.close()
      return nil
    }
  }

  private func listedPaths(until deadline: Moment) async throws(GPSDError) -> [String] {
    var decoder = GPSDDecoder()
    while true {
      switch try await session.read(until: deadline) {
      case .value(let lines, _):
        for line in lines where decoder.decode(line.span) == .devices {
          return decoder.devices.map(\.path)
        }
      case .timedOut, .ended: return []
      }
    }
  }
}

/// Finds the program gpsd, which Debian installs outside a user's PATH.
enum GPSDProgram {
  private static let directories = ["/usr/sbin", "/usr/local/sbin", "/sbin"]

  /// - Throws: ``Failure`` if gpsd is not installed.
  static func find(_ environment: Environment) throws(Failure) -> String {
    let path = environment["PATH", default: ""].split(separator: ":").map(String.init)
    for directory in path + directories {
      let program = "\(directory)/gpsd"
      if unsafe access(program, X_OK) == 0 { return program }
    }
    throw Failure(
      .unavailable, "gpsd, which reads the receiver, is not installed: 'sudo apt install gpsd'")
  }
}
