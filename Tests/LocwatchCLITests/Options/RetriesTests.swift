import LocationCore
import Testing

@testable import LocwatchCLI

@Suite struct `How sources are read` {
  @Test(arguments: [
    ("", true), ("--once", false), ("--no-reconnect", false), ("--replay a.ndjson", false),
    ("--replay a.ndjson --reconnect", false),
  ])
  func `a failed connection is retried, but a recording is never read again`(
    arguments: String, isRetried: Bool
  ) throws {
    let options = try Options(arguments: arguments.split(separator: " ").map(String.init))
    #expect(options.retries(RetryPolicy()).delays == (isRetried ? RetryPolicy().delays : []))
  }
}
