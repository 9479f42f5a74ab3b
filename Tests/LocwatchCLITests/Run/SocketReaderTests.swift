import Glibc
import Testing

@testable import LocwatchCLI
@testable import LocwatchSystem

/// What a run writes to, and its reader: the two ends of a socket.
private final class SocketEnds {
  let descriptor: Descriptor
  private let reader: CInt
  private var isOpen = true

  init() throws {
    var ends: [CInt] = [-1, -1]
    // A process that another test starts would keep the reader open.
    let kind = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    try #require(socketpair(AF_UNIX, kind, 0, &ends) == 0)
    descriptor = Descriptor(ends[0], path: "standard output", isOwned: true)
    reader = ends[1]
    _ = fcntl(reader, F_SETFL, O_NONBLOCK)
  }

  deinit { closeReader() }

  /// Takes what is there to read.
  func take() -> String {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = read(reader, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }

  func stopWriting() { shutdown(reader, CInt(SHUT_WR)) }

  func closeReader() {
    // A process that another test is starting has a copy of the reader until it runs its program.
    if isOpen, shutdown(reader, CInt(SHUT_RDWR)) == 0 { close(reader) }
    isOpen = false
  }
}

/// Fault 28.
@Suite(.timeLimit(.minutes(5))) struct `The reader of a socket` {
  private let ends: SocketEnds

  init() throws { ends = try SocketEnds() }

  /// A run that has written that there is no gpsd, and waits until it tries again.
  private func waitingRun(_ arguments: String...) async throws -> StartedRun {
    let run = try StartedRun(["-j"] + arguments, on: ends.descriptor)
    var text = ""
    #expect(
      await comes {
        text += ends.take()
        return text.contains("no-daemon")
      })
    await run.settle()
    return run
  }

  @Test func `ends the run when it goes away, before there is a record`() async throws {
    for arguments in [["host"], ["a=h1", "b=h2"]] {
      let ends = try SocketEnds()
      let run = try StartedRun(["-j"] + arguments, on: ends.descriptor)
      #expect(await comes { ends.take().contains("no-daemon") })
      #expect(run.status == nil)
      ends.closeReader()
      #expect(await run.end() == .success)
      #expect(!run.said.contains("output"))
    }
  }

  @Test func `does not end the run by ending its own writes`() async throws {
    let run = try await waitingRun("host")
    ends.stopWriting()
    await run.settle()
    #expect(run.status == nil)
    run.cancel()
    #expect(await run.end() == .interrupted)
  }

  @Test func `is not waited for if the output is a file`() async throws {
    let folder = try TemporaryFolder()
    let run = try StartedRun(["-j", "-o", "\(folder.path)/out", "host"], on: ends.descriptor)
    #expect(await comes { folder.text(of: "out")?.contains("no-daemon") == true })
    ends.closeReader()
    await run.settle()
    #expect(run.status == nil)
    run.cancel()
    #expect(await run.end() == .interrupted)
  }

  @Test func `is no reader of a pipe, which another one may open`() async throws {
    let pipe = try PipeEnds()
    #expect(pipe.descriptor.connectionCopy == nil)
    let run = try StartedRun(["-j", "host"], on: pipe.descriptor)
    #expect(await comes { pipe.takeText().contains("no-daemon") })
    pipe.closeReader()
    await run.settle()
    #expect(run.status == nil)
    run.cancel()
    #expect(await run.end() == .interrupted)
  }

  @Test func `may come later if records are datagrams`() async throws {
    let sender = try Socket(AF_INET, SOCK_DGRAM)
    // No process receives datagrams there.
    let address = try Socket(AF_INET, SOCK_DGRAM).bindToFreePort()
    #expect(sender.connect(to: address))
    let output = Descriptor(dup(sender.descriptor), path: "standard output", isOwned: true)
    #expect(output.connectionCopy == nil)
    let run = try StartedRun(["-j", "host"], on: output)
    // A datagram was refused.
    #expect(await comes { output.isAbandoned })
    await run.settle()
    #expect(run.status == nil)
    run.cancel()
    #expect(await run.end() == .interrupted)

    let reader = try Socket(AF_INET, SOCK_DGRAM, options: SOCK_NONBLOCK.rawValue)
    #expect(reader.bind(to: address))
    #expect(output.writeWhole(Array("record".utf8)[...]) == nil)
    #expect(reader.takeArrived() == Array("record".utf8))
  }

  @Test func `is waited for at another descriptor than is written to`() throws {
    let copy = try #require(ends.descriptor.connectionCopy)
    #expect(copy.number != ends.descriptor.number && copy.number > STDERR_FILENO)
    #expect(fcntl(copy.number, F_GETFD) & FD_CLOEXEC != 0)
    #expect(!copy.isAbandoned && !ends.descriptor.isAbandoned)
    ends.closeReader()
    #expect(copy.isAbandoned && ends.descriptor.isAbandoned)
  }
}
