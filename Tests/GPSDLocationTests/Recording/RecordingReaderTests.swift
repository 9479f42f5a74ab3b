import Foundation
import Glibc
import LocationCore
import LocationTestKit
import TestSupport
import Testing

@testable import GPSDLocation

/// What is read of a recording, piece by piece.
/// Fault 17.
@Suite struct `A reader of a recording` {
  private static let begin = #"{"class":"LOCWATCH","t":0.000,"start":"2026-11-20T07:05:00.000Z"}"#

  private func reader(namesSources: Bool = false, _ lines: String...) -> RecordingReader {
    RecordingReader(.bytes(lines.recording), namesSources: namesSources)
  }

  private func reader(in range: RecordedRange, _ lines: String...) -> RecordingReader {
    RecordingReader(.bytes(lines.recording), range: range, namesSources: true)
  }

  private func file(_ text: String) throws -> (RecordingFile, TemporaryFile) {
    let file = try TemporaryFile(text)
    return (try RecordingFile(path: FilePath(file.path)), file)
  }

  /// Reads to the end, and returns the text of the lines, with the uptime at which they were received.
  private func read(_ reader: inout RecordingReader) throws -> [String] {
    var texts: [String] = []
    while true {
      switch try reader.readNext() {
      case .lines(let lines):
        let time = lines.received.map { "\($0.uptime.inSeconds)" } ?? "-"
        let discarded = lines.discardedBytes > 0 ? " \(lines.discardedBytes)" : ""
        texts.append("\(time)\(discarded) \(Lines.text(lines.bytes))")
      case .notYet: #expect(reader.endTurn() == true)
      case .ended: return texts
      }
    }
  }

  @Test func `has a turn of 16 pieces of 64 KiB`() throws {
    let line = String(repeating: "x", count: 63) + "\n"
    var reader = RecordingReader(
      .bytes(Array(String(repeating: line, count: 1024 * 17 + 1).utf8)))
    for _ in 0..<16 {
      guard case .lines(let lines) = try reader.readNext() else {
        Issue.record("no lines")
        return
      }
      #expect(lines.bytes.count == 65_536)
    }
    #expect(try reader.readNext() == .notYet)
    #expect(reader.bytesSaid == 16 * 65_536)
    #expect(reader.endTurn() == true)
    #expect(reader.endTurn() == false)
    for count in [65_536, 64] {
      guard case .lines(let lines) = try reader.readNext() else {
        Issue.record("no lines")
        return
      }
      #expect(lines.bytes.count == count)
    }
    #expect(!reader.isExhausted)
    #expect(try reader.readNext() == .ended)
    #expect(reader.isExhausted)
  }

  @Test func `counts lines of locwatch that say nothing that it understands`() throws {
    func unread(_ lines: String...) throws -> Int {
      var reader = RecordingReader(.bytes(([Self.begin, Lines.version] + lines).recording))
      _ = try read(&reader)
      return reader.unreadOwnLines
    }
    let link = #"{"class":"LOCWATCH_LINK","state":"lost"}"#
    let corrections = #"{"class":"LOCWATCH_CORRECTIONS","state":"lost"}"#
    let odd = [
      #"{"class":"LOCWATCH","t":"1"}"#, #"{"class":"LOCWATCH"}"#, #"{"class": "LOCWATCH", "t":"#,
      #"{"class":"LOCWATCH_LINK","state":"x"}"#, #"{"class":"LOCWATCH_CORRECTIONS"}"#,
      #"{"class":"LOCWATCH_LATER"}"#,
    ]
    #expect(try unread(link, corrections, link, #"{"class":"LOCWATCH","t":1}"#, link) == 0)
    for line in odd {
      #expect(try unread(line) == 1, "\(line)")
      #expect(try unread(link, line, Lines.version, line) == 2, "\(line)")
      #expect(try unread(#"{"class":"LOCWATCH","t":1.000,"verbatim":1}"#, line) == 0, "\(line)")
      #expect(
        try unread(#"{"class":"LOCWATCH","t":1.000,"verbatim":1}"#, line, line) == 1, "\(line)")
    }
  }

  @Test func `that waits for a pipe has not ended its turn`() throws {
    var ends: [CInt] = [-1, -1]
    try #require(pipe(&ends) == 0)
    _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
    let file = RecordingFile(pipe: ends[0], name: "a pipe")
    var reader = RecordingReader(.files([file]))
    for _ in 0..<20 {
      #expect(try reader.readNext() == .notYet)
      #expect(reader.endTurn() == false)
    }
    // What is there is not read before it is asked for: the beginning of a pipe would be lost.
    let text = Self.begin + "\n"
    #expect(write(ends[1], text, text.utf8.count) == text.utf8.count)
    reader.begin()
    #expect(reader.now == Moment(uptime: .zero) && reader.now.wall == nil)
    #expect(reader.bytesSaid == 0)
    close(ends[1], seenBy: ends[0])
    #expect(try reader.readNext() == .ended)
    #expect(reader.passToEnd(until: nil) == false)
    #expect(reader.bytesSaid == text.utf8.count)
  }

  @Test func `knows when a file began, and loses nothing of it`() throws {
    let others = String(repeating: "x\n", count: 100_000)
    let (recording, file) = try file("\(Self.begin)\n\(Lines.tpv(1))\n\(others)")
    var reader = RecordingReader(.files([recording]))
    #expect(reader.now.wall == nil)
    reader.begin()
    reader.begin()
    #expect(reader.now.wall == Lines.start)
    let texts = try read(&reader)
    #expect(texts.map { $0.split(separator: "\n").count }.reduce(0, +) == 100_001)
    #expect(texts[0].hasPrefix("0.0 {"))
    withExtendedLifetime(file) {}
  }

  @Test func `says what was recorded, and when`() throws {
    var reader = reader(
      "before", Self.begin, "a", "b", #"{"class":"LOCWATCH","t":1.500}"#, "c",
      #"{"class":"LOCWATCH","t":1.000}"#, "d")
    #expect(try read(&reader) == ["- before\n", "0.0 a\nb\n", "1.5 c\n", "1.5 d\n"])
    #expect(reader.now == .at(1.5))
    #expect(reader.passToEnd(until: nil) == false)
  }

  @Test func `takes only the next line for gpsd's if a time stamp says so`() throws {
    let stamp = #"{"class":"LOCWATCH","t":2.000}"#
    var reader = reader(
      Self.begin, #"{"class":"LOCWATCH","t":1.000,"verbatim":1}"#, stamp, stamp, "a",
      #"{"class":"LOCWATCH","t":3.000,"verbatim":1}"#, "b", "c",
      #"{"class":"LOCWATCH","t":4.000}"#, "d")
    #expect(
      try read(&reader) == ["1.0 \(stamp)\n", "2.0 a\n", "3.0 b\nc\n", "4.0 d\n"])
  }

  @Test(arguments: ["a", "", #"{"class":"TPV"}"#])
  func `has a last line without its end`(line: String) throws {
    var reader = RecordingReader(.bytes(Array((Self.begin + "\n" + line).utf8)))
    #expect(try read(&reader) == (line.isEmpty ? [] : ["0.0 \(line)\n"]))
    let (recording, file) = try file(line)
    reader = RecordingReader(.files([recording]))
    #expect(try read(&reader) == (line.isEmpty ? [] : ["- \(line)\n"]))
    withExtendedLifetime(file) {}
  }

  @Test func `passes on how much of a line was discarded, at its time`() throws {
    var reader = reader(
      Self.begin, #"{"class":"LOCWATCH","t":1.000}"#, String(repeating: "x", count: 70_000), "a",
      #"{"class":"LOCWATCH","t":2.000}"#, "b")
    #expect(try read(&reader) == ["1.0 65536 ", "1.0 4465 ", "1.0 a\n", "2.0 b\n"])
  }

  @Test func `passes the time up to the end of the recording`() throws {
    var reader = reader(Self.begin, "a", #"{"class":"LOCWATCH","t":9.000}"#)
    #expect(try read(&reader) == ["0.0 a\n"])
    #expect(reader.now == .at(0))
    #expect(reader.passToEnd(until: .at(4)) && reader.now == .at(4))
    // It does not go back.
    #expect(reader.passToEnd(until: .at(3)) && reader.now == .at(4))
    #expect(reader.passToEnd(until: .at(10)) && reader.now == .at(9))
    #expect(!reader.passToEnd(until: .at(10)) && reader.now == .at(9))
    reader.pass(to: .at(8))
    #expect(reader.now == .at(9))
    reader.pass(to: .at(11))
    #expect(reader.now == .at(11))
  }

  @Test func `looks ahead without moving, even at lines without times`() {
    var reader = reader(Lines.tpv(1), Lines.tpv(3), "x", Self.begin, "a")
    #expect(reader.lookAhead() == .due(.at(0)))
    #expect(reader.lookAhead() == .due(.at(0)))
    #expect(reader.takeAhead()?.map(Lines.text) == [Lines.tpv(1) + "\n"])
    #expect(reader.takeAhead() == nil)
    #expect(reader.lookAhead() == .due(.at(2)))
    #expect(reader.now == .at(0))
    #expect(reader.takeAhead()?.received == .at(2))
    #expect(reader.now == .at(2))
    for text in ["x\n", "a\n"] {
      #expect(reader.lookAhead() == .due(.at(2)))
      #expect(reader.takeAhead()?.map(Lines.text) == [text])
    }
    #expect(reader.lookAhead() == .over)
    #expect(reader.takeAhead() == nil)
  }

  @Test func `reads any number of empty lines as one`() {
    let empty = "\n\n\n\r\n\r\n"
    var reader = reader(Lines.tpv(1) + "\n" + empty + "\r" + Lines.tpv(3), "x", "\r\r")
    var texts: [String] = []
    while reader.lookAhead() != .over {
      let text = reader.takeAhead().map { Lines.text($0.bytes) }
      texts.append("\(reader.now.uptime.inSeconds) \(text ?? "nothing")")
    }
    #expect(
      texts == [
        "0.0 \(Lines.tpv(1))\n", "0.0 \(empty)", "2.0 \r\(Lines.tpv(3))\n", "2.0 x\n",
        "2.0 \r\r\n",
      ])
  }

  // Contents

  @Test func `knows what is in each file as far as it was read`() throws {
    let long = String(repeating: "x", count: 70_000)
    let texts = [
      "", "\n", "text\nmore\n", long + "\n", Lines.tpv(1) + "\ntext\n" + long + "\n",
      Lines.version + "\ntext\n" + Lines.tpv(1) + "\n",
    ]
    let files = try texts.map { try file($0) }
    var reader = RecordingReader(.files(files.map(\.0)))
    #expect(reader.contents.map(\.name) == [files[0].1.path])
    _ = try read(&reader)
    let contents = reader.contents
    #expect(contents.map(\.name) == files.map(\.1.path))
    #expect(contents.map(\.isEmpty) == [true, false, false, false, false, false])
    #expect(contents.map(\.hasReports) == [false, false, false, false, true, true])
    #expect(contents.map(\.isOfReceivers) == [false, false, false, false, true, true])
    let text = Array("text\n".utf8)
    #expect(contents.map(\.foreign) == [nil, nil, text, [], nil, text])
  }

  @Test func `has no contents to name without a file`() throws {
    var reader = reader("text")
    #expect(try read(&reader) == ["- text\n"])
    #expect(reader.contents.isEmpty && reader.file == nil)
  }

  // Several sources

  private func pieces(_ reader: inout RecordingReader) -> [String] {
    var texts: [String] = []
    while true {
      switch reader.lookAhead() {
      case .due(let moment):
        let source = reader.source
        guard let lines = reader.takeAhead() else { break }
        texts.append(
          "\(source ?? "-") \(moment.uptime.inSeconds) \(Lines.text(lines.bytes).dropLast())")
        #expect(lines.received?.uptime == moment.uptime && reader.now == moment)
      case .over: return texts
      case .notYet: #expect(reader.endTurn() == true)
      }
    }
  }

  @Test func `knows the source of each line, and of each time stamp`() {
    let named = #"{"class":"LOCWATCH","t":1.000,"source":"a"}"#
    var reader = reader(
      namesSources: true, "stray", named, "a", named, Self.begin, "b",
      #"{"class":"LOCWATCH","t":0.500}"#)
    #expect(
      pieces(&reader) == ["a 1.0 ", "a 1.0 a", "a 1.0 ", "- 1.0 ", "- 1.0 b", "- 1.5 "])
    #expect(reader.strayLines == 1)
  }

  @Test func `counts stray lines only of the part, including those that are too long`() throws {
    let long = String(repeating: "x", count: 70_000)
    func stamp(_ seconds: Int) -> String {
      #"{"class":"LOCWATCH","t":\#(seconds).000,"start":"2026-11-20T07:05:00.000Z","source":"a"}"#
    }
    // What is too long comes in two pieces.
    for (from, count) in [(nil, 3), ("2026-11-20T07:05:03Z", 0)] as [(String?, Int)] {
      let range = RecordedRange(from: try from.map { .time(try #require(Timestamp(iso8601: $0))) })
      var reader = reader(in: range, "stray", long, stamp(1), "a", stamp(4), "b")
      _ = pieces(&reader)
      #expect(reader.strayLines == count, "from \(from ?? "the beginning")")
    }
  }

  @Test func `does not leave out what has a time but no source`() {
    var reader = reader(namesSources: true, Self.begin, "not stray", "nor this")
    #expect(pieces(&reader) == ["- 0.0 ", "- 0.0 not stray\nnor this"])
    #expect(reader.strayLines == 0)
  }

  @Test func `is stopped by another source, and only in a replay of a single one`() throws {
    var reader = reader(
      #"{"class":"LOCWATCH","t":1.000,"source":"a"}"#, #"{"class":"LOCWATCH","t":1.000}"#, "x")
    #expect(!reader.hasOtherSource)
    #expect(throws: LocationError(.disconnected, "the recording has several sources")) {
      try reader.readNext()
    }
    #expect(reader.hasOtherSource)
  }
}
