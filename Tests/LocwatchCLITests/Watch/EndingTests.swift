import LocationCore
import Testing

@testable import LocwatchCLI

@Suite struct `The ending of a run` {
  private static let full = OutputError.cannotWrite(path: "a", reason: "No space left on device")

  @Test(arguments: [
    (Ending.done, full, LocwatchCLI.ExitStatus.cannotWrite), (.cancelled, full, .cannotWrite),
    (.timedOut("no fix"), full, .cannotWrite), (.output(.closed), full, .cannotWrite),
    (.failed(LocationError(.silent), "silent"), full, .cannotWrite),
    (.done, .closed, .success), (.timedOut("no fix"), .closed, .timedOut),
    (.failed(LocationError(.silent), "silent"), .closed, .unavailable),
    (.output(full), .closed, .cannotWrite),
  ])
  func `is a full disk's whatever else ended it, but not a reader's that went away`(
    ending: Ending, error: OutputError, status: LocwatchCLI.ExitStatus
  ) {
    #expect(ending.unfinished(error).exitStatus == status)
  }
}
