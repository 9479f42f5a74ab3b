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

  @Test func `is read from its beginning to its end, a piece at a time`() throws {
    let recording = try RecordingFile(path: path)
    #expect(recording.name == file.path && recording.size == 10)
    for piece in ["0123", "4567", "89", "", ""] {
      #expect(try recording.nextBytes(upTo: 4).map(text) == piece)
    }
    recording.rewind()
    #expect(try recording.nextBytes(upTo: 4).map(text) == "0123")
    #expect(try text(recording.contents()) == "456789")
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

  @Test func `has a head that does not move it`() throws {
    let recording = try RecordingFile(path: path)
    #expect(try recording.nextBytes(upTo: 2).map(text) == "01")
    #expect(text(recording.head(upTo: 3)) == "012")
    #expect(text(recording.head(upTo: 99)) == "0123456789")
    #expect(try recording.nextBytes(upTo: 2).map(text) == "23")
    recording.release()
    #expect(text(recording.head(upTo: 1)) == "0")
    #expect(try recording.nextBytes(upTo: 2).map(text) == "01")
  }

  @Test func `is closed until it is read again, and with its last user`() throws {
    var recording: RecordingFile? = try RecordingFile(path: path)
    let number = try #require(recording?.input)
    #expect(isOpen(number) && fcntl(number, F_GETFD) & FD_CLOEXEC != 0)
    recording?.release()
    #expect(recording?.input == nil && !isOpen(number))
    #expect(try recording?.nextBytes(upTo: 1).map(text) == "0")
    let again = try #require(recording?.input)
    #expect(isOpen(again))
    recording = nil
    #expect(!isOpen(again))
  }

  @Test func `is always readable, and a pipe when something is in it`() throws {
    #expect(try RecordingFile(path: path).isReadable())
    let (recording, writer) = try recordingOfPipe()
    #expect(!recording.isReadable())
    #expect(try recording.nextBytes(upTo: 9) == nil)
    write("abc", to: writer)
    #expect(recording.isReadable())
    #expect(try recording.nextBytes(upTo: 2).map(text) == "ab")
    // It cannot be opened again, and does not return to its beginning.
    recording.release()
    recording.rewind()
    #expect(recording.input != nil && recording.size == nil && recording.name == "a pipe")
    #expect(try recording.nextBytes(upTo: 2).map(text) == "c")
    close(writer, seenBy: recording.input)
    #expect(recording.isReadable())
    #expect(try recording.nextBytes(upTo: 2).map(text) == "")
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

  @Test func `has first lines until the caller has enough, or a line is too long`() async throws {
    let (recording, writer) = try recordingOfPipe()
    write("one\n", to: writer)
    let looking = Task { try await recording.firstLines { $0.contains(UInt8(ascii: "w")) } }
    write("two\n", to: writer)
    #expect(try await text(looking.value) == "one\ntwo\n")
    #expect(try recording.nextBytes(upTo: 99).map(text) == "one\ntwo\n")
    let line = String(repeating: "x", count: LineFramer.maximumLineLength)
    write(String(line.prefix(65_536)), to: writer)
    #expect(try await recording.firstLines().count == LineFramer.maximumLineLength)
    close(writer)
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

  @Test func `of a pipe keeps what a cancelled reader has read`() async throws {
    let (recording, writer) = try recordingOfPipe()
    write("ab", to: writer)
    let looks = Mutex(0)
    let looking = Task {
      try await recording.firstLines { _ in
        looks.withLock { $0 += 1 }
        return false
      }
    }
    while looks.withLock(\.self) == 0 { await Task.yield() }
    looking.cancel()
    #expect(try await looking.value.isEmpty)
    write("c\n", to: writer)
    #expect(try recording.nextBytes(upTo: 9).map(text) == "ab")
    #expect(try recording.nextBytes(upTo: 9).map(text) == "c\n")
    close(writer)
  }

  @Test func `of a pipe continues after the bytes that were inspected`() async throws {
    let (recording, writer) = try recordingOfPipe()
    write("abcd\n", to: writer)
    #expect(try await text(recording.firstLines()) == "abcd\n")
    #expect(try recording.nextBytes(upTo: 5).map(text) == "abcd\n")
    // Its end has not come.
    #expect(try recording.nextBytes(upTo: 5) == nil)
    write("e", to: writer)
    #expect(try recording.nextBytes(upTo: 5).map(text) == "e")
    close(writer, seenBy: recording.input)
    #expect(try recording.nextBytes(upTo: 5) == [])
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

  @Test func `of a pipe is waited for without a thread where the task has what waits`() async throws
  {
    final class Waiter: DescriptorWaiter {
      let waits = Mutex<[CInt]>([])
      func waitUntilReadable(_ descriptor: CInt) async { waits.withLock { $0.append(descriptor) } }
    }
    let waiter = Waiter()
    let ends = try recordingOfPipe()
    await Readiness.$waiter.withValue(waiter) { await ReadableWait(for: ends.file).run() }
    let wait = try #require(waiter.waits.withLock { $0.count == 1 ? $0.first : nil })
    var pipe = stat()
    let input = try #require(ends.file.input)
    #expect(fstat(ends.writer, &pipe) == 0 && isOpen(input, of: pipe))
    #expect(wait != input && !isOpen(wait, of: pipe))
    close(ends.writer)
  }

  @Test func `is no folder`() {
    #expect(
      throws: LocationError(.disconnected, systemError: .errno(EISDIR), "/tmp: Is a directory")
    ) { try RecordingFile(path: "/tmp") }
  }

  @Test func `is an error if it no longer exists`() throws {
    let recording = try RecordingFile(path: path)
    recording.release()
    unlink(file.path)
    let error = LocationError(
      .disconnected, systemError: .errno(ENOENT), "\(file.path): No such file or directory")
    #expect(throws: error) { try recording.nextBytes(upTo: 1) }
    #expect(throws: error) { try recording.contents() }
    #expect(recording.head(upTo: 1) == [])
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

  @Test func `is the first line that is no report, up to 512 bytes`() {
    #expect(contents(Lines.tpv(1), "one", "two").foreign == Array("one\n".utf8))
    let long = String(repeating: "x", count: 600)
    #expect(contents(long).foreign == Array(long.prefix(512).utf8))
    var other = contents("one")
    other.recordDiscard()
    #expect(other.foreign == Array("one\n".utf8))
    other = contents(Lines.tpv(1))
    other.recordDiscard()
    #expect(other.foreign == [] && other.isEmpty)
  }
}
