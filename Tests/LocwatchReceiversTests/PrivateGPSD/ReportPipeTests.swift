import GPSDLocation
import Glibc
import LocationCore
import TestSupport
import Testing

@testable import LocwatchReceivers
@testable import LocwatchSystem

@Suite struct `A pipe of reports` {
  private let reading: CInt
  private var pipe: ReportPipe

  init() throws {
    var ends: [CInt] = [-1, -1]
    try #require(Glibc.pipe(&ends) == 0)
    for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    reading = ends[0]
    pipe = ReportPipe(to: ends[1], renaming: "tcp://127.0.0.1:5", to: #"a "log"\#u{1b}.nmea"#)
  }

  private mutating func flush() -> Bool { pipe.flush() }

  private func text() -> String {
    var bytes = [UInt8](repeating: 0, count: 200_000)
    let count = read(reading, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }

  @Test(arguments: [
    (#"{"device":"tcp://127.0.0.1:5","x":1}"#, #"{"device":"a \"log\"\u001b.nmea","x":1}"#),
    (#""tcp://127.0.0.1:5""tcp://127.0.0.1:5""#, #""a \"log\"\u001b.nmea""a \"log\"\u001b.nmea""#),
    (#"{"device":"tcp://127.0.0.1:55"}"#, #"{"device":"tcp://127.0.0.1:55"}"#),
    ("tcp://127.0.0.1:5", "tcp://127.0.0.1:5"),
    (#"{"device":"tcp://127"#, #"{"device":"tcp://127"#),
    ("", ""),
  ])
  mutating func `names the receiver as the file`(line: String, passed: String) {
    pipe.append(Array(line.utf8)[...])
    #expect(flush())
    #expect(text() == passed)
    close(reading)
    close(pipe.output)
  }

  @Test func `names the receiver in lines, of which all else stays`() {
    func lines(_ name: String) -> GPSDLines {
      GPSDLines(
        bytes: Array("{\"device\":\"\(name)\"}\n".utf8)[...],
        received: Moment(uptime: .seconds(7)), discardedBytes: 9)
    }
    #expect(lines("a").renamed(by: PathRenaming("a", to: "phone")) == lines("phone"))
    #expect(lines("b").renamed(by: PathRenaming("a", to: "phone")) == lines("b"))
    close(reading)
    close(pipe.output)
  }

  @Test mutating func `keeps what it has no room for, in order`() {
    let lines = (0..<20_000).map { "line \($0)\n" }
    for line in lines { pipe.append(Array(line.utf8)[...]) }
    let count = lines.joined().utf8.count
    #expect(pipe.waitingCount == count)
    var passed = ""
    while pipe.waitingCount > 0 {
      #expect(flush())
      passed += text()
      #expect(pipe.waitingCount == count - passed.utf8.count)
    }
    #expect(passed == lines.joined())
    // Nothing is written twice.
    pipe.append(Array("end\n".utf8)[...])
    #expect(flush() && pipe.waitingCount == 0)
    #expect(text() == "end\n")
    close(reading)
    close(pipe.output)
  }

  @Test mutating func `says when nobody reads it`() {
    close(reading, seenBy: pipe.output)
    #expect(flush())
    pipe.append([0x0A])
    #expect(!flush())
    close(pipe.output)
  }
}
