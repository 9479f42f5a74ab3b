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
