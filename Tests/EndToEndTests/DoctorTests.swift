import DaemonHarness
import Foundation
import SimulatedReceiver
import Testing

/// Fault 115.
@Suite(.timeLimit(.minutes(3)))
struct `--doctor` {
  /// The names of checks with what they found.
  private func checks(_ arguments: String...) async throws -> (
    status: DaemonHarness.ExitStatus, checks: [String: Bool?]
  ) {
    let result = try await Locwatch.run(
      ["--doctor", "--json"] + arguments, timeout: .seconds(60))
    var checks: [String: Bool?] = [:]
    for line in result.output.split(separator: "\n") {
      let record = try #require(
        try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      #expect(record["type"] as? String == "check")
      checks[try #require(record["name"] as? String)] = .some(record["ok"] as? Bool)
    }
    return (result.status, checks)
  }

  @Test(.needsGPSD) func `finds nothing wrong with a gpsd and its receiver`() async throws {
    let site = try await Site()
    let (status, checks) = try await checks(site.address)
    for name in ["gpsd", "devices", "receiver", "sky", "client"] {
      #expect(checks[name] == .some(true), "\(name)")
    }
    let verdicts: [Bool?] = Array(checks.values)
    #expect(
      status == .exited(verdicts.contains(false) ? 1 : verdicts.contains { $0 == nil } ? 2 : 0))
    withExtendedLifetime(site) {}
  }

  /// No gpsd has it, so one is started, and ended.
  @Test(.needsGPSD) func `listens to a serial device that no gpsd has`() async throws {
    let receiver = try SimulatedReceiver(.standing)
    let feeding = Task { try await receiver.run() }
    defer { feeding.cancel() }
    let (status, checks) = try await checks(receiver.path)
    for name in ["port", "permissions", "gpsd", "receiver", "sky"] {
      #expect(checks[name] == .some(true), "\(name)")
    }
    #expect(status != .exited(1))
  }

  @Test(.needsGPSD) func `starts no gpsd for the receiver of another locwatch`() async throws {
    let receiver = try SimulatedReceiver(.standing)
    let feeding = Task { try await receiver.run() }
    defer { feeding.cancel() }
    let other = try Locwatch.start(receiver.path)
    _ = try await other.output.waitForLine(containing: " fix-3d ")
    let (status, checks) = try await checks(receiver.path)
    #expect(status == .exited(1))
    #expect(checks["port"] == .some(true) && checks["sharing"] == .some(false))
    #expect(checks["gpsd"] == nil && checks["receiver"] == nil)
    other.signal(SIGINT)
    #expect(try await other.waitForExit() == .exited(130))
  }

  @Test(.needsGPSD) func `reaches a receiver on the network, or says why it does not`() async throws
  {
    let port = try freePort()
    let (status, checks) = try await checks("tcp://127.0.0.1:\(port)")
    #expect(status == .exited(1))
    #expect(checks["network"] == .some(false) && checks["gpsd"] == .some(true))
    #expect(checks["receiver"] == nil && checks["devices"] == nil)
  }
}
