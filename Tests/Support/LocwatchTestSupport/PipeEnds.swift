import Glibc
package import LocwatchSystem
import Synchronization
import TestSupport

/// A pipe whose reader is the test.
package final class PipeEnds: Sendable {
  package let descriptor: Descriptor
  /// -1 after it was closed.
  private let reader: Mutex<CInt>

  package init() throws {
    guard let pipe = PipeDescriptors(O_NONBLOCK) else { throw OutputError.closed }
    reader = Mutex(pipe.reading)
    descriptor = try Descriptor(appendingTo: "/proc/self/fd/\(pipe.writing)")
    close(pipe.writing)
  }

  deinit { reader.withLock { _ = close($0) } }

  /// Closes the reading end.
  package func closeReader() {
    reader.withLock { reader in
      close(reader, seenBy: descriptor.number)
      reader = -1
    }
  }

  /// The first bytes that are there to read.
  package func read(upTo count: Int) -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: count)
    let received = Glibc.read(reader.withLock(\.self), &buffer, count)
    return Array(buffer.prefix(max(0, received)))
  }

  /// All that is there to read.
  package func readAll() -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let reader = reader.withLock(\.self)
    while case let count = Glibc.read(reader, &buffer, buffer.count), count > 0 {
      bytes += buffer[..<count]
    }
    return bytes
  }

  /// The text that is there to read.
  package func takeText() -> String { String(decoding: readAll(), as: UTF8.self) }
}
