import DaemonHarness
import Glibc
import Testing

/// Fault 28 and invariant 9, for recordings.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct `A recording survives` {
  private static let block = (0..<50).map { "\(Reports.fix($0))\r\n" }.joined()

  /// The kernel may stop a write at the end of a page when the writer is killed: one line is torn then,
  /// and no other is harmed, those of the next recording in the same file included.
  @Test func `28: kill -9 in a flood, 20 times, on one file`() async throws {
    let block = Self.block
    // Four times what the last one waits for: the recording stays short on a busy machine, too.
    let impostor = try Impostor([.generate { $0 < 60 ? Array(block.utf8) : nil }, .hold])
    let file = try TemporaryFile()
    for kill in 1...20 {
      let size = file.size
      let locwatch = try Locwatch.start(
        ["--json", "--record", file.path, "127.0.0.1:\(impostor.port)"],
        output: .file("/dev/null"))
      try await waitUntil("recording \(kill)") { file.size > size + 10_000 * kill }
      locwatch.signal(SIGKILL)
      _ = try await locwatch.waitForExit()
    }
    // A line that is torn just before its CR is whole.
    let whole = file.bytes.split(separator: UInt8(ascii: "\n")).count {
      let line = $0.last == UInt8(ascii: "\r") ? $0.dropLast() : $0
      return line.starts(with: #"{"class":"TPV""#.utf8) && line.last == UInt8(ascii: "}")
    }
    let replay = try await Locwatch.run("--replay", file.path, "--json", "-v")
    #expect(replay.status == .exited(0))
    #expect(replay.counts["TPV reports"] == whole)
    #expect(try #require(replay.counts["bad lines"]) <= 20)
  }

  /// The recording has its descriptor, and none is left for the connection, nor for a thread of Dispatch.
  @Test(.needsNoThreadSanitizer) func `too many open files, which end the run as they should`()
    async throws
  {
    let impostor = try Impostor([.generate { _ in Array(Self.block.utf8) }])
    let file = try TemporaryFile()
    let shell = try ChildProcess(
      "bash",
      [
        "-c", "ulimit -n 8; exec \"$@\"", "-", Locwatch.program, "--json", "-t", "2s", "--record",
        file.path, "127.0.0.1:\(impostor.port)",
      ], output: .file("/dev/null"))
    #expect(try await shell.waitForExit() == .exited(69))
    #expect(
      shell.errors.text
        == "locwatch: no fix within 2 s: 127.0.0.1:\(impostor.port): Too many open files\n")
  }

  @Test(.needsNoThreadSanitizer, arguments: [1, 8, 40])
  func `28: a full disk, with whole lines as far as it goes`(kilobytes: Int) async throws {
    let block = Self.block
    let impostor = try Impostor([.generate { _ in Array(block.utf8) }])
    let file = try TemporaryFile()
    let shell = try ChildProcess(
      "bash",
      [
        "-c", "ulimit -f \(kilobytes); exec \"$@\"", "-", Locwatch.program, "--json", "--record",
        file.path, "127.0.0.1:\(impostor.port)",
      ], output: .file("/dev/null"))
    #expect(try await shell.waitForExit() == .exited(74))
    #expect(shell.errors.text == "locwatch: cannot write to \(file.path): File too large\n")
    let bytes = file.bytes
    #expect(bytes.last == UInt8(ascii: "\n"))
    #expect(bytes.count > 1024 * kilobytes - 400 && bytes.count <= 1024 * kilobytes)
    let replay = try await Locwatch.run("--replay", file.path, "--json", "-v")
    #expect(replay.counts["bad lines"] == 0)
  }
}
