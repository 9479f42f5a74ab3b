import DaemonHarness
import Foundation

/// What a machine with more to do than it has cores may add to the time of anything: ten times what
/// it takes now to run true(1) five times, which is 0.2 s where nothing else goes on. A sanitizer looks
/// through all memory at the end of a program.
func slack() async throws -> Duration {
  let isSanitized = ProcessInfo.processInfo.environment["LOCWATCH_SANITIZER"] != nil
  let start = ContinuousClock.now
  for _ in 0..<5 { _ = try await ChildProcess("true").waitForExit(timeout: .seconds(30)) }
  return (ContinuousClock.now - start) * 10 + .seconds(isSanitized ? 5 : 0)
}
