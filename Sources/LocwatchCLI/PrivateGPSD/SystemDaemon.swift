import GPSDLocation
import Glibc
import LocationCore

/// The gpsd that may be running on this machine anyway.
struct SystemDaemon<Session: GPSDSession>: Sendable {
  /// A gpsd that takes longer is busy opening a receiver; a second one would disturb it no less than
  /// it is worth waiting for.
  private static var patience: Duration { .seconds(8) }

  let session: Session

  /// The name by which it has `device`; `nil` where it has not, or is not there.
  func device(like device: SerialDevice) async -> String? {
    let deadline = session.clock.now.advanced(by: Self.patience)
    do throws(GPSDError) {
      try await session.open(GPSDEndpoint())
      try await session.send(.devices)
      let paths = try await listedPaths(until: deadline)
      await session.close()
      return paths.first { $0 == device.path || Self.realPath($0) == device.realPath }
    } catch {
      await session.close()
      return nil
    }
  }

  private func listedPaths(until deadline: Moment) async throws(GPSDError) -> [String] {
    var decoder = GPSDDecoder()
    while true {
      switch try await session.read(until: deadline) {
      case .line(let line):
        if decoder.decode(line.bytes.span) == .devices { return decoder.devices.map(\.path) }
      case .discarded: continue
      case .timedOut, .ended: return []
      }
    }
  }

  private static func realPath(_ path: String) -> String? {
    guard let resolved = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }
}
