import LocationCore
import TestSupport
import Testing

@testable import GPSDLocation

/// Recordings in several files, replayed as one.
/// Fault 86.
@Suite(.timeLimit(.minutes(5))) struct `Several recordings` {
  @Test func `are open one at a time`() async throws {
    let files = try (0..<5).map { _ in
      try TemporaryFile(lines: [
        #"{"class":"LOCWATCH","t":0.000,"start":"2026-11-20T07:05:00.000Z"}"#, Lines.version,
        #"{"class":"LOCWATCH","t":1.250}"#, Lines.tpv(1),
      ])
    }
    let paths = files.map(\.path)
    func openFiles() -> [String] { paths.filter(openDescriptors().values.contains) }
    let recordings = try paths.map { try RecordingFile(path: FilePath($0)) }
    #expect(openFiles() == paths)
    for recording in recordings {
      #expect(recording.head(upTo: 10) == Array("{\"class\":\"".utf8))
      recording.release()
    }
    #expect(openFiles() == [])
    let session = RecordedSession(recordings, pace: .asFastAsPossible)
    for _ in 1...2 {
      session.restart()
      var reads: [[String]] = []
      while case .received = try await session.read(by: session.clock) { reads.append(openFiles()) }
      #expect(reads == paths.flatMap { [[$0], [$0]] })
      #expect(openFiles() == [])
    }
  }
}
