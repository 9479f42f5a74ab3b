import LocationCore
import Testing

@testable import LocwatchCLI
@testable import LocwatchReceivers
@testable import LocwatchSystem

@Suite struct `The ending of a run` {
  private static let full = OutputError.cannotWrite(path: "a", reason: "No space left on device")

  @Test(arguments: [
    (Ending.done, full, LocwatchSystem.ExitStatus.cannotWrite), (.cancelled, full, .cannotWrite),
    (.timedOut("no fix"), full, .cannotWrite), (.output(.closed), full, .cannotWrite),
    (.failed(LocationError(.silent), "silent"), full, .cannotWrite),
    (.done, .closed, .success), (.timedOut("no fix"), .closed, .timedOut),
    (.failed(LocationError(.silent), "silent"), .closed, .unavailable),
    (.output(full), .closed, .cannotWrite),
  ])
  func `is that of a full disk, whatever else happened, but not that of a vanished reader`(
    ending: Ending, error: OutputError, status: LocwatchSystem.ExitStatus
  ) {
    #expect(ending.unfinished(error).exitStatus == status)
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
    let ending = Ending.failed(LocationError(code), "why")
    #expect(ending.exitStatus == status)
    #expect(ending.message == "why" && !ending.isGood && !ending.isOfOutput)
  }

  @Test(
    arguments: [
      (.done, .success, nil, true), (.ended, .success, nil, true),
      (.cancelled, .interrupted, nil, true), (.timedOut("no fix"), .timedOut, "no fix", false),
      (.output(.closed), .success, nil, false),
      (.output(full), .cannotWrite, "cannot write to a: No space left on device", false),
      (.output(.noReader(path: "a")), .cannotCreate, "cannot write to a: nobody reads it", false),
    ] as [(Ending, LocwatchSystem.ExitStatus, Message?, Bool)])
  func `has a status, and a message if something is wrong`(
    ending: Ending, status: LocwatchSystem.ExitStatus, message: Message?, isGood: Bool
  ) {
    #expect(ending.exitStatus == status && ending.message == message && ending.isGood == isGood)
    let isOfOutput = if case .output = ending { true } else { false }
    #expect(ending.isOfOutput == isOfOutput)
  }
}
