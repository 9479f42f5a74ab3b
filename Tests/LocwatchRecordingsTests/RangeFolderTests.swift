import Foundation
import GPSDLocation
import LocationCore
import TestSupport
import Testing

@testable import LocwatchRecordings
@testable import LocwatchSystem

@Suite final class RangeFolderTests: FolderOfRecordings {
  private static let version =
    #"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"#

  private func time(_ day: Int, _ clock: String = "00:00:00") -> RecordedRange.Bound {
    .time(Timestamp(iso8601: "2026-11-0\(day)T\(clock)Z")!)
  }

  private func files(_ range: RecordedRange) throws -> [Int] {
    try RecordingFolder.files(in: FilePath(path), range).map {
      $0.lastComponent.first.map { Int($0) - 0x30 } == 0 ? Int($0.lastComponent[5]) - 0x30 : 0
    }
  }

  @Test func `Files of a folder that are outside of a range are not read`() throws {
    try create("2026-10-31T000000.000Z.jsonl")
    for day in 1...5 {
      try copy(day, lines(of: day))
      try touch(day, endOf: day)
    }
    #expect(try files(RecordedRange()) == [0, 1, 2, 3, 4, 5])
    // What has no time in its name may have anything.
    #expect(try files(RecordedRange(from: time(3, "12:00:00"))) == [0, 3, 4, 5])
    #expect(try files(RecordedRange(from: time(3, "00:20:00"))) == [0, 3, 4, 5])
    #expect(try files(RecordedRange(from: time(3, "00:19:59"))) == [0, 2, 3, 4, 5])
    #expect(try files(RecordedRange(to: time(3))) == [0, 1, 2])
    #expect(try files(RecordedRange(to: time(3, "00:00:01"))) == [0, 1, 2, 3])
    #expect(try files(RecordedRange(from: time(2, "12:00:00"), to: time(3))) == [0, 2])
    // The last one lasts until now.
    #expect(try files(RecordedRange(from: time(9))) == [0, 5])
    #expect(
      try files(RecordedRange(from: .timeOfDay(.zero), to: .timeOfDay(.seconds(60)))) == [0, 1])
    // One that was changed later, and has later dates, has more.
    try copy(1, lines(of: 1, date: "2026-11-09T00:00:00.000Z"))
    #expect(try files(RecordedRange(from: time(4, "12:00:00"))) == [0, 1, 4, 5])
    // The first day is uncertain.
    let firstMinute = RecordedRange(from: .timeOfDay(.zero), to: .timeOfDay(.seconds(60)))
    #expect(try files(firstMinute) == [0, 1, 2, 3, 4, 5])
    // The clock was not set at the beginning of the first one.
    try create("000001-1970-01-01T000000.000Z.jsonl")
    #expect(try files(firstMinute) == [0, 1, 1, 2, 3, 4, 5])
  }

  private func touch(_ day: Int, endOf end: Int, _ seconds: Double = 0) throws {
    let time = Date(timeIntervalSince1970: TimeInterval(1_793_491_200 + end * 86_400) + seconds)
    try FileManager.default.setAttributes(
      [.modificationDate: time],
      ofItemAtPath: "\(path)/00000\(day)-2026-11-0\(day)T000000.000Z.jsonl")
  }

  @Test func `A file is left out only if its length confirms when it began`() throws {
    for day in 1...5 {
      try copy(day, lines(of: day, until: "3600.000", date: "2026-11-0\(day)T01:00:00.000Z"))
      try touch(day, endOf: day, -23 * 3600)
    }
    let early = RecordedRange(from: time(2, "00:30:00"), to: time(2, "12:00:00"))
    #expect(try files(early) == [2])
    // The clock of the third one was ahead at its beginning, and was set back to the second day.
    try copy(3, lines(of: 3, until: "3600.000", date: "2026-11-02T01:00:00.000Z"))
    #expect(try files(early) == [2, 3])
    try touch(3, endOf: 2, -23 * 3600)
    #expect(try files(early) == [2, 3])
    // The clock of the fourth one was behind at its beginning, and that of the fifth, too.
    let late = RecordedRange(from: time(6), to: time(6, "12:00:00"))
    #expect(try files(late) == [3, 5])
    try copy(4, lines(of: 4, until: "3600.000", date: "2026-11-06T01:00:00.000Z"))
    #expect(try files(late) == [3, 4, 5])
    try touch(4, endOf: 6, -23 * 3600)
    #expect(try files(late) == [3, 4, 5])
    // That of the fifth one was ahead by 50 s.
    try copy(5, lines(of: 5, until: "3600.000", date: "2026-11-05T00:59:10.000Z"))
    #expect(try files(RecordedRange(from: time(4, "23:00:00"), to: time(4, "23:59:10"))) == [3, 4])
    #expect(
      try files(RecordedRange(from: time(4, "23:00:00"), to: time(4, "23:59:11"))) == [3, 4, 5])
    // It has no end, because it was being written.
    try copy(5, [stamp("0.000")])
    #expect(try files(early) == [2, 3, 4, 5])
  }

  @Test func `A compressed file to which another was appended is read`() throws {
    for day in 1...4 { try copy(day, lines(of: day)) }
    _ = FolderUpkeep(folder: FilePath(path), limit: nil, spans: SpanCache()).run()
    let last = RecordedRange(from: time(4, "12:00:00"))
    #expect(try files(last) == [4])
    let first = URL(filePath: "\(path)/000001-2026-11-01T000000.000Z.jsonl.gz")
    try (Data(contentsOf: first) + Data(gzip("more\r\n"))).write(to: first)
    #expect(try files(last) == [1, 4])
  }

  /// Writes the file of a day that was changed just now, like a copy.
  private func copy(_ day: Int, _ lines: [String], ending: String = "") throws {
    let name = "00000\(day)-2026-11-0\(day)T000000.000Z.jsonl\(ending)"
    try create(name)
    let text = lines.map { $0 + "\r\n" }.joined()
    let bytes = ending.isEmpty ? Array(text.utf8) : gzip(text)
    try Data(bytes).write(to: URL(filePath: "\(path)/\(name)"))
  }

  /// The lines of a recording that begins at the beginning of a day, with three fixes up to a date.
  private func lines(of day: Int, until end: String = "86400.000", date: String? = nil) -> [String]
  {
    let date = Timestamp(iso8601: date ?? "2026-11-0\(day)T23:59:59.000Z")!
    let fixes = (1...3).flatMap { second in
      [
        stamp("\(second).000"),
        #"{"class":"TPV","device":"/dev/a","mode":3,"time":"\#(date.advanced(by: .seconds(second - 3)))","lat":1,"lon":2}"#,
      ]
    }
    return [stamp("0.000", start: "2026-11-0\(day)T00:00:00.000Z"), Self.version] + fixes + [
      stamp(end)
    ]
  }

  @Test func `Files of a folder that was copied are read as those of the original`() throws {
    for day in 1...3 { try copy(day, lines(of: day)) }
    _ = FolderUpkeep(folder: FilePath(path), limit: nil, spans: SpanCache()).run()
    for day in 4...6 { try copy(day, lines(of: day)) }
    for name in try names() where name.hasSuffix(".gz") {
      try FileManager.default.setAttributes(
        [.modificationDate: Date()], ofItemAtPath: "\(path)/\(name)")
    }
    #expect(try names().map { $0.hasSuffix(".gz") } == [true, true, true, false, false, false])
    #expect(try files(RecordedRange(from: time(2, "12:00:00"))) == [2, 3, 4, 5, 6])
    #expect(try files(RecordedRange(from: time(3, "00:20:00"), to: time(4))) == [3])
    #expect(try files(RecordedRange(from: time(3, "00:19:59"), to: time(4))) == [2, 3])
    #expect(try files(RecordedRange(from: time(5, "12:00:00"))) == [5, 6])
    #expect(try files(RecordedRange(from: time(5, "00:19:59"))) == [4, 5, 6])
  }

  @Test func `A file whose end is unknown, or by one of two times in a range, is read`() throws {
    // It was compressed by another program, it ends within a line that is not known to be the last, it ends later, or
    // its receiver was ahead of the computer.
    try copy(1, lines(of: 1), ending: ".gz")
    try copy(2, [#"{"class":"TPV"}"#] + lines(of: 2))
    try copy(3, lines(of: 3, until: "300000.000"))
    try copy(4, lines(of: 4, date: "2026-11-07T00:00:00.000Z"))
    try copy(5, lines(of: 5))
    try copy(6, lines(of: 6))
    #expect(try files(RecordedRange(from: time(6, "01:00:00"))) == [1, 2, 3, 4, 6])
  }
}
