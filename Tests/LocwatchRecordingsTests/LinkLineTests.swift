import LocationCore
import Testing

@testable import LocwatchRecordings

/// Fault 131.
@Suite struct `The line about a connection that failed` {
  private static func change(_ error: LocationError?, retryIn: Duration? = nil) -> StateChange {
    StateChange(.noService, error: error, retryIn: retryIn, at: Moment(uptime: .zero))
  }

  @Test(arguments: [
    (
      change(LocationError(.disconnected, "closed by gpsd"), retryIn: .nanoseconds(891_422_127)),
      #","error":"disconnected","reason":"closed by gpsd","retry":0.891422127"#
    ),
    (change(LocationError(.silent), retryIn: .seconds(2)), #","error":"silent","retry":2.0"#),
    (
      change(LocationError(.notAService, "says '\n\"}'")),
      #","error":"notAService","reason":"says '\n\"}'""#
    ),
    (change(nil), ""),
  ])
  func `says why, and when it is tried again`(change: StateChange, members: String) {
    #expect(
      String(decoding: LinkLine.text(of: change), as: UTF8.self)
        == #"{"class":"LOCWATCH_LINK","state":"lost"\#(members)}"# + "\r\n")
  }
}
