import GPSDLocation
import LocationCore
import Testing

@testable import LocwatchRecordings

/// Fault 131.
@Suite struct `The line about a connection that failed` {
  private static let moment = Moment(
    uptime: .seconds(101), wall: Timestamp(secondsSince1970: 1_795_158_001))

  private static func change(
    _ error: LocationError?, retryIn: Duration? = nil, _ state: LocationState = .noService
  ) -> StateChange {
    StateChange(state, error: error, retryIn: retryIn, at: moment)
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

  private func recorded(by recorder: (Recorder) -> Void) throws -> [Substring] {
    let pipe = try PipeEnds()
    let writer = Recorder(pipe.descriptor)
    recorder(writer)
    try writer.flush()
    return String(decoding: pipe.readAll(), as: UTF8.self).split(separator: "\r\n")
  }

  @Test func `is recorded when it failed, after a first line`() throws {
    let failure = Self.change(LocationError(.disconnected))
    let lines = try recorded { recorder in
      // What was never there is not waited for in a replay.
      recorder.record(Self.change(nil, .connecting))
      recorder.record(failure)
      let received = Moment(uptime: .seconds(100), wall: Timestamp(secondsSince1970: 1_795_158_000))
      recorder.keep(GPSDLines(bytes: Array("a\r\n".utf8)[...], received: received))
      recorder.record(Self.change(nil, .lost))
      recorder.record(failure)
    }
    #expect(
      lines == [
        #"{"class":"LOCWATCH","t":0.000,"start":"2026-11-20T07:00:00.000Z"}"#, "a",
        #"{"class":"LOCWATCH","t":1.000}"#,
        #"{"class":"LOCWATCH_LINK","state":"lost","error":"disconnected"}"#,
      ])
  }

  @Test func `names its source if there are several`() throws {
    let lines = try recorded { recorder in
      recorder.recordTime(Moment(uptime: .seconds(101), wall: Self.moment.wall), of: "b")
      recorder.recordFailure(Self.change(LocationError(.disconnected)), of: "a")
    }
    #expect(lines.count == 3 && lines[1] == #"{"class":"LOCWATCH","t":0.000,"source":"a"}"#)
    #expect(lines.last == #"{"class":"LOCWATCH_LINK","state":"lost","error":"disconnected"}"#)
  }
}
