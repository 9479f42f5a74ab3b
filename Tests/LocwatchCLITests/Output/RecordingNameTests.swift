import LocationCore
import Testing

@testable import LocwatchCLI

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
    "000007-2026-11-20T070450.120Z.jsonl.xz", "2026-11-20T070450.120Z.jsonl",
    "000007-2026-11-20T070450.1200Z.jsonl", ".000007-2026-11-20T070450.120Z.jsonl",
    "my 000007-2026-11-20T070450.120Z.jsonl", "000007-2026-11-20T070450.120Z-old.jsonl",
  ])
  func `is not a name that locwatch does not give`(name: String) {
    #expect(RecordingName(Array(name.utf8)) == nil)
    #expect(RecordingName(unfinished: Array(".\(name).new".utf8)) == nil)
  }

  @Test func `of what is not complete is no other`() {
    for name in [
      Self.name, Self.name + ".gz", ".\(Self.name).new", "\(Self.name).gz.new", ".", ".new",
    ] {
      #expect(RecordingName(unfinished: Array(name.utf8)) == nil)
    }
  }
}
