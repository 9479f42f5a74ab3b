import GPSDLocation
import LocationCore
import Testing

@testable import LocwatchCLI

@Suite struct RecorderTests {
  /// Keeps a line for each of the moments, and returns what is written: `T` for a line that says
  /// when the next ones came.
  private func written(for microseconds: [Int]) throws -> String {
    let pipe = try PipeEnds()
    let recorder = Recorder(pipe.descriptor)
    for (index, microsecond) in microseconds.enumerated() {
      let received = Moment(uptime: .microseconds(microsecond))
      recorder.keep(GPSDLines(bytes: Array("\(index)\n".utf8)[...], received: received))
    }
    try recorder.flush()
    return pipe.readAll().split(separator: 0x0A)
      .map { $0.first == UInt8(ascii: "{") ? "T" : String(decoding: $0, as: UTF8.self) }
      .joined(separator: " ")
  }

  @Test func `The time is written where its millisecond is another one`() throws {
    #expect(try written(for: [0]) == "T 0")
    #expect(try written(for: [0, 10, 999]) == "T 0 1 2")
    #expect(try written(for: [0, 999, 1000, 1001, 2500]) == "T 0 1 T 2 3 T 4")
  }

  @Test func `A line that came at no known time has none written`() throws {
    let pipe = try PipeEnds()
    let recorder = Recorder(pipe.descriptor)
    recorder.keep(GPSDLines(bytes: Array("line\n".utf8)[...], received: nil))
    #expect(pipe.readAll() == [])
    try recorder.flush()
    #expect(pipe.readAll() == Array("line\n".utf8))
    #expect(!recorder.hasPending)
  }

  private func moment(_ milliseconds: Int, clockSetBy change: Duration = .zero) -> Moment {
    Moment(
      uptime: .seconds(100) + .milliseconds(milliseconds),
      wall: Samples.time(0, 0).advanced(by: .milliseconds(milliseconds)).advanced(by: change))
  }

  private func recording(_ body: (Recorder) -> Void) throws -> [String] {
    let pipe = try PipeEnds()
    let recorder = Recorder(pipe.descriptor)
    body(recorder)
    try recorder.flush()
    return String(decoding: pipe.readAll(), as: UTF8.self).split(
      separator: "\r\n", omittingEmptySubsequences: false
    ).dropLast().map(String.init)
  }

  private func keep(
    _ text: String, _ moment: Moment, of source: String? = nil, in recorder: Recorder
  ) {
    let lines = GPSDLines(bytes: Array("\(text)\r\n".utf8)[...], received: moment)
    recorder.keep(lines, of: source)
  }

  @Test func `A recording begins with its first line`() throws {
    let lines = try recording { recorder in
      keep("a", moment(0), in: recorder)
      keep("b", moment(0), in: recorder)
      keep("c", moment(1500), in: recorder)
    }
    #expect(
      lines == [
        #"{"class":"LOCWATCH","t":0.000,"start":"2026-11-20T07:00:00.000Z"}"#, "a", "b",
        #"{"class":"LOCWATCH","t":1.500}"#, "c",
      ])
  }

  @Test func `It begins with the wait for gpsd where there was no failure`() throws {
    let lines = try recording { recorder in
      recorder.note(StateChange(.connecting, at: moment(0)))
      keep("a", moment(250), in: recorder)
      recorder.note(StateChange(.noService, at: moment(300)))
      keep("b", moment(400), in: recorder)
    }
    #expect(
      lines == [
        #"{"class":"LOCWATCH","t":0.000,"start":"2026-11-20T07:00:00.000Z"}"#,
        #"{"class":"LOCWATCH","t":0.250}"#, "a", #"{"class":"LOCWATCH","t":0.400}"#, "b",
      ])
    let late = try recording { recorder in
      recorder.note(StateChange(.connecting, at: moment(0)))
      recorder.note(StateChange(.noService, at: moment(10)))
      keep("a", moment(5000), in: recorder)
    }
    #expect(late == [#"{"class":"LOCWATCH","t":0.000,"start":"2026-11-20T07:00:05.000Z"}"#, "a"])
  }

  @Test func `Nothing kept is nothing written`() throws {
    let lines = try recording { recorder in
      recorder.note(StateChange(.connecting, at: moment(0)))
      recorder.noteEnd(at: moment(1))
    }
    #expect(lines == [])
  }

  @Test func `It ends with the time of its end`() throws {
    let start = #"{"class":"LOCWATCH","t":0.000,"start":"2026-11-20T07:00:00.000Z"}"#
    for (end, stamps) in [
      (moment(0), []), (moment(7500), [#"{"class":"LOCWATCH","t":7.500}"#]),
      // A deadline may be between two milliseconds.
      (Moment(uptime: moment(7500).uptime + .nanoseconds(1)), [#"{"class":"LOCWATCH","t":7.501}"#]),
      (
        moment(7500, clockSetBy: .seconds(-60)),
        [#"{"class":"LOCWATCH","t":7.500,"start":"2026-11-20T06:59:00.000Z"}"#]
      ),
    ] {
      let lines = try recording { recorder in
        keep("a", moment(0), in: recorder)
        recorder.noteEnd(at: end)
      }
      #expect(lines == [start, "a"] + stamps)
    }
  }

  @Test func `Of several sources, it ends with the time of the end of each`() throws {
    let lines = try recording { recorder in
      recorder.noteTime(moment(0), of: "x")
      keep("a", moment(1000), of: "x", in: recorder)
      keep("b", moment(1000), of: "x", in: recorder)
      keep("c", moment(1000), of: "y", in: recorder)
      recorder.noteTime(moment(4000), of: "x")
      recorder.noteTime(moment(4000), of: "y")
      recorder.noteEnd(at: moment(4000))
    }
    #expect(
      lines == [
        #"{"class":"LOCWATCH","t":0.000,"start":"2026-11-20T07:00:00.000Z","source":"x"}"#,
        #"{"class":"LOCWATCH","t":1.000,"source":"x"}"#, "a", "b",
        #"{"class":"LOCWATCH","t":1.000,"source":"y"}"#, "c",
        #"{"class":"LOCWATCH","t":4.000,"source":"x"}"#,
        #"{"class":"LOCWATCH","t":4.000,"source":"y"}"#,
      ])
  }

  @Test func `A line of a source at the moment of a silence has a time stamp of its own`() throws {
    let lines = try recording { recorder in
      keep("a", moment(0), of: "x", in: recorder)
      recorder.noteTime(moment(1000), of: "x")
      keep("b", moment(1000), of: "x", in: recorder)
    }
    let stamp = #"{"class":"LOCWATCH","t":1.000,"source":"x"}"#
    #expect(lines.dropFirst(2) == [stamp, stamp, "b"])
  }

  @Test func `44: A line that looks like a time is marked as gpsd's`() throws {
    let forged = #"{"class":"LOCWATCH","t":9.000}"#
    let lines = try recording { recorder in
      keep("a", moment(0), in: recorder)
      keep("b\r\n\(forged)\r\nc", moment(1500), in: recorder)
      keep(forged, moment(1500), in: recorder)
      keep(forged, moment(1501), in: recorder)
    }
    #expect(
      lines == [
        #"{"class":"LOCWATCH","t":0.000,"start":"2026-11-20T07:00:00.000Z"}"#, "a",
        #"{"class":"LOCWATCH","t":1.500}"#, "b",
        #"{"class":"LOCWATCH","t":1.500,"verbatim":1}"#, forged, "c",
        #"{"class":"LOCWATCH","t":1.500,"verbatim":1}"#, forged,
        #"{"class":"LOCWATCH","t":1.501}"#,
        #"{"class":"LOCWATCH","t":1.501,"verbatim":1}"#, forged,
      ])
  }

  @Test func `It tells when the clock was set`() throws {
    let lines = try recording { recorder in
      keep("a", moment(0), in: recorder)
      keep("b", moment(1000, clockSetBy: .seconds(3600)), in: recorder)
      keep("c", moment(1000, clockSetBy: .seconds(3600)), in: recorder)
      keep("d", moment(2000, clockSetBy: .seconds(3600)), in: recorder)
    }
    #expect(
      lines == [
        #"{"class":"LOCWATCH","t":0.000,"start":"2026-11-20T07:00:00.000Z"}"#, "a",
        #"{"class":"LOCWATCH","t":1.000,"start":"2026-11-20T08:00:00.000Z"}"#, "b", "c",
        #"{"class":"LOCWATCH","t":2.000}"#, "d",
      ])
  }
}
