import Glibc

@testable import LocwatchCLI

/// A pipe whose reader is the test.
final class PipeEnds {
  let descriptor: Descriptor
  private let reader: CInt

  init() throws {
    var ends: [CInt] = [-1, -1]
    guard pipe(&ends) == 0 else { throw OutputError.closed }
    reader = ends[0]
    descriptor = try Descriptor(appendingTo: "/proc/self/fd/\(ends[1])")
    close(ends[1])
    _ = fcntl(reader, F_SETFL, O_NONBLOCK)
  }

  deinit { close(reader) }

  /// All that is there to read.
  func readAll() -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while case let count = read(reader, &buffer, buffer.count), count > 0 {
      bytes += buffer[..<count]
    }
    return bytes
  }
}
