import GPSDLocation
import Glibc
import LocationCore
import Testing

@testable import LocwatchReceivers
@testable import LocwatchSystem

private let python = "/usr/bin/python3"

/// A log that is read by a script instead of gpsd. The script reports the length of each piece that it gets.
/// Fault 99.
@Suite(
  .timeLimit(.minutes(5)), .enabled(if: access(python, X_OK) == 0, "There is no \(python)."))
struct `What a receiver sent, given to a private gpsd` {
  private static let greeting =
    #"{"class":"VERSION","release":"3.22"}"# + "\r\n" + #"{"class":"WATCH","enable":true}"# + "\r\n"

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The environment of a gpsd that does something before it reads the log, and each time it is asked.
  private func environment(_ action: String, first: String = "") throws -> Environment {
    let script = """
      #!\(python)
      import os, socket, sys, time
      path = sys.argv[-1]
      client = socket.socket(fileno=4).accept()[0]
      \(first)
      log = socket.create_connection(("127.0.0.1", int(path.rpartition(":")[2])))
      def say(*lines):
        client.sendall(b"".join(line.encode() + b"\\r\\n" for line in lines))
      def version():
        say('{"class":"VERSION","release":"3.22"}')
      def got():
        try:
          return log.recv(100000, socket.MSG_DONTWAIT)
        except BlockingIOError:
          return b""
      for line in client.makefile():
        if line.startswith("?WATCH"):
          version()
          say('{"class":"WATCH","enable":true}')
          continue
        \(action)
        version()

      """
    try folder.write(script, to: "gpsd", mode: 0o755)
    return ["PATH": "\(folder.path):/usr/bin:/bin"]
  }

  /// A gpsd that reports what it reads.
  private static let reporting =
    #"if count := len(got()): say('{"class":"TPV","device":"%s","n":%d}' % (path, count))"#

  /// Returns the reports of a log, and why they are not all.
  private func reports(
    of log: RecordingFile, by action: String, stopping: Bool = false
  ) async throws -> (text: String, failure: Failure?) {
    let log = try RawLog(log, environment: environment(action))
    let file = try await log.open(by: .live)
    if stopping { log.stop() }
    var bytes: [UInt8] = []
    while !Task.isCancelled {
      guard let next = try file.nextBytes(upTo: 4096) else {
        await Task.yield()
        continue
      }
      if next.isEmpty { break }
      bytes += next
    }
    let failure = log.failure
    log.stop()
    return (String(decoding: bytes, as: UTF8.self), failure)
  }

  private func file(of size: Int) throws -> RecordingFile {
    let path = try folder.write(String(repeating: "$", count: size), to: "a.nmea")
    return try RecordingFile(path: FilePath(path))
  }

  private var name: String { "\(folder.path)/a.nmea" }

  private func report(_ count: Int) -> String {
    #"{"class":"TPV","device":"\#(name)","n":\#(count)}"# + "\r\n"
  }

  @Test func `is read in pieces of 2 KiB, and has the name of the file in its reports`()
    async throws
  {
    let (text, failure) = try await reports(of: file(of: 4097), by: Self.reporting)
    #expect(text == Self.greeting + report(2048) + report(2048) + report(1))
    #expect(failure == nil)
  }

  @Test func `is bad data if gpsd finds nothing in it`() async throws {
    let (text, failure) = try await reports(of: file(of: 5), by: "got()")
    #expect(text == Self.greeting)
    #expect(failure?.status == .badData)
    #expect(failure?.message == "\(name): gpsd finds no receiver's data in it")
  }

  @Test func `is incomplete if gpsd reads no more of it`() async throws {
    let (text, failure) = try await reports(
      of: file(of: 5000), by: Self.reporting + "; log.close()")
    #expect(text == Self.greeting + report(2048))
    #expect(failure?.status == .unavailable)
    #expect(
      failure?.message
        == "\(name): gpsd no longer reads it, after 2048 of 5000 bytes: the output is incomplete")
  }

  @Test func `from a pipe has no size to report`() async throws {
    var ends: [CInt] = [-1, -1]
    try #require(pipe(&ends) == 0)
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    defer { close(ends[1]) }
    #expect(write(ends[1], [UInt8](repeating: 0x24, count: 3000), 3000) == 3000)
    let (_, failure) = try await reports(
      of: RecordingFile(pipe: ends[0], name: "standard input"), by: "got(); os._exit(0)")
    #expect(failure?.status == .unavailable)
    #expect(
      failure?.message
        == "standard input: gpsd went away, after 2048 bytes: the output is incomplete")
  }

  @Test func `ends when it is stopped`() async throws {
    let (text, failure) = try await reports(
      of: file(of: 5), by: "time.sleep(1000)", stopping: true)
    #expect(text == "" || text == Self.greeting)
    #expect(failure?.status == .unavailable)
  }

  @Test func `is not read if gpsd does not start`() async throws {
    let log = try RawLog(
      file(of: 5),
      environment: environment(
        "pass", first: #"os.write(2, b"no such option\n"); os._exit(1)"#))
    let file = try await log.open(by: .live)
    while try file.nextBytes(upTo: 9) != [], !Task.isCancelled { await Task.yield() }
    #expect(log.failure?.status == .unavailable)
    #expect(log.failure?.message == "\(name): gpsd does not start: no such option")
    log.stop()
  }
}

@Suite struct `A file that a receiver could have sent` {
  @Test func `is recognised by its beginning, and by its name unless it is a stream`() throws {
    let folder = try TemporaryFolder()
    for (name, text, isRaw) in [
      ("a.log", "text", true), ("a.txt", "text", false), ("b.txt", "$GPGGA,1\n", true),
      ("b.log", #"{"class":"TPV"}"#, false),
    ] {
      let file = try RecordingFile(path: FilePath(try folder.write(text, to: name)))
      #expect(LogHead.isRaw(file) == isRaw)
    }
    var ends: [CInt] = [-1, -1]
    try #require(pipe(&ends) == 0)
    #expect(!LogHead.isRaw(RecordingFile(pipe: ends[0], name: "a.log")))
    close(ends[1])
  }
}
