import DaemonHarness
import GPSDLocation
import Glibc
import LocationCore
import Synchronization
import TestSupport

@testable import LibGPS

/// A session that is connected to an impostor of its own.
final class SessionFixture: Sendable {
  let impostor: Impostor
  let session = LibGPSSession()
  /// Lines that were read with others, in reverse order.
  private let pending = Mutex<[String]>([])

  init(_ script: ImpostorStep...) async throws {
    impostor = try Impostor(script)
    try await session.open(impostor.endpoint)
  }

  /// The next read; it gives up long before the test would.
  func read() async throws(LocationError) -> Polled<GPSDLines> {
    try await session.read(until: .within(.seconds(20)))
  }

  /// The next line, be it read with others; `nil` where something else is read.
  func line() async throws(LocationError) -> String? {
    if let line = pending.withLock({ $0.popLast() }) { return line }
    guard case .received(let lines) = try await read() else { return nil }
    return pending.withLock { pending in
      pending = lines.reversed().map { String(decoding: $0, as: UTF8.self) }
      return pending.popLast()
    }
  }

  /// How many bytes the next read discards, where it has no lines.
  func discardedBytes() async throws(LocationError) -> Int? {
    guard pending.withLock(\.isEmpty), case .received(let lines) = try await read(),
      lines.bytes.isEmpty
    else { return nil }
    return lines.discardedBytes
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

/// The error that `body` throws; `nil` where it throws none, or one that is not of gpsd's.
func failure(
  isolation: isolated (any Actor)? = #isolation, of body: () async throws -> some Any
) async -> LocationError? {
  do {
    _ = try await body()
    return nil
  } catch {
    return error as? LocationError
  }
}
