import Foundation
import GPSDLocation
import LocationCore
import LocationTestKit
import TestSupport
import Testing

@Suite struct `Recorded file` {
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
