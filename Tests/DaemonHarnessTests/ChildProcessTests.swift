import DaemonHarness
import Foundation
import Testing

@Suite(.timeLimit(.minutes(3))) struct `A child process` {
  @Test func `returns its output, its errors and its status`() async throws {
    let child = try ChildProcess("sh", ["-c", "echo out; echo err >&2; exit 7"])
    #expect(try await child.waitForExit() == .exited(7))
    #expect(child.output.text == "out\n")
    #expect(child.errors.text == "err\n")
  }

  @Test func `has the signal settings that a shell gives it`() async throws {
    let child = try ChildProcess(
      "sh", ["-c", "trap 'echo caught; exit 3' INT; echo up; cat"], input: .pipe)
    _ = try await child.output.waitForLine(containing: "up")
    child.signal(SIGINT)
    child.closeInput()
    #expect(try await child.waitForExit() == .exited(3))
    #expect(child.output.lines == ["up", "caught"])
  }

  @Test func `says which signal ended it`() async throws {
    let child = try ChildProcess("cat", input: .pipe)
    child.signal(SIGKILL)
    #expect(try await child.waitForExit() == .signalled(SIGKILL))
    child.signal(SIGTERM)
  }

  @Test func `is fed through its input`() async throws {
    let child = try ChildProcess("cat", input: .pipe)
    try await child.write("one\ntwo\n")
    #expect(try await child.output.waitForLine(containing: "two") == "two")
    child.closeInput()
    #expect(try await child.waitForExit() == .exited(0))
  }

  @Test func `has the environment that it is given`() async throws {
    let child = try ChildProcess(
      "sh", ["-c", "echo $ONE-$HOME-"], environment: ["ONE": "1", "HOME": nil])
    _ = try await child.waitForExit()
    #expect(child.output.text == "1--\n")
  }

  @Test func `blocks while its output is not read`() async throws {
    let child = try ChildProcess("head", ["-c", "300000", "/dev/zero"])
    child.output.pause()
    // A pipe holds 64 KiB.
    try await waitUntil("full pipe") {
      try written(by: child.identifier) - child.output.bytes.count > 50_000
    }
    #expect(child.status == nil)
    child.output.resume()
    #expect(try await child.waitForExit() == .exited(0))
    #expect(child.output.bytes.count == 300_000)
  }

  @Test func `meets a broken pipe when its output is closed`() async throws {
    let child = try ChildProcess("cat", input: .pipe)
    try await child.write("one\n")
    _ = try await child.output.waitForLine(containing: "one")
    try await child.closeOutput()
    try await child.write("two\n")
    #expect(try await child.waitForExit() == .signalled(SIGPIPE))
    #expect(child.output.lines == ["one"])
  }

  @Test func `has a reader as long as anybody has that end of its output`() async throws {
    let child = try ChildProcess("cat", input: .pipe)
    #expect(child.isOutputRead)
    let copy = open("/proc/\(child.identifier)/fd/1", O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    try await child.output.close()
    #expect(child.isOutputRead)
    close(copy)
    try await child.closeOutput()
    #expect(!child.isOutputRead)
  }

  @Test func `can have its streams in files, or closed`() async throws {
    let child = try ChildProcess("sh", ["-c", "echo x"], output: .file("/dev/full"))
    #expect(try await child.waitForExit() != .exited(0))
    let other = try ChildProcess("sh", ["-c", "echo x"], output: .closed)
    #expect(try await other.waitForExit() != .exited(0))
  }

  @Test func `sees a terminal of the size that it is given`() async throws {
    let child = try ChildProcess(
      "sh", ["-c", "test -t 0 && test -t 1 && stty size; read line; stty size"],
      rows: 24, columns: 80)
    #expect(try await child.output.waitForLine(containing: "80") == "24 80")
    child.resize(rows: 50, columns: 132)
    try await child.write("\n")
    #expect(try await child.output.waitForLine(containing: "132") == "50 132")
    #expect(try await child.waitForExit() == .exited(0))
  }

  @Test func `is interrupted from its terminal`() async throws {
    let child = try ChildProcess("cat", rows: 24, columns: 80)
    try await child.write("hello\n")
    _ = try await child.output.waitForLine(containing: "hello")
    try await child.write("\u{3}")
    #expect(try await child.waitForExit() == .signalled(SIGINT))
  }

  @Test func `inherits no end of another child's pipe`() async throws {
    let first = try ChildProcess("cat", input: .pipe)
    let second = try ChildProcess("cat", input: .pipe)
    first.closeInput()
    #expect(try await first.waitForExit() == .exited(0))
    #expect(second.status == nil)
  }

  @Test func `is killed when its last reference is gone`() async throws {
    var child: ChildProcess? = try ChildProcess(
      "cat", input: .file("/dev/zero"), output: .file("/dev/null"))
    let identifier = try #require(child?.identifier)
    #expect(kill(identifier, 0) == 0)
    child = nil
    try await waitUntil("end of the child") { kill(identifier, 0) != 0 }
  }

  @Test func `is not started where there is no such program`() {
    #expect(throws: (any Error).self) { try ChildProcess("/nonexistent/program") }
  }

  @Test func `ends a wait at once when a line can no longer come`() async throws {
    let child = try ChildProcess("echo", ["something"])
    await #expect(throws: CollectedOutput.Ended.self) {
      try await child.output.waitForLine(containing: "else", timeout: .seconds(50))
    }
  }

  @Test func `is measured once it is idle`() async throws {
    let work = "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done; echo done; exec sleep 60"
    let child = try ChildProcess("sh", ["-c", work])
    let usage = try await child.usageAtRest()
    #expect(usage.processorTime > .zero)
    #expect(
      try await child.output.waitForLine(containing: "done", timeout: .milliseconds(500)) != "")
    child.signal(9)
    _ = try await child.waitForExit()
  }

  @Test func `reports the resources that it used`() async throws {
    let child = try ChildProcess("sh", ["-c", "while :; do :; done"])
    try await waitUntil("50 ms of work") { try child.usage().processorTime >= .milliseconds(50) }
    let usage = try child.usage()
    #expect(usage.openDescriptors >= 3)
    #expect((100_000..<100_000_000).contains(usage.residentBytes))
  }

  /// How many bytes a process has written so far.
  private func written(by identifier: pid_t) throws -> Int {
    let text = try String(contentsOfFile: "/proc/\(identifier)/io", encoding: .utf8)
    let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("wchar: ") })
    return try #require(Int(line.dropFirst(7)))
  }
}
