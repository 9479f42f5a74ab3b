import Foundation
import GPSDLocation
import LocationCore
import LocwatchSystem
import Testing

@testable import LocwatchRecordings

/// A disk that is full, and files that are removed.
/// Faults 65, 92 and 136.
@Suite final class `A folder of recordings with gaps`: FolderOfRecordings {
  @Test func `38: a full disk is reported once, and the recording continues with a gap`() throws {
    let recorder = try recorder()
    keep("a", at: 0, in: recorder)
    try recorder.flush()
    try withFullDisk {
      for seconds in 1...4 {
        keep("b", at: seconds, in: recorder)
        try recorder.flush()
      }
    }
    #expect(recorder.drops == 4)
    for seconds in 5...6 { keep("c", at: seconds, in: recorder) }
    try recorder.finish()
    let name = "000001-2026-11-20T070000.000Z.jsonl"
    #expect(
      try files() == [
        "\(name): \(stamp("0.000", start: "2026-11-20T07:00:00.000Z")) a "
          + #"{"class":"LOCWATCH","t":5.000,"start":"2026-11-20T07:00:00.000Z","lost":4} c "#
          + stamp("6.000") + " c "
      ])
    #expect(
      messages == [
        "cannot write to \(path)/\(name).part: No space left on device; the recording continues "
          + "when that is possible",
        "the recording continues in \(path)/\(name).part; lines lost: 4",
      ])
  }

  @Test func `A gap that lasts to the end is counted, and said once`() throws {
    let recorder = try recorder()
    keep("a", at: 0, in: recorder)
    try recorder.flush()
    try withFullDisk {
      for seconds in 1...3 { keep("b", at: seconds, in: recorder) }
      recorder.recordEnd(at: moment(9))
      let file = "\(path)/000001-2026-11-20T070000.000Z.jsonl.part"
      #expect(throws: OutputError.cannotWrite(path: file, reason: "No space left on device")) {
        try recorder.finish()
      }
    }
    #expect(recorder.drops == 3)
    #expect(messages.count == 1)
    #expect(!recorder.hasPending)
  }

  @Test func `A gap that is over at the end is counted there`() throws {
    let recorder = try recorder()
    keep("a", at: 0, in: recorder)
    try recorder.flush()
    try withFullDisk {
      for seconds in 1...3 {
        keep("b", at: seconds, in: recorder)
        try recorder.flush()
      }
    }
    recorder.recordEnd(at: moment(4))
    try recorder.finish()
    #expect(recorder.drops == 3)
    #expect(
      try files().map { $0.split(separator: " a ").last } == [
        #"{"class":"LOCWATCH","t":4.000,"start":"2026-11-20T07:00:00.000Z","lost":3} "#
      ])
  }

  @Test func `The beginning of a file that could not be written is written later`() async throws {
    let recorder = try recorder(.every(.seconds(10)))
    keep("a", at: 0, in: recorder)
    try recorder.flush()
    keep("b", at: 10, in: recorder)
    try withFullDisk(of: "000002") { try recorder.flush() }
    keep(#"{"class":"TPV"}"#, at: 12, in: recorder)
    try recorder.finish()
    #expect(recorder.drops == 1)
    let start = #""start":"2026-11-20T07:00:10.000Z","lost":1"#
    #expect(
      try files().last == "000002-2026-11-20T070010.000Z.jsonl: "
        + #"{"class":"LOCWATCH","t":2.000,\#(start)} {"class":"TPV"} "#)
    let session = try await replay().session
    #expect(session.clock.now.uptime == .seconds(12))
    #expect(session.clock.now.wall == moment(12).wall)
  }

  @Test func `Without any file, the end says why`() throws {
    let recorder = try recorder()
    try FileManager.default.removeItem(atPath: path)
    try Data().write(to: URL(filePath: path))
    keep("a", at: 0, in: recorder)
    #expect(throws: OutputError.cannotCreate(path: path, reason: "Not a directory")) {
      try recorder.finish()
    }
    #expect(recorder.drops == 1)
  }

  @Test func `Within a second of an error, no line is written`() throws {
    let recorder = try recorder()
    keep("a", at: 0, in: recorder)
    try recorder.flush()
    try withFullDisk {
      keep("b", at: 5, in: recorder)
      try recorder.flush()
    }
    for (text, milliseconds) in [("c", 5999), ("d", 6000)] {
      let line = Array("\(text)\r\n".utf8)
      let received = moment(0).advanced(by: .milliseconds(milliseconds))
      recorder.keep(GPSDLines(bytes: line[...], received: received))
    }
    try recorder.finish()
    #expect(recorder.drops == 2)
    #expect(try files()[0].hasSuffix(#","lost":2} d "#))
  }

  @Test func `An error does not begin to count the size of a file again`() throws {
    let recorder = try recorder(.size(150))
    keep("12345678", at: 0, in: recorder)
    try recorder.flush()
    try withFullDisk {
      keep("12345678", at: 1, in: recorder)
      try recorder.flush()
    }
    // The file has 77 bytes, and gets 86 more.
    for seconds in [3, 4] { keep("12345678", at: seconds, in: recorder) }
    try recorder.finish()
    #expect(try files().map { $0.components(separatedBy: "12345678").count - 1 } == [2, 1])
  }

  @Test func `Lines without a moment are recorded into the current file`() throws {
    let recorder = try recorder()
    let line = Array("x\r\n".utf8)
    recorder.keep(GPSDLines(bytes: line[...], received: nil))
    #expect(recorder.drops == 1)
    keep("a", at: 0, in: recorder)
    recorder.keep(GPSDLines(bytes: line[...], received: nil))
    try recorder.finish()
    #expect(recorder.drops == 1)
    #expect(try files()[0].hasSuffix(" a x "))
  }
}
