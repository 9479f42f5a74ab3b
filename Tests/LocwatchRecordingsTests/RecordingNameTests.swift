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
    (name, true), ("\(name).gz", true), ("\(name).part", true), ("x.jsonl", true),
    ("x.jsonl.gz", true), ("x.jsonl.part", false), ("x.part", false),
    ("000001-x.jsonl.part", false),
    ("\(name).gz.part", false), ("\(name).part.gz", false), (".jsonl.part", false),
  ])
  func `of a recording has one of three ends`(name: String, isRecording: Bool) {
    #expect(RecordingName.isRecording(Array(name.utf8)) == isRecording)
  }

  @Test func `has a form`() throws {
    for (form, ending) in [(RecordingName.Form.part, ".part"), (.plain, ""), (.compressed, ".gz")] {
      let file = Array("\(Self.name)\(ending)".utf8)
      let name = try #require(RecordingName(file))
      #expect(text(name.plain) == Self.name && name.file(form) == file)
      #expect(RecordingName.form(of: file) == form)
    }
    #expect(RecordingName.form(of: Array("x.part".utf8)) == nil)
  }

  @Test func `of an incomplete file is distinct`() {
    for name in [
      Self.name, Self.name + ".gz", ".\(Self.name).new", "\(Self.name).gz.new", ".", ".new",
    ] {
      #expect(RecordingName(unfinished: Array(name.utf8)) == nil)
    }
  }
}
