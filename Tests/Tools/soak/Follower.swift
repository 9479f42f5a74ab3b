import GPSDLocation
import Glibc
import LibGPS
import LocationCore

/// Watches a gpsd, and prints each fix.
enum Follower {
  /// The timer of an attempt to connect lives for 3 s, even if that was quick. In real use there are
  /// three of them at most, and here too few to matter.
  private static let pause = Duration.milliseconds(20)

  static func run(port: UInt16) async throws {
    let source = GPSDLocationSource(
      endpoint: GPSDEndpoint(host: "127.0.0.1", port: port), makeSession: { LibGPSSession() })
    let retries = RetryPolicy(delays: [pause], jitter: 0)
    for try await update in source.updates(retries: retries) {
      guard case .fix(let fix) = update, let time = fix.time else { continue }
      var line: [UInt8] = []
      time.appendISO8601(to: &line)
      line.append(UInt8(ascii: "\n"))
      _ = write(STDOUT_FILENO, line, line.count)
    }
  }
}
