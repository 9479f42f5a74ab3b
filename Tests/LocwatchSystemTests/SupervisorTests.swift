import EventLoop
import GPSDLocation
import Glibc
import LocationCore
import LocationTestKit
import LocwatchTestSupport
import Testing
import VirtualTimeTesting

@testable import LocwatchSystem

@Suite struct `A supervised child` {
  /// The child ends when the pipe that is its descriptor 3 is closed, which another task of the
  /// same loop does. If the wait blocked the loop, it would be killed instead.
  @Test(.timeLimit(.minutes(5)))
  func `is waited for while other tasks of the loop run`() async throws {
    let (result, hold) = (try Self.makePipe(), try Self.makePipe())
    let (output, other) = (result[0], hold[1])
    let loop = try #require(EventLoop())
    let child = try Supervisor(
      ["/bin/sh", "-c", "read -r _ <&3; echo ended >&4"], environment: [],
      descriptors: [hold[0], result[1]])
    for end in [hold[0], result[1]] { close(end) }
    let ending = Task(executorPreference: loop) {
      await child.end(by: loop.clock)
      loop.finish()
    }
    Task(executorPreference: loop) {
      try await loop.clock.sleep(until: loop.clock.now.advanced(by: .milliseconds(1)))
      close(other)
    }
    #expect(BlockingThread.start { loop.run() })
    await ending.value
    var bytes = [UInt8](repeating: 0, count: 16)
    let count = read(output, &bytes, bytes.count)
    #expect(String(decoding: bytes.prefix(max(0, count)), as: UTF8.self) == "ended\n")
    close(output)
  }

  /// A child that says through its descriptor 3 what it does.
  private func child(
    _ script: String, environment: [String] = []
  ) throws -> (child: Supervisor, output: CInt) {
    let ends = try Self.makePipe()
    let child = try Supervisor(
      ["/bin/sh", "-c", script], environment: environment, descriptors: [ends[1]])
    close(ends[1])
    return (child, ends[0])
  }

  /// Returns the text that is written until all processes that could write more have ended.
  private func text(from output: CInt) -> String {
    defer { close(output) }
    var text = ""
    var bytes = [UInt8](repeating: 0, count: 4096)
    while case let count = read(output, &bytes, bytes.count), count > 0 {
      text += String(decoding: bytes[..<count], as: UTF8.self)
    }
    return text
  }

  @Test func `ends by itself when its input is closed`() throws {
    let (child, output) = try child("read -r _; echo ended >&3")
    #expect(!child.hasEnded)
    child.end()
    #expect(child.hasEnded)
    #expect(child.group.users == [])
    #expect(text(from: output) == "ended\n")
  }

  @Test(.timeLimit(.minutes(5)), arguments: [false, true])
  func `has time to end, even if nobody waits any more`(isCancelled: Bool) async throws {
    // It starts other programs before it is done.
    let (child, output) = try child("read -r _; /bin/true; /bin/true; echo ended >&3")
    let ending = Task {
      if isCancelled { withUnsafeCurrentTask { $0?.cancel() } }
      await child.end(by: .live)
    }
    await ending.value
    #expect(child.hasEnded)
    #expect(child.group.users == [])
    #expect(text(from: output) == "ended\n")
  }

  @Test func `has time to end where a thread waits for it`() throws {
    let (child, output) = try child("read -r _; /bin/true; /bin/true; echo ended >&3")
    child.end()
    #expect(text(from: output) == "ended\n")
  }

  @Test(.virtualTime, .timeLimit(.minutes(5))) func `that was killed is no zombie`() async throws {
    let (child, output) = try child("exec sleep 1000")
    let clock = ManualClock()
    await clock.whileAdvancing { await child.end(by: clock.locationClock) }
    #expect(child.hasEnded)
    #expect(child.group.users == [])
    #expect(text(from: output) == "")
  }

  @Test func `ends although another one was started after it`() throws {
    let (first, output) = try child("read -r _; echo ended >&3")
    let (second, other) = try child("read -r _")
    first.end()
    #expect(text(from: output) == "ended\n")
    #expect(!second.hasEnded)
    second.end()
    #expect(text(from: other) == "")
  }

  @Test func `can write errors until it has ended`() throws {
    let (child, output) = try child("read -r _; echo late >&2; echo alive >&3")
    child.end()
    #expect(text(from: output) == "alive\n")
  }

  /// A process that has left the group notices that its errors are no longer read.
  @Test func `has no one who reads its errors after its end`() throws {
    let (hold, result) = (try Self.makePipe(), try Self.makePipe())
    let script = "trap '' PIPE; echo on >&4; read -r _ <&3; echo late >&2 || echo closed >&4"
    let child = try Supervisor(
      ["/bin/sh", "-c", "setsid /bin/sh -c \"$1\" & read -r _", "sh", script],
      environment: ["PATH=/usr/bin:/bin"], descriptors: [hold[0], result[1]])
    for end in [hold[0], result[1]] { close(end) }
    var bytes = [UInt8](repeating: 0, count: 16)
    #expect(read(result[0], &bytes, 3) == 3)
    child.end()
    close(hold[1])
    #expect(text(from: result[0]) == "closed\n")
  }

  @Test(.virtualTime, .timeLimit(.minutes(5)))
  func `is killed with its descendants if it has not ended after 0.8 s`() async throws {
    let (child, output) = try child("sleep 1000 & exec sleep 1000")
    let clock = ManualClock()
    let start = clock.now
    #expect(!child.hasEnded)
    await clock.whileAdvancing { await child.end(by: clock.locationClock) }
    #expect(start.duration(to: clock.now) == .milliseconds(800))
    #expect(text(from: output) == "")
  }

  @Test(.timeLimit(.minutes(5)))
  func `stays a process until its end is asked for`() async throws {
    let (child, output) = try child("exit 3")
    #expect(await comes { child.hasEnded })
    #expect(child.group.users == [geteuid()])
    child.end()
    #expect(text(from: output) == "")
  }

  @Test func `has a group, input, output and environment of its own`() throws {
    let (child, output) = try child(
      "echo $NAME $(ls -l /proc/$$/fd/1 | sed 's/.* //') >&3; read -r _", environment: ["NAME=x"])
    #expect(child.group.users == [geteuid()])
    child.end()
    #expect(text(from: output) == "x /dev/null\n")
  }

  @Test func `inherits no blocked and no ignored signals`() throws {
    // These tests ignore SIGPIPE.
    var (set, old) = (sigset_t(of: [SIGUSR1]), sigset_t())
    pthread_sigmask(SIG_BLOCK, &set, &old)
    let (child, output) = try child("grep SigBlk /proc/self/status >&3; kill -PIPE $$; echo no >&3")
    pthread_sigmask(SIG_SETMASK, &old, nil)
    #expect(text(from: output) == "SigBlk:\t0000000000000000\n")
    child.end()
  }

  @Test func `has the last line of its errors read, once`() throws {
    let (child, output) = try child("echo one >&2; echo two >&2; echo >&2; exec sleep 1000 3>&-")
    #expect(text(from: output) == "")
    #expect(child.takeLastError() == "two")
    #expect(child.takeLastError() == nil)
    child.end()
  }

  @Test func `has one letter of an error read`() throws {
    let (child, output) = try child("printf x >&2; exec sleep 1000 3>&-")
    #expect(text(from: output) == "")
    #expect(child.takeLastError() == "x")
    child.end()
  }

  @Test func `has all of a full pipe read at once`() throws {
    let (child, output) = try child(
      "head -c 65536 /dev/zero | tr '\\0' x >&2; exec sleep 1000 3>&-")
    #expect(text(from: output) == "")
    #expect(child.takeLastError() == String(repeating: "x", count: 4096))
    #expect(child.takeLastError() == nil)
    child.end()
  }

  @Test func `writes errors of any length, of which the end is read`() throws {
    let (child, output) = try child(
      "head -c 9000 /dev/zero | tr '\\0' x >&2; echo last >&2; exec sleep 1000 3>&-")
    #expect(text(from: output) == "")
    #expect(child.takeLastError() == String(repeating: "x", count: 4096 - 5) + "last")
    child.end()
  }

  @Test func `has all lines of its errors read, in their order`() throws {
    let (child, output) = try child("echo one >&2; echo two >&2; exec sleep 1000 3>&-")
    #expect(text(from: output) == "")
    #expect(child.takeErrors() == ["one", "two"])
    #expect(child.takeErrors() == [])
    child.end()
  }

  @Test(.timeLimit(.minutes(5)), arguments: [false, true])
  func `is killed at once with its descendants`(hasStream: Bool) throws {
    let ends = try Self.makePipe()
    let script = "trap '' TERM; sleep 1000 & echo on >&3; sleep 1000"
    var (own, other): (Socket, Socket?) = try Socket.pair()
    let child =
      hasStream
      ? try Supervisor(
        ["/bin/sh", "-c", script.replacing("&3", with: "&1")], environment: [], stream: other!)
      : try Supervisor(["/bin/sh", "-c", script], environment: [], descriptors: [ends[1]])
    other = nil
    close(ends[1])
    var bytes = [UInt8](repeating: 0, count: 16)
    #expect(read(hasStream ? own.descriptor : ends[0], &bytes, 3) == 3)
    child.kill()
    #expect(child.hasEnded)
    #expect(read(hasStream ? own.descriptor : ends[0], &bytes, 3) == 0)
    close(ends[0])
  }

  @Test func `reads from a stream and writes to it`() throws {
    let (own, other) = try Socket.pair()
    let child = try Supervisor(
      ["/bin/sh", "-c", "read -r line; echo $line, $NAME"], environment: ["NAME=x"], stream: other)
    #expect(own.write(Array("y\n".utf8)[...]) == 2)
    var bytes = [UInt8](repeating: 0, count: 16)
    #expect(read(own.descriptor, &bytes, bytes.count) == 5)
    #expect(String(decoding: bytes[..<5], as: UTF8.self) == "y, x\n")
    child.kill()
    // Children of others inherit neither end.
    for end in [own, other] { #expect(fcntl(end.descriptor, F_GETFD) & FD_CLOEXEC != 0) }
  }

  @Test func `inherits no descriptor but those that are for it`() throws {
    // As from a shell: "locwatch 100>file".
    let other = fcntl(STDERR_FILENO, F_DUPFD, 100)
    defer { close(other) }
    let (child, output) = try child("exec ls /proc/self/fd >&3")
    // The last one is that of ls for the folder.
    #expect(text(from: output) == "0\n1\n2\n3\n4\n")
    child.kill()
  }

  @Test(.timeLimit(.minutes(5))) func `leaves no descriptor behind`() async {
    // In a process of its own: the tests of this one have descriptors, too.
    await #expect(processExitsWith: .success) {
      let before = descriptorCount()
      for _ in 0..<100 {
        #expect(throws: LocationError.self) {
          try Supervisor(["/nowhere/sh"], environment: [], descriptors: [])
        }
        #expect(throws: LocationError.self) {
          try Supervisor(["/nowhere/sh"], environment: [], stream: try Socket.pair().1)
        }
        try Supervisor(["/bin/true"], environment: [], descriptors: []).kill()
      }
      // The system's threads may have opened some, but not one a round.
      #expect(descriptorCount() < before + 100)
    }
  }

  @Test func `that cannot be started is an error`() throws {
    #expect(throws: LocationError.system(ENOENT)) {
      try Supervisor(["/nowhere/sh"], environment: [], descriptors: [])
    }
    #expect(throws: LocationError.system(EMFILE)) {
      try Supervisor(["/bin/true"], environment: [], descriptors: [0, -1])
    }
    #expect(throws: LocationError.system(ENOENT)) {
      try Supervisor(["/nowhere/sh"], environment: [], stream: try Socket.pair().1)
    }
  }

  /// Returns the reading and the writing end of a pipe, neither of which a child inherits.
  private static func makePipe() throws -> [CInt] {
    var ends: [CInt] = [-1, -1]
    try #require(pipe(&ends) == 0)
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return ends
  }
}

/// How many descriptors are open.
private func descriptorCount() -> Int { (0..<1024).count { fcntl($0, F_GETFD) >= 0 } }
