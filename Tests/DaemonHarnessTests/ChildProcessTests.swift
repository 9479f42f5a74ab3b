import DaemonHarness
import Foundation
import Testing

@Suite(.timeLimit(.minutes(3))) struct `A child process` {
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
