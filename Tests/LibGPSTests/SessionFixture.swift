import DaemonHarness
import GPSDLocation
import Glibc
import LocationCore

@testable import LibGPS

/// A session that is connected to an impostor of its own.
struct SessionFixture {
  let impostor: Impostor
  let session = LibGPSSession()

  init(_ script: ImpostorStep...) async throws {
    impostor = try Impostor(script)
    try await session.open(impostor.endpoint)
  }

  /// The next read; it gives up long before the test would.
  func read() async throws(GPSDError) -> GPSDRead {
    try await session.read(until: .within(.seconds(20)))
  }

  /// The next read, where it is to be a line.
  func line() async throws(GPSDError) -> String? {
    guard case .line(let line) = try await read() else { return nil }
    return String(decoding: line.bytes, as: UTF8.self)
  }
}

extension Impostor {
  var endpoint: GPSDEndpoint { .loopback(port) }
}

extension GPSDEndpoint {
  static func loopback(_ port: Int) -> GPSDEndpoint {
    GPSDEndpoint(host: "127.0.0.1", port: UInt16(port))
  }
}

extension Moment {
  static func within(_ duration: Duration) -> Moment {
    LocationClock.live.now.advanced(by: duration)
  }
}

extension LibGPSSession {
  /// The number of the open connection's descriptor.
  var descriptor: CInt? { handle?.descriptor }
}

/// The error that `body` throws; `nil` where it throws none, or one that is not of gpsd's.
func failure(
  isolation: isolated (any Actor)? = #isolation, of body: () async throws -> some Any
) async -> GPSDError? {
  do {
    _ = try await body()
    return nil
  } catch {
    return error as? GPSDError
  }
}
