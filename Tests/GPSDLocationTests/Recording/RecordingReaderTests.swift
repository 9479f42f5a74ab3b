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

}
