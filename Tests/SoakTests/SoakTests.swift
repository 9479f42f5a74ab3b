import DaemonHarness
import Foundation
import Testing

/// A short form of `make soak`, on the same program.
@Suite(
  .timeLimit(.minutes(5)),
  .disabled(
    if: ProcessInfo.processInfo.environment["LOCWATCH_SANITIZER"] != nil,
    "the memory of a sanitizer is not ours"))
struct `Of long use` {
  @Test func `29, 30: reports and reconnects cost neither reports nor memory`() async throws {
    let soak = try ChildProcess(
      ChildProcess.builtProduct("soak"), ["--reports", "10000", "--reconnects", "50"])
    let status = try await soak.waitForExit(timeout: .seconds(100))
    #expect(status == .exited(0), "\(soak.output.text)\(soak.errors.text)")
    #expect(soak.output.lines.count == 9)
  }
}
