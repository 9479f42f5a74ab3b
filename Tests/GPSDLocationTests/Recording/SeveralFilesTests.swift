import Foundation
import GPSDLocation
import LocationCore
import LocationTestKit
import Testing

/// Recordings in several files, replayed as one.
@Suite(.timeLimit(.minutes(5))) struct `Several recordings` {
  private static let timed = [
    #"{"class":"LOCWATCH","t":0.000,"start":"2026-11-20T07:05:00.000Z"}"#, Lines.version,
    #"{"class":"LOCWATCH","t":1.250}"#, Lines.tpv(1), #"{"class":"LOCWATCH","t":2.250}"#,
    Lines.tpv(2),
  ]
  private static let later = [
    #"{"class":"LOCWATCH","t":0.000,"start":"2026-11-20T07:05:10.000Z"}"#, Lines.tpv(10),
    #"{"class":"LOCWATCH","t":1.000}"#, Lines.tpv(11),
  ]
  private static let ended = timed + [#"{"class":"LOCWATCH","t":20.000}"#]
  private static let endedAhead =
    timed + [#"{"class":"LOCWATCH","t":4.000,"start":"2026-11-20T07:05:06.000Z"}"#]
  /// What is left of a recording whose beginning was cut off.
  private static let cut = [
    #"{"class":"LOCWATCH","t":3600.000}"#, Lines.tpv(20), #"{"class":"LOCWATCH","t":3601.500}"#,
    Lines.tpv(21),
  ]
  private static let untimed = [Lines.version, Lines.tpv(30), "torn", Lines.tpv(33)]

  /// Files that are removed when they go.
  private final class Files {
    let paths: [String]

    init(_ recordings: [[String]]) throws {
      let folder = FileManager.default.temporaryDirectory
      paths = recordings.map { _ in folder.appending(path: "\(UUID()).jsonl").path() }
      // Without a line end at the last one.
      for (path, lines) in zip(paths, recordings) {
        try Data(lines.joined(separator: "\r\n").utf8).write(to: URL(filePath: path))
      }
    }

    deinit { for path in paths { try? FileManager.default.removeItem(atPath: path) } }
  }

  /// When each event came, by a connection.
  private func moments(_ session: RecordedSession) async throws -> [Moment] {
    var connection = GPSDLocationSource(replaying: session).connection()
    var moments: [Moment] = []
    while case .value(let events, _) = try await connection.next(until: nil) {
      moments += events.map(\.moment)
    }
    return moments
  }

  @Test(arguments: [
    ([timed], [0, 1.25, 2.25]),
    ([timed, later], [0, 1.25, 2.25, 10, 11]),
    // The first one ended later, or its clock was set when it ended.
    ([ended, later], [0, 1.25, 2.25, 20, 21]),
    ([endedAhead, later], [0, 1.25, 2.25, 4, 5]),
    // Out of order, or twice: no time passes between them.
    ([later, timed], [0, 1, 1, 2.25, 3.25]),
    ([timed, timed], [0, 1.25, 2.25, 2.25, 3.5, 4.5]),
    ([timed, untimed], [0, 1.25, 2.25, 2.25, 2.25, 5.25]),
    ([untimed, timed], [0, 0, 3, 3, 4.25, 5.25]),
    ([timed, untimed, later], [0, 1.25, 2.25, 2.25, 2.25, 5.25, 5.25, 6.25]),
    ([untimed, untimed], [0, 0, 3, 3, 3, 6]),
    ([timed, cut], [0, 1.25, 2.25, 2.25, 3.75]),
    ([[], timed, [], later], [0, 1.25, 2.25, 10, 11]),
  ])
  func `follow each other, each with its own times`(
    recordings: [[String]], expected: [Double]
  ) async throws {
    let files = try Files(recordings)
    var transcripts: [[Moment]] = []
    for pace in [RecordedSession.Pace.asFastAsPossible, .recorded(speed: 1e9)] {
      let session = RecordedSession(
        try files.paths.map { try RecordingFile(path: FilePath($0)) }, pace: pace)
      for _ in 1...2 { transcripts.append(try await moments(session)) }
    }
    #expect(transcripts[0].map(\.uptime.inSeconds) == expected)
    #expect(transcripts.allSatisfy { $0 == transcripts[0] })
  }

  @Test func `have the time of day where they tell it`() async throws {
    let files = try Files([Self.timed, Self.untimed, Self.later])
    let session = RecordedSession(
      try files.paths.map { try RecordingFile(path: FilePath($0)) }, pace: .asFastAsPossible)
    let walls = try await moments(session).map { $0.wall.map(Lines.start.nanoseconds(to:)) }
    #expect(
      walls.map { $0?.inSeconds } == [0, 1.25, 2.25, nil, nil, nil, 10, 11])
  }

  @Test func `have a size where all of them have`() throws {
    let files = try Files([Self.timed, Self.untimed])
    let recordings = try files.paths.map { try RecordingFile(path: FilePath($0)) }
    let size = recordings.compactMap(\.size).reduce(0, +)
    #expect(RecordedSession(recordings, pace: .asFastAsPossible).size == size)
    #expect(
      size
        == files.paths.compactMap { FileManager.default.contents(atPath: $0)?.count }.reduce(0, +))
  }
}
