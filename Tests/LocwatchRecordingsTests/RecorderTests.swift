import Foundation
import GPSDLocation
import Glibc
import LocationCore
import Synchronization
import Testing

@testable import LocwatchRecordings
@testable import LocwatchSystem

/// Faults 85 and 92.
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

  @Test func `A time is written if its millisecond has changed`() throws {
    #expect(try written(for: [0]) == "T 0")
    #expect(try written(for: [0, 10, 999]) == "T 0 1 2")
    #expect(try written(for: [0, 999, 1000, 1001, 2500]) == "T 0 1 T 2 3 T 4")
  }

  @Test func `A line without a known time is written without one`() throws {
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

  @Test func `It ends with the time of the run's end`() throws {
    let start = #"{"class":"LOCWATCH","t":0.000,"start":"2026-11-20T07:00:00.000Z"}"#
    for (end, stamps) in [
      (moment(0), []), (moment(7500), [#"{"class":"LOCWATCH","t":7.500}"#]),
      // A deadline may be between two milliseconds.
      (Moment(uptime: moment(7500).uptime + .nanoseconds(1)), [#"{"class":"LOCWATCH","t":7.501}"#]),
      (
        moment(7500, clockSetBy: .seconds(-60)),
        [#"{"class":"LOCWATCH","t":7.500,"start":"2026-11-20T06:59:00.000Z"}"#]
      ),
    ] as [(Moment, [String])] {
      let lines = try recording { recorder in
        keep("a", moment(0), in: recorder)
        recorder.recordEnd(at: end)
      }
      #expect(lines == [start, "a"] + stamps)
    }
  }

  @Test(arguments: [
    #"{"class":"LOCWATCH","t":9.000}"#, #"{"class": "LOCWATCH", "t": 9}"#,
    #"{"t":9,"class":"LOCWATCH"}"#, #"{"class":"LOCWATCH"}"#,
    #"{"class":"LOCWATCH_LATER"}"#,
  ])
  func `44: A line of gpsd that looks like its own is marked`(forged: String) throws {
    let lines = try recording { recorder in keep(forged, moment(0), in: recorder) }
    #expect(
      lines == [
        #"{"class":"LOCWATCH","t":0.000,"start":"2026-11-20T07:00:00.000Z"}"#,
        #"{"class":"LOCWATCH","t":0.000,"verbatim":1}"#, forged,
      ])
  }

  @Test func `It notes when the clock was set`() throws {
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

  @Test(arguments: [(2, false), (3, true), (-2, false), (-3, true)])
  func `A clock that is 2 ms off was not set`(change: Int, isSet: Bool) throws {
    let lines = try recording { recorder in
      keep("a", moment(0), in: recorder)
      keep("b", moment(1000, clockSetBy: .milliseconds(change)), in: recorder)
    }
    let start = Samples.time(0, 0).advanced(by: .milliseconds(change))
    let new = isSet ? #","start":"\#(start)""# : ""
    #expect(lines[2] == #"{"class":"LOCWATCH","t":1.000\#(new)}"#)
  }

  /// A file for this test, and the messages about it.
  private final class File {
    let path = "/tmp/locwatch-recorder-\(UUID().uuidString)"
    let messages = Messages()

    final class Messages: Sendable {
      let all = Mutex<[String]>([])
    }

    func recorder() throws -> Recorder {
      try Recorder(
        appendingTo: FilePath(path),
        report: { [messages] message in messages.all.withLock { $0.append(message) } })
    }

    var text: String? {
      FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
    }

    var lines: [String]? { text?.split(separator: "\r\n").map(String.init) }

    deinit { try? FileManager.default.removeItem(atPath: path) }
  }

  @Test func `A file that is removed before its first line begins as usual`() throws {
    let file = File()
    let recorder = try file.recorder()
    try FileManager.default.removeItem(atPath: file.path)
    keep("a", moment(0), in: recorder)
    try recorder.flush()
    #expect(
      file.lines == [#"{"class":"LOCWATCH","t":0.000,"start":"2026-11-20T07:00:00.000Z"}"#, "a"])
  }

  @Test func `A file has one recorder at a time`() throws {
    let file = File()
    let recorder = try file.recorder()
    keep("a", moment(0), in: recorder)
    try recorder.flush()
    #expect(throws: OutputError.inUse(path: file.path)) { try file.recorder() }
    try recorder.finish()
  }

  @Test func `A file that never had a name is written to`() throws {
    let file = File()
    let number = open(file.path, O_RDWR | O_CREAT, 0o600)
    try FileManager.default.removeItem(atPath: file.path)
    defer { close(number) }
    let recorder = try Recorder(
      appendingTo: FilePath("/proc/self/fd/\(number)"), report: { Issue.record("\($0)") })
    keep("a", moment(0), in: recorder)
    try recorder.finish()
    #expect(lseek(number, 0, SEEK_END) == 70)
  }

  @Test func `The error of an early write is thrown by the next flush`() throws {
    let pipe = try PipeEnds()
    let recorder = Recorder(pipe.descriptor)
    pipe.closeReader()
    keep(String(repeating: "x", count: 70_000), moment(0), in: recorder)
    #expect(recorder.drops == 1)
    #expect(!recorder.hasPending)
    #expect(throws: OutputError.closed) { try recorder.flush() }
    keep("a", moment(1), in: recorder)
    #expect(recorder.drops == 2)
    #expect(throws: OutputError.closed) { try recorder.finish() }
  }

  @Test func `Lines that a slow reader missed are counted before the next line, and at the end`()
    throws
  {
    let pipe = try PipeEnds()
    let recorder = Recorder(pipe.descriptor)
    let line = String(repeating: "x", count: 100_000)
    // 42 lines of 100,036 bytes are more than 4 MiB; a part of the first is in the pipe.
    for index in 0..<50 { keep(line, moment(index), in: recorder) }
    let dropped = recorder.drops
    #expect(5...9 ~= dropped)
    #expect(recorder.blockedOutput != nil)
    var text: [UInt8] = []
    repeat {
      text += pipe.readAll()
      try recorder.flush()
    } while recorder.hasPending
    #expect(recorder.blockedOutput == nil)
    text += pipe.readAll()
    #expect(text.count { $0 == UInt8(ascii: "\n") } == 2 * (50 - dropped))
    keep("a", moment(60), in: recorder)
    keep("b", moment(61), in: recorder)
    try recorder.flush()
    #expect(
      String(decoding: pipe.readAll(), as: UTF8.self)
        == #"{"class":"LOCWATCH","t":0.060,"lost":\#(dropped)}"# + "\r\na\r\n"
        + #"{"class":"LOCWATCH","t":0.061}"# + "\r\nb\r\n")
    // One that stays away has what fits into the pipe; the rest is lost.
    for index in 70..<73 { keep(line, moment(index), in: recorder) }
    try recorder.finish()
    #expect(recorder.drops == dropped + 3)
    #expect(!recorder.hasPending && recorder.blockedOutput == nil)
  }

  @Test func `Any time of the clocks is recorded`() throws {
    let ends: [Int64] = [.min, .min + 1, -1, 0, 1, .max - 1, .max]
    for (first, second) in ends.flatMap({ one in ends.map { (one, $0) } }) {
      let lines = try recording { recorder in
        recorder.record(
          StateChange(
            .connecting,
            at: Moment(
              uptime: .nanoseconds(second), wall: Timestamp(nanosecondsSince1970: first))))
        for (uptime, wall) in [(first, second), (second, first), (first, first)] {
          keep(
            "a",
            Moment(uptime: .nanoseconds(uptime), wall: Timestamp(nanosecondsSince1970: wall)),
            in: recorder)
        }
        recorder.recordTime(Moment(uptime: .nanoseconds(second)), of: "x")
        recorder.recordEnd(at: Moment(uptime: .nanoseconds(first)))
      }
      #expect(lines.count { $0 == "a" } == 3)
      #expect(
        lines.allSatisfy {
          $0 == "a" || RecordingTimestamp(line: Array($0.utf8)[...]) != nil
        })
    }
  }
}
