import GPSDLocation
import Glibc
import LocationCore

/// Waits for a descriptor to become readable, and can be told from any thread to stop waiting.
final class Wakeup: Sendable {
  private let reader: CInt
  private let writer: CInt

  init() throws(GPSDError) {
    var ends: [CInt] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else {
      throw GPSDError(.cannotConnect, number: errno, "no descriptor left for a pipe")
    }
    (reader, writer) = (ends[0], ends[1])
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
  }

  deinit {
    _ = close(reader)
    _ = close(writer)
  }

  /// Ends the wait that is under way, or the next one.
  func signal() {
    var byte: UInt8 = 1
    _ = unsafe write(writer, &byte, 1)
  }

  /// - Parameters:
  ///   - descriptor: What to wait for; by default for nothing but a signal.
  ///   - timeout: `nil` waits for ever. An interrupted wait is over, too: whoever waits looks
  ///   again.
  func wait(for descriptor: CInt = -1, timeout: Nanoseconds?) {
    var descriptors: InlineArray<2, pollfd> = [
      pollfd(fd: reader, events: Int16(POLLIN), revents: 0),
      pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
    ]
    var span = descriptors.mutableSpan
    _ = unsafe span.withUnsafeMutableBufferPointer {
      unsafe poll($0.baseAddress, nfds_t($0.count), Self.milliseconds(timeout))
    }
    if descriptors[0].revents != 0 { drain() }
  }

  private func drain() {
    var bytes: UInt64 = 0
    while unsafe read(reader, &bytes, MemoryLayout.size(ofValue: bytes)) > 0 {}
  }

  /// For poll(2): rounded up, so that the deadline has passed when the wait is over.
  private static func milliseconds(_ timeout: Nanoseconds?) -> CInt {
    guard let timeout else { return -1 }
    return CInt(clamping: timeout.count / 1_000_000 + (timeout.count % 1_000_000 > 0 ? 1 : 0))
  }
}
