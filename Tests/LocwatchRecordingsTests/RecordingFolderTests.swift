import Foundation
import GPSDLocation
import Glibc
import LocationCore
import TestSupport
import Testing

@testable import LocwatchRecordings
@testable import LocwatchSystem

/// Faults 87 and 108.
@Suite final class RecordingFolderTests: FolderOfRecordings {
  @Test func `The first file begins with the wait for gpsd, the others with their lines`() throws {
    let recorder = try recorder(.every(.seconds(10)))
    recorder.record(StateChange(.connecting, at: moment(0)))
    for seconds in [3, 4, 13] { keep("a", at: seconds, in: recorder) }
    try recorder.finish()
    #expect(
      try files() == [
        "000001-2026-11-20T070003.000Z.jsonl: \(stamp("0.000", start: "2026-11-20T07:00:00.000Z")) "
          + "\(stamp("3.000")) a \(stamp("4.000")) a \(stamp("13.000")) ",
        "000002-2026-11-20T070013.000Z.jsonl: "
          + "\(stamp("0.000", start: "2026-11-20T07:00:13.000Z")) a ",
      ])
  }

  @Test func `The first file of several sources begins with their first moments`() throws {
    let recorder = try recorder()
    recorder.recordTime(moment(0), of: "x")
    keep("a", at: 2, of: "x", in: recorder)
    try recorder.finish()
    let start = #"{"class":"LOCWATCH","t":0.000,"start":"2026-11-20T07:00:00.000Z","source":"x"}"#
    #expect(
      try files() == [
        "000001-2026-11-20T070002.000Z.jsonl: \(start) "
          + #"{"class":"LOCWATCH","t":2.000,"source":"x"} a "#
      ])
  }

  @Test func `The numbers determine the order of the files, whatever the clock says`() throws {
    let recorder = try recorder(.every(.seconds(1)))
    for (seconds, change) in [(0, 0), (1, -3600), (2, -1_795_158_000), (3, 86_400), (4, 0)] {
      keep("\(seconds)", at: seconds, clockSetBy: change, in: recorder)
    }
    try recorder.finish()
    #expect(
      try names() == [
        "000001-2026-11-20T070000.000Z.jsonl", "000002-2026-11-20T060001.000Z.jsonl",
        "000003-1970-01-01T000002.000Z.jsonl", "000004-2026-11-21T070003.000Z.jsonl",
        "000005-2026-11-20T070004.000Z.jsonl",
      ])
  }

  @Test func `A clock that is set where another file begins takes no time`() async throws {
    let recorder = try recorder(.every(.seconds(2)))
    for (seconds, change) in [(0, -1_795_158_000), (2, 0), (4, -3600)] {
      keep(#"{"class":"TPV"}"#, at: seconds, clockSetBy: change, in: recorder)
    }
    recorder.recordEnd(at: moment(5, clockSetBy: -3600))
    try recorder.finish()
    let (session, moments) = try await replay()
    #expect(moments.map { $0?.uptime } == [.zero, .seconds(2), .seconds(4)])
    #expect(
      moments.map { $0?.wall } == [
        moment(0, clockSetBy: -1_795_158_000).wall, moment(2).wall,
        moment(4, clockSetBy: -3600).wall,
      ])
    #expect(session.clock.now.uptime == .seconds(5))
  }

  @Test func `If another recording takes a name, the next number is used`() throws {
    try create("000005-2026-11-20T070000.000Z.jsonl", "000006-2026-11-20T070000.000Z.jsonl")
    let folder = try RecordingFolder(FilePath(path), rotation: .daily)
    let name = RecordingName(number: 5, start: Samples.time(0, 0))
    let file = try PartFile.create(name, in: folder.path)
    #expect(file.descriptor.path == "\(path)/000007-2026-11-20T070000.000Z.jsonl.part")
  }

  @Test func `A file can follow up to 999 names that others took`() throws {
    let folder = try RecordingFolder(FilePath(path), rotation: .daily)
    func create(_ number: Int) throws -> PartFile {
      let name = RecordingName(number: number, start: Samples.time(0, 0))
      return try PartFile.create(name, in: folder.path).file
    }
    func name(_ number: Int) -> String {
      String("000000\(number)".suffix(6)) + "-2026-11-20T070000.000Z.jsonl"
    }
    for number in 5..<1005 { try self.create(name(number) + (number % 2 == 0 ? ".gz" : "")) }
    #expect(try create(6).name.number == 1005)
    let error = OutputError.cannotCreate(path: "\(path)/\(name(5))", reason: "File exists")
    #expect(throws: error) { _ = try create(5) }
    // So can one that is complete.
    try self.create(name(5) + ".part", name(6) + ".part")
    func complete(_ number: Int) throws {
      let name = RecordingName(number: number, start: Samples.time(0, 0))
      _ = try PartFile(folder: folder.path, name: name).complete()
    }
    try complete(6)
    #expect(try names().contains(name(1005)))
    #expect(throws: error) { try complete(5) }
  }

  @Test func `A folder that cannot be read is an error`() throws {
    let folder = try RecordingFolder(FilePath(path), rotation: .daily)
    try FileManager.default.removeItem(atPath: path)
    try Data().write(to: URL(filePath: path))
    #expect(throws: OutputError.cannotCreate(path: path, reason: "Not a directory")) {
      try folder.createFile(at: self.moment(0))
    }
    #expect { _ = try RecordingFolder.files(in: FilePath(self.path)) } throws: { error in
      (error as? Failure)?.message == "\(self.path): Not a directory"
        && (error as? Failure)?.status == .noInput
    }
  }

  @Test func `Without a time of day, a file has the current time`() throws {
    let folder = try RecordingFolder(FilePath(path), rotation: .daily)
    let before = Timestamp.now
    let time = try folder.createFile(at: Moment(uptime: .zero)).file.name.start
    #expect(before.duration(to: time) > .milliseconds(-2) && time <= Timestamp.now)
  }

  @Test func `Recordings that begin at once have a file each, and all their lines`() throws {
    let recorders = try (0..<32).map { _ in try recorder() }
    let received = moment(0)
    DispatchQueue.concurrentPerform(iterations: 32) { index in
      let line = Array("line \(index)\r\n".utf8)
      recorders[index].keep(GPSDLines(bytes: line[...], received: received))
      try? recorders[index].finish()
    }
    #expect(messages == [])
    let lines = try files().map { $0.split(separator: " ").suffix(2).joined(separator: " ") }
    #expect(lines.sorted() == (0..<32).map { "line \($0)" }.sorted())
  }

  @Test func `A clock that is set back and forth about midnight begins at most one file an hour`()
    throws
  {
    let recorder = try recorder()
    let midnight = 17 * 3600
    for minute in 0..<180 {
      let change = minute.isMultiple(of: 2) ? -3600 * 3 : 3600 * 3
      keep("a", at: midnight + 60 * minute, clockSetBy: change, in: recorder)
    }
    try recorder.finish()
    #expect(
      try names().map { $0.prefix(24) } == [
        "000001-2026-11-20T210000", "000002-2026-11-21T030100", "000003-2026-11-20T220200",
        "000004-2026-11-21T040300", "000005-2026-11-20T230400", "000006-2026-11-21T050500",
      ])
  }

  @Test func `The next day begins a file, and a repeated day only after an hour`() throws {
    let folder = try RecordingFolder(FilePath(path), rotation: .daily)
    func begins(_ seconds: Int, _ change: Int) -> Bool {
      folder.beginsFile(
        at: moment(seconds, clockSetBy: change), after: moment(0), size: .max)
    }
    let day = 86_400
    #expect(!begins(0, 0))
    #expect(!begins(1, 17 * 3600 - 2))
    #expect(begins(1, 17 * 3600 - 1))
    #expect(begins(1, 365 * day))
    #expect(!begins(1, -8 * 3600))
    #expect(!begins(3599, -day))
    #expect(begins(3600, -day))
    #expect(!begins(3600, 0))
    let unknown = Moment(uptime: .seconds(90_000))
    #expect(!folder.beginsFile(at: unknown, after: moment(0), size: 0))
    #expect(!folder.beginsFile(at: moment(0), after: unknown, size: 0))
    for wall in [Int64.min, -1, 0, .max] {
      let end = Moment(uptime: .seconds(1), wall: Timestamp(nanosecondsSince1970: wall))
      _ = folder.beginsFile(at: end, after: moment(0), size: 0)
      #expect(try folder.createFile(at: end).descriptor.path.hasSuffix("Z.jsonl.part"))
    }
  }
}
