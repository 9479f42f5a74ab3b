import Foundation
import GPSDLocation
import LocationCore
import LocationTestKit
import TestSupport
import Testing

@Suite struct `Recorded file` {
  private func text(_ bytes: String) async throws -> [String] {
    let file = try TemporaryFile(bytes)
    let session = try RecordedSession(contentsOf: file.path)
    try session.open(GPSDEndpoint())
    var lines: [String] = []
    while case .value(let read, _) = try await session.read(until: nil) {
      lines += read.map(Lines.text)
    }
    return lines
  }

  @Test func `keeps line ends as they are`() async throws {
    #expect(
      try await text("{\"class\":\"A\"}\r\n{\"class\":\"B\"}\n\r\n")
        == ["{\"class\":\"A\"}\r\n", "{\"class\":\"B\"}\n", "\r\n"])
  }

  @Test func `a last line that is torn is still a line, and no report`() async throws {
    #expect(try await text(Lines.tpv(1) + "\n{\"cla") == [Lines.tpv(1) + "\n", "{\"cla\n"])
    let file = try TemporaryFile(Lines.tpv(1) + "\r\n{\"cla")
    let statistics = GPSDStatistics()
    let session = try RecordedSession(contentsOf: file.path)
    let source = GPSDLocationSource(replaying: session, statistics: statistics)
    var events: [LocationEvent] = []
    for try await event in source.events() { events.append(event) }
    #expect(events == [.fix(Lines.fix(1))])
    #expect(statistics.counts.badLines == 1)
  }

  @Test func `a complete last line without a line end is a report`() async throws {
    #expect(try await text(Lines.tpv(1)) == [Lines.tpv(1) + "\n"])
  }

  @Test func `an empty file ends at once`() async throws { #expect(try await text("") == []) }

  @Test func `a file larger than one read comes whole, twice`() async throws {
    let lines = (0..<6000).map { Lines.tpv($0 % 60) }
    let file = try TemporaryFile(lines.map { $0 + "\n" }.joined())
    let source = try GPSDLocationSource.recorded(contentsOf: file.path)
    for _ in 0..<2 {
      var count = 0
      for try await event in source.events() {
        #expect(event == .fix(Lines.fix(count % 60)))
        count += 1
      }
      #expect(count == 6000)
    }
  }

  @Test func `a file that is not there is an error with the system's number and words`() {
    #expect {
      _ = try RecordedSession(contentsOf: "/nowhere/drive.jsonl")
    } throws: { error in
      error as? LocationError
        == LocationError(
          .disconnected, systemError: .errno(ENOENT),
          "/nowhere/drive.jsonl: No such file or directory")
    }
  }
}
