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

  @Test func `is decompressed when it is read, even a second time`() async throws {
    let compressed = try TemporaryFile(gzip("0123456789\n") + gzip("ab\n"))
    let recording = try RecordingFile(path: FilePath(compressed.path))
    #expect(recording.isCompressed && recording.size == compressed.bytes.count)
    #expect(
      text(recording.head(upTo: 3)) == "012" && text(recording.head(upTo: 99)) == "0123456789\nab\n"
    )
    #expect(try recording.nextBytes(upTo: 4).map(text) == "0123")
    #expect(recording.bytesRead == compressed.bytes.count)
    recording.rewind()
    #expect(recording.bytesRead == 0)
    #expect(try recording.nextBytes(upTo: 4).map(text) == "0123")
    recording.release()
    #expect(try text(recording.contents()) == "0123456789\nab\n")
    #expect(!recording.isDamaged && recording.bytesRead == compressed.bytes.count)
    #expect(try await !recording.namesSource())
    // Not standard input, which has no path by which it could be opened again.
    let descriptor = open(compressed.path, O_RDONLY | O_CLOEXEC)
    let input = RecordingFile(pipe: descriptor, name: "standard input")
    #expect(try input.nextBytes(upTo: 4).map(text) == "0123")
    input.rewind()
    #expect(try text(input.contents()) == "0123456789\nab\n")
    withExtendedLifetime(compressed) {}
  }

  @Test(arguments: [true, false])
  func `or of another one returns to a place`(isCompressed: Bool) throws {
    let lines = (0..<20_000).map { "\($0 * 7919 % 100_003)\n" }.joined()
    let file = try TemporaryFile(isCompressed ? gzip(lines) : Array(lines.utf8))
    let recording = try RecordingFile(path: FilePath(file.path))
    let beginning = recording.place
    var read = ""
    for count in [7, 1000, 65_536, 300] {
      read += try text(#require(try recording.nextBytes(upTo: count)))
    }
    let (place, bytesRead) = (recording.place, recording.bytesRead)
    let rest = try text(recording.contents())
    #expect(read + rest == lines)
    for _ in 0..<2 {
      recording.move(to: place)
      #expect(recording.bytesRead == bytesRead)
      #expect(try text(recording.contents()) == rest)
      recording.move(to: beginning)
      #expect(recording.bytesRead == 0)
      #expect(try text(recording.contents()) == lines)
    }
    #expect(!recording.isDamaged)
    withExtendedLifetime(file) {}
  }

  @Test func `that names a source is searched for it although it is compressed`() async throws {
    let line = #"{"class":"LOCWATCH","t":1.000,"source":"boat"}"#
    let compressed = try TemporaryFile(gzip(String(repeating: "x\n", count: 100_000) + line + "\n"))
    #expect(compressed.bytes.count < 1000)
    let recording = try RecordingFile(path: FilePath(compressed.path))
    #expect(try await recording.namesSource())
    withExtendedLifetime(compressed) {}
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

  @Test func `of a pipe may end within the mark, or after half of it`() throws {
    for (bytes, contents) in [
      ([0x1F], [0x1F]), ([0x1F, 0x20], [0x1F, 0x20]), ([0x1F, 0x8B], []),
    ]
      as [([UInt8], [UInt8])]
    {
      let (recording, writer) = try recordingOfPipe()
      for byte in bytes {
        _ = try recording.nextBytes(upTo: 9).map { #expect($0 == []) }
        #expect(Glibc.write(writer, [byte], 1) == 1)
      }
      close(writer, seenBy: recording.input)
      #expect(try recording.contents() == contents)
      #expect(recording.isDamaged == (bytes == [0x1F, 0x8B]))
    }
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
