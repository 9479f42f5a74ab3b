import Glibc
import Testing

@testable import LocwatchSystem

/// One end of a connection of a feed.
final class FeedEnd {
  private var descriptor: CInt

  private init(_ descriptor: CInt) { self.descriptor = descriptor }

  /// Returns the end of the test, and the other one.
  static func pair() throws -> (FeedEnd, Socket) {
    var ends: [CInt] = [-1, -1]
    try #require(socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends) == 0)
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (FeedEnd(ends[0]), Socket(taking: ends[1]))
  }

  deinit { close() }

  func close() {
    if descriptor >= 0 { Glibc.close(descriptor) }
    descriptor = -1
  }

  func send(_ text: String) {
    let bytes = Array(text.utf8)
    #expect(Glibc.send(descriptor, bytes, bytes.count, CInt(MSG_NOSIGNAL)) == bytes.count)
  }

  /// What has arrived since the last call.
  var received: String { textOf { recv(descriptor, $0, $1, CInt(MSG_DONTWAIT)) } }
}

/// The pipe on which the reports are read.
final class FeedPipe {
  private(set) var reading: CInt
  private(set) var writing: CInt

  init() throws {
    var ends: [CInt] = [-1, -1]
    try #require(pipe(&ends) == 0)
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    (reading, writing) = (ends[0], ends[1])
  }

  deinit {
    closeWriting()
    closeReading()
  }

  func closeWriting() {
    if writing >= 0 { close(writing) }
    writing = -1
  }

  /// Whether nothing can come any more.
  var isOver: Bool { writing < 0 }

  func write(_ text: String) {
    let bytes = Array(text.utf8)
    #expect(Glibc.write(writing, bytes, bytes.count) == bytes.count)
  }

  func closeReading() {
    if reading >= 0 { close(reading) }
    reading = -1
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
