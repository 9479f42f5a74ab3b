import LocationCore
import LocationTestKit
import Testing

@testable import LocwatchCLI

@Suite struct `The exit status` {
  @Test(
    arguments: [
      (Ending.done, 0), (.ended, 0), (.output(.closed), 0), (.cancelled, 130),
      (.timedOut("no fix"), 124), (.output(.cannotCreate(path: "a", reason: "b")), 73),
      (.output(.cannotWrite(path: "a", reason: "b")), 74),
    ] as [(Ending, Int32)])
  func `tells how a run ended`(ending: Ending, status: Int32) {
    #expect(ending.exitStatus.rawValue == status)
  }

  @Test(
    arguments: [
      (LocationError.Code.unreachable, 69), (.unknownHost, 69), (.disconnected, 69), (.silent, 69),
      (.notAService, 69), (.noSuchReceiver, 69), (.timedOut, 124), (.cancelled, 130),
      (.unscripted, 1),
    ] as [(LocationError.Code, Int32)])
  func `tells why a provider failed`(code: LocationError.Code, status: Int32) async throws {
    #expect(Ending.failed(LocationError(code), "").exitStatus.rawValue == status)
    guard code != .cancelled else { return }
    let run = try await FollowerRun(["-1"], [.fail(LocationError(code, "why"))])
    #expect(run.ending.exitStatus.rawValue == status)
    #expect(run.ending.message?.contains("why") == true)
  }

  private static let answer = LocationScriptStep.event(
    .service(LocationService(name: "gpsd 3.22")))
  private static let fix = LocationScriptStep.event(.fix(.scripted(0)))
  private static let failure = LocationScriptStep.fail(LocationError(.unreachable, "refused"))

  @Test(
    arguments: [
      // No gpsd has answered,
      (["-1"], [[.stayOpen]], 69), (["-t", "5s"], [[.stayOpen]], 69),
      (["-t", "5s"], [[failure]], 69),
      (["-1", "--reconnect"], [[failure]], 69), (["-1", "--duration", "5s"], [[.stayOpen]], 69),
      (["-t", "5s"], [[.event(.notice("SSH-2.0")), .stayOpen]], 69),
      // or one has, now or before.
      (["-1"], [[answer, .stayOpen]], 124), (["-t", "5s"], [[answer, .stayOpen]], 124),
      (["-t", "5s"], [[fix, .stayOpen]], 124),
      (["-t", "5s"], [[answer, .fail(LocationError(.disconnected))], [failure]], 124),
      (["-1", "--duration", "5s"], [[answer, .stayOpen]], 124),
      // Of a replay nobody is asked.
      (["-t", "5s", "--replay", "a"], [[.wait(.seconds(9)), fix]], 124),
    ] as [([String], [[LocationScriptStep]], Int32)])
  func `tells a gpsd that never answered from a fix that did not come`(
    arguments: [String], scripts: [[LocationScriptStep]], status: Int32
  ) async throws {
    let run = try await FollowerRun(arguments, scripts[0], scripts[scripts.count - 1])
    #expect(run.ending.exitStatus.rawValue == status)
    #expect(run.ending.message?.hasPrefix("no fix within ") == true)
  }

  @Test func `is listed once in the table, by its number`() {
    let numbers = ExitStatusTable.rows.flatMap { row in
      row.numbers.split(separator: ", ").map { Int32($0) }
    }
    #expect(numbers == LocwatchCLI.ExitStatus.allCases.map(\.rawValue))
  }
}
