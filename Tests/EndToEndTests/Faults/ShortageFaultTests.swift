import DaemonHarness
import Foundation
import SimulatedReceiver
import Testing

/// Faults 51, 52 and 54.
@Suite(.timeLimit(.minutes(5))) struct `Where the system lacks something` {
  /// Fault 54. The first three are the standard streams.
  @Test(.needsNoThreadSanitizer, arguments: 4...10)
  func `few descriptors are enough, or a message says what is missing`(
    count: Int
  ) async throws {
    let port = try freePort()
    // AddressSanitizer's search for leaks needs a descriptor.
    let locwatch = try ChildProcess(
      "/bin/sh",
      ["-c", "ulimit -n \(count); exec \"$0\" \"$@\"", Locwatch.program]
        + ["--verbose", "-t", "3", "127.0.0.1:\(port)"],
      environment: ["ASAN_OPTIONS": "detect_leaks=0"])
    let status = try await locwatch.waitForExit()
    let errors = locwatch.errors.text
    if status == .exited(1) {
      #expect(errors == "locwatch: cannot create the event loop: no file descriptor is left\n")
    } else if status != .exited(127) {  // The loader of shared libraries needs one, too.
      #expect(status == .exited(69), "\(errors)")
      let reasons = ["Too many open files", "no gpsd accepts connections"]
      #expect(reasons.contains { errors.contains($0) }, "\(errors)")
      #expect(errors.contains("retry in"), "\(errors)")
    }
  }

  /// Fault 54: as for a user who has no more threads. The limit is no limit to root.
  @Test(.needsRoot, .needsNoSanitizer, arguments: 1...4, [["127.0.0.1"], ["localhost"]])
  func `few threads are enough, or locwatch retries`(
    count: Int, host: [String]
  ) async throws {
    let copy = try TemporaryFile()
    // By another process: one that is started meanwhile would keep the file open for writing.
    _ = try await ChildProcess("cp", [Locwatch.program, copy.path]).waitForExit()
    let port = try freePort()
    let user = 700_000 + Int.random(in: 0..<100_000)
    let locwatch = try ChildProcess(
      "setpriv",
      ["--reuid=\(user)", "--regid=\(user)", "--clear-groups", "prlimit", "--nproc=\(count)"]
        + [copy.path, "--verbose", "-t", "3", "\(host[0]):\(port)"])
    #expect(try await locwatch.waitForExit() == .exited(69))
    let errors = locwatch.errors.text
    #expect(
      errors.contains(count < 3 ? "no thread is left" : "no gpsd accepts connections"), "\(errors)")
    #expect(locwatch.output.text.contains("retry in"), "\(errors)")
  }

  /// Fault 52. Swift reads the arguments from /proc.
  @Test(.needsRoot, .needsNoSanitizer) func `as /proc, the arguments count`() async throws {
    let file = try TemporaryFile(lines: [Reports.version, Reports.fix(0)])
    for arguments in [["--version"], ["--json", "--replay", file.path]] {
      let usual = try await Locwatch.run(arguments)
      let locwatch = try ChildProcess(
        "unshare",
        ["-m", "/bin/sh", "-c", "mount -t tmpfs none /proc && exec \"$0\" \"$@\""]
          + [Locwatch.program] + arguments)
      #expect(try await locwatch.waitForExit() == usual.status)
      #expect(locwatch.output.text == usual.output)
    }
  }
}
