import Foundation
import Glibc
import LocationCore
import LocationTestKit
import Synchronization
import Testing

@testable import GPSDLocation
@testable import LocationFormats
@testable import LocationText
@testable import LocwatchCLI
@testable import LocwatchRecordings
@testable import LocwatchSystem
@testable import LocwatchTerminal

/// Fault 24, on a pipe of the test's own: as many seconds as are wanted, in no time.
/// Fault 79.
@Suite struct `Output that nobody reads` {
  private func moment(_ tenths: Int) -> Moment {
    Moment(
      uptime: .milliseconds(100 * tenths),
      wall: Samples.time(0, 0).advanced(by: .milliseconds(100 * tenths)))
  }

  private static func attitude(_ index: Int, size: Int = 0) -> LocationUpdate {
    let text = #"{"class":"ATT","n":\#(index),"x":"\#(String(repeating: "x", count: size))"}"#
    return .event(.other(ServiceReport(ServiceReport.Kind(rawValue: "ATT"), text: text)))
  }

  @Test func `24: passed-on reports of several sources share their limit`() throws {
    let pipe = try PipeEnds()
    let options = try Options(arguments: ["-j", "--class", "ATT", "a=h1", "b=h2"])
    var stream = StreamPresenter(to: OutputSink(pipe.descriptor, waitsForReader: false))
    options.addFleet(to: &stream)
    stream.present(Self.attitude(0, size: 100_000), of: 0, at: moment(0))
    try stream.flush(at: moment(0))
    var accepted = [0, 0]
    for index in 1...600 where stream.hasRoom(for: Self.attitude(index), of: index % 2) {
      stream.present(Self.attitude(index), of: index % 2, at: moment(0))
      accepted[index % 2] += 1
    }
    #expect(accepted == [128, 128])
    #expect(
      stream.hasRoom(for: .fix(Samples.fix), of: 0)
        && stream.hasRoom(for: .state(Samples.lost), of: 1))
  }

  @Test func `24: a stopped terminal misses transitions, but no other updates`() throws {
    let pipe = try PipeEnds()
    var sink = OutputSink(pipe.descriptor, waitsForReader: false)
    let sky = LocationUpdate.event(.sky(Samples.sky))
    sink.text.append(text: String(repeating: "x", count: 1024 * 1024))
    #expect(sink.hasRoom(for: .state(Samples.lost)) && sink.hasRoom(for: sky))
    sink.text.append(character: "x")
    #expect(!sink.hasRoom(for: .state(Samples.lost)) && sink.hasRoom(for: sky))
    var replay = OutputSink(pipe.descriptor, waitsForReader: true)
    swap(&replay.text, &sink.text)
    #expect(replay.hasRoom(for: .state(Samples.lost)))
  }

  @Test func `24: a recording into a pipe waits for nobody, and has only whole lines`() throws {
    let pipe = try PipeEnds()
    let recorder = Recorder(pipe.descriptor)
    let line = Array((String(repeating: "x", count: 998) + "\r\n").utf8)
    for index in 0..<6000 {
      recorder.keep(GPSDLines(bytes: line[...], received: moment(index)))
      try recorder.flush()
    }
    #expect(recorder.drops > 1000)
    #expect(recorder.hasPending)
    var bytes: [UInt8] = []
    repeat {
      bytes += pipe.readAll()
      try recorder.flush()
    } while recorder.hasPending
    bytes += pipe.readAll()
    let lines = bytes.split(separator: 0x0A)
    let kept = lines.filter { $0.first == UInt8(ascii: "x") }
    #expect(kept.allSatisfy { $0.count == 999 })
    #expect(kept.count + recorder.drops == 6000)
    #expect(lines.count == 2 * kept.count)
  }
}

@Suite struct `Records that are not written at the end` {
  @Test func `are a line of --verbose, as those that a recording lacks are`() {
    var counts = SourceCounts(fixes: 7, drops: 6, unwritten: 5)
    counts.add(SourceCounts(fixes: 10, drops: 20, unwritten: 30))
    var reports = GPSDStatistics.Counts()
    reports.reports = ["TPV": 9, "SKY": 8]
    reports.badLines = 1
    reports.discards = 2
    reports.discardedBytes = 300
    reports.droppedElements = 4
    reports.impossibleNumbers = 8
    reports.connections = 5
    let all = RunCounts(
      reports: reports, sources: 3, output: counts,
      gaps: RecordingGaps(lostLines: 11))
    #expect(
      all.message == """
        SKY reports: 8
        TPV reports: 9
        fixes: 17
        bad lines: 1
        cut or too long: 2 (300 bytes)
        list elements left out: 4
        impossible numbers: 8
        records dropped for a slow reader: 26
        records not written at the end: 35
        lines missing from the recording: 11
        attempts to reconnect: 2
        """)
  }
}
