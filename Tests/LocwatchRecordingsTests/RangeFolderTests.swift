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
      let name = "00000\(day)-2026-11-0\(day)T000000.000Z.jsonl\(day < 4 ? ".gz" : "")"
      try create(name)
      // Changed at the end of the day.
      let end = Date(timeIntervalSince1970: TimeInterval(1_793_491_200 + day * 86_400))
      try FileManager.default.setAttributes(
        [.modificationDate: end], ofItemAtPath: "\(path)/\(name)")
    }
    #expect(try files(RecordedRange()) == [0, 1, 2, 3, 4, 5])
    // What has no time in its name may have anything.
    #expect(try files(RecordedRange(from: time(3, "12:00:00"))) == [0, 3, 4, 5])
    #expect(try files(RecordedRange(from: time(3, "00:01:00"))) == [0, 3, 4, 5])
    #expect(try files(RecordedRange(from: time(3, "00:00:59"))) == [0, 2, 3, 4, 5])
    #expect(try files(RecordedRange(to: time(3))) == [0, 1, 2])
    #expect(try files(RecordedRange(to: time(3, "00:00:01"))) == [0, 1, 2, 3])
    #expect(try files(RecordedRange(from: time(2, "12:00:00"), to: time(3))) == [0, 2])
    // The last one lasts until now.
    #expect(try files(RecordedRange(from: time(9))) == [0, 5])
    #expect(
      try files(RecordedRange(from: .timeOfDay(.zero), to: .timeOfDay(.seconds(60)))) == [0, 1])
    // The clock can have been ahead at the beginning of the last one.
    let early = Date(timeIntervalSince1970: TimeInterval(1_793_491_200 + 86_400 + 3600))
    try FileManager.default.setAttributes(
      [.modificationDate: early], ofItemAtPath: "\(path)/000005-2026-11-05T000000.000Z.jsonl")
    #expect(try files(RecordedRange(to: time(3))) == [0, 1, 2, 5])
    // One that was changed later has more.
    try FileManager.default.setAttributes(
      [.modificationDate: Date()], ofItemAtPath: "\(path)/000001-2026-11-01T000000.000Z.jsonl.gz")
    #expect(try files(RecordedRange(from: time(4, "12:00:00"))) == [0, 1, 4, 5])
    // The clock was not set at the beginning of the first one.
    try create("000001-1970-01-01T000000.000Z.jsonl")
    #expect(
      try files(RecordedRange(from: .timeOfDay(.zero), to: .timeOfDay(.seconds(60))))
        == [0, 1, 1, 2, 3, 4, 5])
  }

  /// Writes the file of a day that was changed just now, like a copy.
  private func copy(_ day: Int, _ lines: [String], ending: String = "") throws {
    let name = "00000\(day)-2026-11-0\(day)T000000.000Z.jsonl\(ending)"
    try create(name)
    let text = lines.map { $0 + "\r\n" }.joined()
    let bytes = ending.isEmpty ? Array(text.utf8) : gzip(text)
    try Data(bytes).write(to: URL(filePath: "\(path)/\(name)"))
  }

  private func lines(of day: Int, until end: String = "86400.000", date: String? = nil) -> [String]
  {
    let date = date ?? "2026-11-0\(day)T23:59:59.000Z"
    return [
      stamp("0.000", start: "2026-11-0\(day)T00:00:00.000Z"), Self.version, stamp("1.000"),
      #"{"class":"TPV","device":"/dev/a","mode":3,"time":"\#(date)","lat":1,"lon":2}"#, stamp(end),
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
    #expect(try files(RecordedRange(from: time(3, "00:01:00"), to: time(4))) == [3])
    #expect(try files(RecordedRange(from: time(3, "00:00:59"), to: time(4))) == [2, 3])
    #expect(try files(RecordedRange(from: time(5, "12:00:00"))) == [5, 6])
    #expect(try files(RecordedRange(from: time(5, "00:00:59"))) == [4, 5, 6])
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
