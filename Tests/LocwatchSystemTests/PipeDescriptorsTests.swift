import Glibc
import Testing

@testable import LocwatchSystem

@Suite struct `The descriptors of a pipe` {
  @Test(arguments: [0, O_NONBLOCK])
  func `are inherited by no program, and block unless they are not to`(flags: CInt) throws {
    let pipe = try #require(PipeDescriptors(flags))
    defer { pipe.close() }
    for end in [pipe.reading, pipe.writing] {
      #expect(fcntl(end, F_GETFD) == FD_CLOEXEC)
      #expect(fcntl(end, F_GETFL) & O_NONBLOCK == flags)
    }
    #expect(write(pipe.writing, "x", 1) == 1)
    var byte: UInt8 = 0
    #expect(read(pipe.reading, &byte, 1) == 1 && byte == UInt8(ascii: "x"))
  }
}
