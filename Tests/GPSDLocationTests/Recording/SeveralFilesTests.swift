import Foundation
@testable import GPSDLocation
import Glibc
import LocationCore
import LocationTestKit
import TestSupport
import Testing

/// Recordings in several files, replayed as one.
/// Fault 86.
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

  @Test func `begin with a time even after one whose end is missing`() async throws {
    let verbatim = #"{"class":"LOCWATCH","t":1.000,"verbatim":1}"#
    let files = try Files([[Self.timed[0], Lines.tpv(0), verbatim], Self.later])
    let session = RecordedSession(
      try files.paths.map { try RecordingFile(path: FilePath($0)) }, pace: .asFastAsPossible)
    try session.open(GPSDEndpoint())
    var lines: [String] = []
    while case .value(let read, _) = try await session.read(until: nil) {
      lines += read.map { Lines.text($0) }
    }
    #expect(lines == [Lines.tpv(0) + "\r\n", Lines.tpv(10) + "\r\n", Lines.tpv(11) + "\n"])
    withExtendedLifetime(files) {}
  }

  @Test func `of which one is a pipe close it at their end`() throws {
    var ends: [CInt] = [-1, -1]
    try #require(pipe(&ends) == 0)
    var file: RecordingFile? = RecordingFile(pipe: ends[0], name: "a pipe")
    #expect(file?.size == nil)
    #expect(write(ends[1], "x", 1) == 1)
    file = nil
    waitUntilOver(ends[1])
    #expect(write(ends[1], "x", 1) == -1 && errno == EPIPE)
    close(ends[1])
  }

  /// Those of the files that this process has open.
  private func openFiles(of files: Files) -> [String] {
    files.paths.filter(openDescriptors().values.contains)
  }

  @Test func `are open one at a time`() async throws {
    let files = try Files(Array(repeating: Self.timed, count: 5))
    let recordings = try files.paths.map { try RecordingFile(path: FilePath($0)) }
    #expect(openFiles(of: files).count == 5)
    for recording in recordings {
      #expect(recording.head(upTo: 10) == Array("{\"class\":\"".utf8))
      recording.release()
    }
    #expect(openFiles(of: files) == [])
    let session = RecordedSession(recordings, pace: .asFastAsPossible)
    for _ in 1...2 {
      try session.open(GPSDEndpoint())
      var reads: [[String]] = []
      while case .value = try await session.read(until: nil) {
        reads.append(openFiles(of: files))
      }
      #expect(reads == files.paths.flatMap { Array(repeating: [$0], count: 3) })
      #expect(openFiles(of: files) == [])
    }
  }

  @Test func `are closed with the last that needs them`() throws {
    let files = try Files([Self.timed, Self.later])
    var recordings = try files.paths.map { try RecordingFile(path: FilePath($0)) }
    #expect(openFiles(of: files) == files.paths)
    recordings.removeFirst()
    #expect(openFiles(of: files) == [files.paths[1]])
    recordings = []
    #expect(openFiles(of: files) == [])
  }

  @Test(
    arguments: [
      ([0x1f, 0x8b], true), ([0x1f, 0x8b, 0x08, 0x00], true), ([0x1f], false), ([], false),
      ([0x8b, 0x1f], false), ([0x1f, 0x8c], false),
    ] as [([UInt8], Bool)])
  func `are known to be compressed by their first two bytes`(
    bytes: [UInt8], isCompressed: Bool
  ) throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID())").path()
    try Data(bytes).write(to: URL(filePath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    let file = try RecordingFile(path: FilePath(path))
    #expect(file.isCompressed == isCompressed)
    // Looking at it moves nothing.
    #expect(try file.contents() == (isCompressed ? [] : bytes))
    #expect(file.isDamaged == isCompressed)
  }

  @Test func `that are streams are inspected by what has come, which is read again`() async throws {
    let pipe = Pipe()
    let file = RecordingFile(pipe: dup(pipe.fileHandleForReading.fileDescriptor), name: "pipe")
    #expect(file.head(upTo: 9) == [] && !file.isCompressed)
    #expect(try file.nextBytes(upTo: 9) == nil)
    #expect(file.input != nil)
    try pipe.fileHandleForWriting.write(contentsOf: Data([0x1F, 0x8A, 0x0A, 1, 2, 3]))
    let lines = try await file.firstLines { $0.count > 5 }
    #expect(lines == [0x1F, 0x8A, 0x0A, 1, 2, 3])
    #expect(file.head(upTo: 4) == [0x1F, 0x8A, 0x0A, 1] && !file.isCompressed)
    #expect(file.head(upTo: 9) == Array(lines))
    // More can be asked for later.
    try pipe.fileHandleForWriting.write(contentsOf: Data([4]))
    #expect(try await file.firstLines { $0.count > 6 } == lines + [4])
    #expect(try file.nextBytes(upTo: 2) == [0x1F, 0x8A])
    #expect(try file.nextBytes(upTo: 2) == [0x0A, 1])
    #expect(try file.nextBytes(upTo: 9) == [2, 3, 4])
    #expect(try file.nextBytes(upTo: 9) == nil)
    try pipe.fileHandleForWriting.write(contentsOf: Data([5]))
    #expect(try file.nextBytes(upTo: 9) == [5])
    try pipe.fileHandleForWriting.close()
    waitUntilOver(try #require(file.input))
    #expect(try file.nextBytes(upTo: 9) == [])
    #expect(try await file.firstLines() == [])
  }

  @Test func `tell how much of them was replayed`() async throws {
    let files = try Files([Self.timed, Self.later])
    let session = RecordedSession(
      try files.paths.map { try RecordingFile(path: FilePath($0)) }, pace: .asFastAsPossible)
    try session.open(GPSDEndpoint())
    let texts = [Self.timed, Self.later].map { $0.joined(separator: "\r\n") }
    var said: [Int] = []
    while case .value = try await session.read(until: nil) { said.append(session.engine.bytesSaid) }
    // The last line of each gets the end that it lacks when the rest was read.
    let ends = [2, 4].map { Self.timed[..<$0].joined(separator: "\r\n").utf8.count + 2 }
    #expect(Array(said.prefix(2)) == ends)
    #expect(said[2] >= texts[0].utf8.count && said[2] <= texts[0].utf8.count + 1)
    #expect(session.engine.bytesSaid == texts.reduce(0) { $0 + $1.utf8.count })
    #expect(session.engine.size == session.engine.bytesSaid)
    #expect(session.engine.isOver)
  }

  @Test func `are an error if one of them has vanished`() async throws {
    var last: Files? = try Files([Self.later])
    let files = try Files([Self.timed])
    let path = last?.paths[0] ?? ""
    let recordings = try (files.paths + [path]).map { try RecordingFile(path: FilePath($0)) }
    for recording in recordings { recording.release() }
    last = nil
    let session = RecordedSession(recordings, pace: .asFastAsPossible)
    try session.open(GPSDEndpoint())
    for _ in 1...3 {
      guard case .value = try await session.read(until: nil) else {
        Issue.record("no lines")
        return
      }
    }
    await #expect(
      throws: LocationError(
        .disconnected, systemError: .errno(ENOENT), "\(path): No such file or directory")
    ) { try await session.read(until: nil) }
  }

  @Test func `of none is empty`() async throws {
    let session = RecordedSession([], pace: .asFastAsPossible)
    try session.open(GPSDEndpoint())
    #expect(try await session.read(until: nil) == .ended)
    #expect(session.engine.size == 0 && session.engine.isOver && session.engine.contents.isEmpty)
  }

  /// Only there, a file can have that size.
  @Test(.enabled(if: FileManager.default.isWritableFile(atPath: "/dev/shm")))
  func `have a size even if it is beyond all numbers`() throws {
    let path = "/dev/shm/locwatch-\(UUID())"
    #expect(FileManager.default.createFile(atPath: path, contents: nil))
    defer { try? FileManager.default.removeItem(atPath: path) }
    try #require(truncate(path, .max) == 0)
    let file = try RecordingFile(path: FilePath(path))
    #expect(RecordedSession([file], pace: .asFastAsPossible).engine.size == .max)
    #expect(RecordedSession([file, file], pace: .asFastAsPossible).engine.size == .max)
  }

  @Test func `have a size where all of them have`() throws {
    let files = try Files([Self.timed, Self.untimed])
    let recordings = try files.paths.map { try RecordingFile(path: FilePath($0)) }
    let size = recordings.compactMap(\.size).reduce(0, +)
    #expect(RecordedSession(recordings, pace: .asFastAsPossible).engine.size == size)
    #expect(
      size
        == files.paths.compactMap { FileManager.default.contents(atPath: $0)?.count }.reduce(0, +))
  }
}
