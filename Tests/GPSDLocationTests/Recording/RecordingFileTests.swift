import Foundation
import Glibc
import LocationCore
import LocationTestKit
import Synchronization
import TestSupport
import Testing

@testable import GPSDLocation
@testable import GPSDProtocol

@Suite(.timeLimit(.minutes(5))) struct `The file of a recording` {
  private let file: TemporaryFile
  private let path: FilePath

  init() throws {
    file = try TemporaryFile("0123456789")
    path = FilePath(file.path)
  }

  private func text(_ bytes: some Sequence<UInt8>) -> String {
    String(decoding: Array(bytes), as: UTF8.self)
  }

  private func write(_ text: String, to descriptor: CInt) {
    #expect(Glibc.write(descriptor, text, text.utf8.count) == text.utf8.count)
  }

  /// Whether a process has the file open by this descriptor.
  private func isOpen(_ descriptor: CInt) -> Bool {
    var status = stat()
    return stat(file.path, &status) == 0 && isOpen(descriptor, of: status)
  }

  /// Whether a descriptor is one of a file or pipe. The number of one that was closed may be that of another file.
  private func isOpen(_ descriptor: CInt, of file: stat) -> Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0
      && (status.st_dev, status.st_ino) == (file.st_dev, file.st_ino)
  }

  @Test func `that is a named pipe waits for its writer, and ends with it`() throws {
    let pipe = file.path + ".fifo"
    try #require(mkfifo(pipe, 0o600) == 0)
    defer { unlink(pipe) }
    let recording = try RecordingFile(path: FilePath(pipe))
    var framer = LineFramer()
    #expect(try recording.read(upTo: 9, into: &framer) == nil)
    let writer = open(pipe, O_WRONLY | O_CLOEXEC)
    #expect(try recording.read(upTo: 9, into: &framer) == nil)
    write("0123", to: writer)
    #expect(try recording.nextBytes(upTo: 9).map(text) == "0123")
    #expect(try recording.read(upTo: 9, into: &framer) == nil)
    close(writer)
    waitUntilOver(try #require(recording.input))
    #expect(try recording.read(upTo: 9, into: &framer) == 0)
  }

  @Test func `of a pipe begins with the first lines that were looked at`() async throws {
    let (recording, writer) = try recordingOfPipe()
    #expect(recording.head(upTo: 9) == [] && !recording.isCompressed)
    write("one\ntwo\nth", to: writer)
    #expect(try await text(recording.firstLines()) == "one\ntwo\nth")
    #expect(recording.isReadable() && text(recording.head(upTo: 2)) == "on")
    for piece in ["one\n", "two\n", "th"] {
      #expect(try recording.nextBytes(upTo: 4).map(text) == piece)
    }
    #expect(!recording.isReadable() && recording.head(upTo: 2) == [])
    write("ree\n", to: writer)
    let lines = try await recording.firstLines { $0.count >= 4 }
    #expect(text(lines) == "ree\n" && text(recording.head(upTo: 9)) == "ree\n")
    #expect(try recording.nextBytes(upTo: 9).map(text) == "ree\n")
    close(writer, seenBy: recording.input)
    #expect(try await recording.firstLines().isEmpty)
    #expect(try recording.nextBytes(upTo: 9) == [])
  }

  @Test(
    arguments: [
      ([0x1f, 0x8b], true), ([0x1f, 0x8b, 0x08], true), ([0x1f], false), ([0x1f, 0x8c], false),
      ([0x1e, 0x8b], false), ([], false),
    ] as [([UInt8], Bool)])
  func `is compressed if it begins like that`(bytes: [UInt8], isCompressed: Bool) throws {
    try Data(bytes).write(to: URL(filePath: file.path))
    #expect(try RecordingFile(path: path).isCompressed == isCompressed)
  }

  @Test func `begins where another process has left it`() throws {
    for (offset, rest) in [(0, "0123456789"), (4, "456789"), (10, ""), (20, "")] {
      let descriptor = open(file.path, O_RDONLY | O_CLOEXEC)
      #expect(lseek(descriptor, off_t(offset), SEEK_SET) == off_t(offset))
      let recording = RecordingFile(pipe: descriptor, name: "standard input")
      #expect(recording.size == rest.utf8.count)
      #expect(text(recording.head(upTo: 2)) == rest.prefix(2))
      #expect(try text(recording.contents()) == rest)
      // It has no path by which it could be opened again.
      recording.release()
      #expect(recording.input == descriptor)
      recording.rewind()
      #expect(try recording.nextBytes(upTo: 3).map(text) == String(rest.prefix(3)))
    }
  }

  @Test func `that cannot be read is an error with the system's number`() {
    let recording = RecordingFile(pipe: open("/dev/null", O_WRONLY | O_CLOEXEC), name: "x")
    #expect(
      throws: LocationError(.disconnected, systemError: .errno(EBADF), "x: Bad file descriptor")
    ) { try recording.nextBytes(upTo: 1) }
  }

  @Test func `of a pipe is closed when nobody waits for it any more`() async throws {
    let writer: CInt
    do {
      let ends = try recordingOfPipe()
      writer = ends.writer
      let wait = ReadableWait(for: ends.file)
      let waiting = Task { await wait.run() }
      waiting.cancel()
      await waiting.value
    }
    let end = LocationClock.live.now.advanced(by: .seconds(30))
    var events = pollfd(fd: writer, events: 0, revents: 0)
    while poll(&events, 1, 0) == 0, LocationClock.live.now < end { await Task.yield() }
    #expect(events.revents & Int16(POLLERR) != 0)
    close(writer)
  }

  @Test func `is no folder`() {
    #expect(
      throws: LocationError(.disconnected, systemError: .errno(EISDIR), "/tmp: Is a directory")
    ) { try RecordingFile(path: "/tmp") }
  }
}

@Suite struct `What is known of the contents of a file` {
  private func contents(_ lines: String...) -> RecordingContents {
    var contents = RecordingContents(name: "x")
    var decoder = GPSDDecoder()
    for line in lines { contents.record(Array((line + "\n").utf8)[...], by: &decoder) }
    return contents
  }

  @Test(arguments: [
    ("", false, false), (Lines.version, true, false), (Lines.devices, true, false),
    (Lines.watch, true, false), (Lines.tpv(1), true, true), (Lines.sky(), true, true),
    (#"{"class":"GST"}"#, true, true), (#"{"class":"ATT"}"#, true, true),
    (#"{"class":"AIS"}"#, true, true), (#"{"class":"ERROR","message":"x"}"#, true, true),
    ("$GPGGA", false, false),
  ])
  func `are its reports, and whether any is of a receiver`(
    line: String, hasReports: Bool, isOfReceivers: Bool
  ) {
    let contents = contents(line)
    #expect(contents.hasReports == hasReports && contents.isOfReceivers == isOfReceivers)
    #expect((contents.foreign != nil) == (line == "$GPGGA"))
  }
}
