import Foundation
import Glibc
import LocationCore
import TestSupport
import Testing

@testable import GPSDLocation

/// Fault 100.
@Suite(.timeLimit(.minutes(5))) struct `The file of a compressed recording` {
  private let file: TemporaryFile
  private let path: FilePath

  init() throws {
    file = try TemporaryFile("")
    path = FilePath(file.path)
  }

  private func text(_ bytes: some Sequence<UInt8>) -> String {
    String(decoding: Array(bytes), as: UTF8.self)
  }

  @Test func `of a pipe is decompressed as it comes`() async throws {
    let (recording, writer) = try recordingOfPipe()
    let bytes = gzip("one\ntwo\n")
    var contents = ""
    for byte in bytes {
      #expect(!recording.isReadable())
      #expect(Glibc.write(writer, [byte], 1) == 1)
      #expect(recording.isReadable())
      if let next = try recording.nextBytes(upTo: 64) { contents += text(next) }
    }
    #expect(contents == "one\ntwo\n" && recording.isCompressed)
    // What is there is read before more comes.
    let more = gzip("three\nfour\n")
    #expect(Glibc.write(writer, more, more.count) == more.count)
    #expect(try recording.nextBytes(upTo: 5).map(text) == "three")
    #expect(recording.isReadable())
    #expect(try await text(recording.firstLines()) == "\nfour\n")
    #expect(text(recording.head(upTo: 9)) == "\nfour\n")
    #expect(try recording.nextBytes(upTo: 64).map(text) == "\nfour\n")
    #expect(try recording.nextBytes(upTo: 64) == nil)
    close(writer, seenBy: recording.input)
    #expect(try recording.nextBytes(upTo: 64) == [] && !recording.isDamaged)
  }

  @Test func `that is torn at any byte is read up to there`() throws {
    let lines = (0..<9).map { #"{"class":"TPV","n":\#($0)}"# + "\r\n" }.joined()
    let bytes = gzip(lines)
    for count in 0...bytes.count {
      try Data(bytes.prefix(count)).write(to: URL(filePath: file.path))
      let recording = try RecordingFile(path: path)
      let contents = try text(recording.contents())
      if count >= 2 { #expect(lines.utf8.starts(with: contents.utf8)) }
      #expect(recording.isDamaged == (2..<bytes.count).contains(count))
      _ = recording.head(upTo: 9)
    }
    #expect(try text(RecordingFile(path: path).contents()) == lines)
  }
}
