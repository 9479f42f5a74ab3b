import Foundation
import GPSDLocation
import LocationCore
import Testing

@testable import LocwatchRecordings
@testable import LocwatchSystem

/// What a recorder accepts, keeps and writes, to the byte.
@Suite final class `A recorder` {
  private let path = "/tmp/locwatch-limits-\(UUID().uuidString)"
  private static let limit = 4 * 1024 * 1024

  deinit { try? FileManager.default.removeItem(atPath: path) }

  private var text: String? {
    FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
  }

  private func write(_ text: String) throws {
    try Data(text.utf8).write(to: URL(filePath: path))
  }

  /// Keeps a line of a number of bytes, without a time stamp.
  private func keep(_ count: Int, in recorder: Recorder) {
    let line = [UInt8](repeating: UInt8(ascii: "x"), count: count - 1) + [UInt8(ascii: "\n")]
    recorder.keep(GPSDLines(bytes: line[...], received: nil))
  }

  @Test(arguments: [(65_535, 0), (65_536, 65_536)])
  func `writes 64 KiB at once`(count: Int, written: Int) throws {
    let recorder = try Recorder(appendingTo: FilePath(path))
    keep(count - 1000, in: recorder)
    #expect(text?.utf8.count == 0)
    keep(1000, in: recorder)
    #expect(text?.utf8.count == written)
    #expect(recorder.hasPending == (written == 0))
    try recorder.flush()
    #expect(text?.utf8.count == count)
    #expect(!recorder.hasPending)
  }

  @Test(arguments: [(-1, 0), (0, 1)])
  func `keeps 4 MiB for a reader that is behind`(count: Int, drops: Int) throws {
    let pipe = try PipeEnds()
    let recorder = Recorder(pipe.descriptor)
    // The pipe takes 64 KiB, and no more.
    keep(65_536, in: recorder)
    #expect(recorder.blockedOutput == nil && !recorder.hasPending)
    keep(Self.limit + count, in: recorder)
    #expect(recorder.blockedOutput != nil)
    keep(10, in: recorder)
    #expect(recorder.drops == drops)
    keep(10, in: recorder)
    #expect(recorder.drops == drops + 1)
  }

  @Test func `waits at its end for a reader that is only slow`() throws {
    let pipe = try PipeEnds()
    let recorder = Recorder(pipe.descriptor)
    for _ in 0..<4 { keep(50_000, in: recorder) }
    #expect(recorder.hasPending)
    let read = DispatchGroup()
    let queue = DispatchQueue(label: "reader")
    queue.async(group: read) { while recorder.hasPending { _ = pipe.readAll() } }
    try recorder.finish()
    #expect(recorder.drops == 0)
    #expect(!recorder.hasPending)
    read.wait()
  }

  @Test(arguments: [
    "Dear diary,\n", "\u{1}\u{2}", "<gpx></gpx>\n", "{}\n", #"{"class":1}"# + "\n", "\n\n\n{\n",
    "$GPGGA,070500.00,4807.118,N\r\n", #"{"type":"fix","lat":48.118633333}"# + "\n", "[1,2]",
  ])
  func `refuses a file that is not a recording`(text: String) throws {
    try write(text)
    #expect(throws: OutputError.noRecording(path: path)) {
      try Recorder(appendingTo: FilePath(self.path))
    }
    #expect(self.text == text)
  }

  @Test(arguments: [
    // What there is, and what separates it from the next recording.
    ("", ""), ("\r\n", ""), (#"{"class":"TPV"}"# + "\r\n", ""), (#"{"cl"#, "\n"),
    (#"{"class":"TPV","mod"#, "\n"), (#"{"class":"TPV","mod"# + "\ngarbage\n", ""),
    (#"{"class":"LOCWATCH","t":"#, "\n"), (#"{ "mode": 3, "class": "TPV" }"# + "\n", ""),
    (#"{"class":"LOCWATCH","t":1.000,"verbatim":1}"# + "\r\n", "\n"),
    (#"{"class":"LOCWATCH","t":1.000,"verbatim":1}"#, "\n\n"),
    (#"{"class":"LOCWATCH","t":1.000,"verbatim":1}"# + "\n", "\n"),
    (#"{"class":"LOCWATCH","t":1.000,"verbatim":1}"# + "\r\nx\r\n", ""),
  ])
  func `appends to a recording after an incomplete line`(
    text: String, separator: String
  ) throws {
    try write(text)
    let recorder = try Recorder(appendingTo: FilePath(path))
    keep(2, in: recorder)
    try recorder.finish()
    #expect(self.text == text + separator + "x\n")
  }
}
