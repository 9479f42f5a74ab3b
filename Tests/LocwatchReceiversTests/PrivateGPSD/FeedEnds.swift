import Glibc
import LocationCore
import LocwatchTestSupport
import Testing

@testable import LocwatchSystem

/// One end of a connection of a feed.
final class FeedEnd {
  private let socket: Socket

  private init(_ socket: Socket) { self.socket = socket }

  /// Returns the end of the test, and the other one.
  static func pair() throws -> (FeedEnd, Socket) {
    let (own, other) = try Socket.pair()
    return (FeedEnd(own), other)
  }

  func close() { socket.hangUp() }

  func send(_ text: String) { #expect(socket.send(text)) }

  /// What has arrived since the last call.
  var received: String { textOf { recv(socket.descriptor, $0, $1, CInt(MSG_DONTWAIT)) } }
}

/// The pipe on which the reports are read.
final class FeedPipe {
  private(set) var reading: CInt
  private(set) var writing: CInt

  init() throws {
    let pipe = try #require(PipeDescriptors(O_NONBLOCK))
    (reading, writing) = (pipe.reading, pipe.writing)
  }

  deinit { for end in [reading, writing] where end >= 0 { close(end) } }

  func closeWriting() {
    close(writing)
    writing = -1
    Self.waitForEnd(at: reading)
  }

  /// Waits until the other end is closed: while another test starts a process, that has a copy of it for a moment.
  private static func waitForEnd(at end: CInt) {
    #expect(Readiness.isReady(end, for: 0, within: 20_000))
  }

  /// Whether nothing can come any more.
  var isOver: Bool { writing < 0 }

  func write(_ text: String) {
    let bytes = Array(text.utf8)
    #expect(Glibc.write(writing, bytes, bytes.count) == bytes.count)
  }

  func closeReading() {
    close(reading)
    reading = -1
    Self.waitForEnd(at: writing)
  }

  /// What has arrived since the last call.
  var text: String { textOf { read(reading, $0, $1) } }

  /// Leaves no room in the pipe, and returns what was written.
  func fill() -> String {
    var text = ""
    while Glibc.write(writing, "x", 1) == 1 { text += "x" }
    return text
  }
}

private func textOf(_ receive: (UnsafeMutableRawPointer, Int) -> Int) -> String {
  var all: [UInt8] = []
  var bytes = [UInt8](repeating: 0, count: 4096)
  while case let count = bytes.withUnsafeMutableBytes({ receive($0.baseAddress!, $0.count) }),
    count > 0
  {
    all += bytes[..<count]
  }
  return String(decoding: all, as: UTF8.self)
}
