import LocationCore
import Testing

@testable import LocwatchCLI
@testable import LocwatchReceivers
@testable import LocwatchSystem

@Suite struct `The result of a run` {
  private static let full = OutputError.cannotWrite(path: "a", reason: "No space left on device")

  @Test(arguments: [
    (RunResult.done, full, LocwatchSystem.ExitStatus.cannotWrite), (.cancelled, full, .cannotWrite),
    (.timedOut("no fix"), full, .cannotWrite), (.output(.closed), full, .cannotWrite),
    (.failed(LocationError(.silent), "silent"), full, .cannotWrite),
    (.done, .closed, .success), (.timedOut("no fix"), .closed, .timedOut),
    (.failed(LocationError(.silent), "silent"), .closed, .unavailable),
    (.output(full), .closed, .cannotWrite),
  ])
  func `is that of a full disk, whatever else happened, but not that of a vanished reader`(
    result: RunResult, error: OutputError, status: LocwatchSystem.ExitStatus
  ) {
    #expect(result.unfinished(error).exitStatus == status)
  }

  @Test(
    arguments: [
      (.unreachable, .unavailable), (.unknownHost, .unavailable), (.disconnected, .unavailable),
      (.silent, .unavailable), (.notAService, .unavailable), (.noSuchReceiver, .unavailable),
      (.cannotOpen, .noInput), (.timedOut, .timedOut), (.locationUnknown, .timedOut),
      (.cancelled, .interrupted), (LocationError.Code(rawValue: "odd"), .fault),
    ] as [(LocationError.Code, LocwatchSystem.ExitStatus)])
  func `has the status of the error of its provider`(
    code: LocationError.Code, status: LocwatchSystem.ExitStatus
  ) {
    let result = RunResult.failed(LocationError(code), "why")
    #expect(result.exitStatus == status)
    #expect(result.message == "why" && !result.isGood && !result.isOfOutput)
  }

  @Test(
    arguments: [
      (.done, .success, nil, true), (.ended, .success, nil, true),
      (.cancelled, .interrupted, nil, true), (.timedOut("no fix"), .timedOut, "no fix", false),
      (.output(.closed), .success, nil, false),
      (.output(full), .cannotWrite, "cannot write to a: No space left on device", false),
      (.output(.noReader(path: "a")), .cannotCreate, "cannot write to a: nobody reads it", false),
    ] as [(RunResult, LocwatchSystem.ExitStatus, Message?, Bool)])
  func `has a status, and a message if something is wrong`(
    result: RunResult, status: LocwatchSystem.ExitStatus, message: Message?, isGood: Bool
  ) {
    #expect(result.exitStatus == status && result.message == message && result.isGood == isGood)
    let isOfOutput = if case .output = result { true } else { false }
    #expect(result.isOfOutput == isOfOutput)
  }
}
