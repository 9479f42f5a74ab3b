import LocationCore
import Testing

@testable import LocwatchRecordings

@Suite struct `The name of a recording in a folder` {
  private static let name = "000007-2026-11-20T070450.120Z.jsonl"

  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  @Test func `is its number and its first moment, in each of its forms`() throws {
    let start = try #require(Timestamp(iso8601: "2026-11-20T07:04:50.120999Z"))
    let name = RecordingName(number: 7, start: start)
    #expect(text(name.plain) == Self.name)
    #expect(text(name.compressed) == Self.name + ".gz")
    #expect(text(name.unfinished) == "." + Self.name + ".gz.new")
    // It has whole milliseconds, as it is read.
    #expect(RecordingName(name.plain) == name && RecordingName(name.compressed) == name)
    #expect(RecordingName(unfinished: name.unfinished) == name)
    #expect(name.start == Timestamp(iso8601: "2026-11-20T07:04:50.120Z"))
    #expect(text(RecordingName(number: 12_345_678, start: start).plain).hasPrefix("12345678-2026"))
  }

  @Test(arguments: [
    "", "7", ".jsonl", "000007-.jsonl", "00007-2026-11-20T070450.120Z.jsonl",
    "0000007-2026-11-20T070450.120Z.jsonl", "000007-2026-11-20T07:04:50.120Z.jsonl",
    "000007-2026-11-20T070450Z.jsonl", "000007-2026-13-20T070450.120Z.jsonl",
    "000007-2026-11-20T070450.120Z.json", "000007-2026-11-20T070450.120Z.jsonl.gz.gz",
    "000007-2026-11-20T070450.120Z.jsonl.xz", "000000-2026-11-20T070450.120Z.jsonl",
    "1234567890123456789-2026-11-20T070450.120Z.jsonl", "-2026-11-20T070450.120Z.jsonl",
    "000007-2026-11-20T070450.1200Z.jsonl", ".000007-2026-11-20T070450.120Z.jsonl",
    "my 000007-2026-11-20T070450.120Z.jsonl", "000007-2026-11-20T070450.120Z-old.jsonl",
  ])
  func `is only a name that locwatch gives`(name: String) {
    #expect(RecordingName(Array(name.utf8)) == nil)
    #expect(RecordingName(unfinished: Array(".\(name).new".utf8)) == nil)
  }

  @Test func `has no number in a folder of locwatch 0.2`() throws {
    let old = "2026-11-20T070450.120Z.jsonl"
    let name = try #require(RecordingName(Array(old.utf8)))
    #expect(name.number == 0 && text(name.plain) == old && text(name.compressed) == old + ".gz")
    #expect(RecordingName(unfinished: name.unfinished) == name)
  }

  @Test(arguments: [
    (["000007-x.jsonl", "000006-y.jsonl", "notes"], 8), ([], 1),
    (["2026-11-20T070450.120Z.jsonl"], 1),
    (["99999999999999999-x.jsonl"], 100_000_000_000_000_000),
    // With more digits, it would not be known as a number.
    (["000007-x.jsonl", "999999999999999999-x.jsonl", "100000000000000000-x.jsonl"], 8),
  ])
  func `of the next file has the next number`(names: [String], next: Int) throws {
    #expect(RecordingName.nextNumber(after: names.map { Array($0.utf8) }) == next)
    let start = try #require(Timestamp(iso8601: "2026-11-20T07:04:50.120Z"))
    #expect(RecordingName(RecordingName(number: next, start: start).plain)?.number == next)
  }

  @Test func `of an incomplete file is distinct`() {
    for name in [
      Self.name, Self.name + ".gz", ".\(Self.name).new", "\(Self.name).gz.new", ".", ".new",
    ] {
      #expect(RecordingName(unfinished: Array(name.utf8)) == nil)
    }
  }
}
