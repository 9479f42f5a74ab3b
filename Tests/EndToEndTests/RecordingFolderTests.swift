import DaemonHarness
import Foundation
import Glibc
import Testing

/// Fault 28, for recordings in a folder.
/// Faults 64 and 108.
@Suite(.serialized, .timeLimit(.minutes(5)))
final class `A folder of recordings` {
  private let path = "/tmp/locwatch-folder-\(UUID().uuidString)"

  deinit { try? FileManager.default.removeItem(atPath: path) }

  private var files: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
  }

  /// The highest number of a file.
  private var last: Int { files.compactMap { Int($0.prefix(6)) }.max() ?? 0 }

  @Test func `28: kill -9 in a flood, 20 times, tears no more than the last line of a file`()
    async throws
  {
    let block = (0..<50).map { "\(Reports.fix($0))\r\n" }.joined()
    let impostor = try Impostor([.generate { _ in Array(block.utf8) }])
    for kill in 1...20 {
      let before = last
      let locwatch = try Locwatch.start(
        ["-j", "--record", "\(path)/", "--rotate", "50K", "127.0.0.1:\(impostor.port)"],
        output: .file("/dev/null"))
      // The more, the later: sometimes while it compresses.
      try await waitUntil("recording \(kill)") { self.last > before + kill / 5 }
      locwatch.signal(SIGKILL)
      _ = try await locwatch.waitForExit()
    }
    #expect(files.count >= 20)
    var whole = 0
    // A program that was killed may have left a file in both of its forms, or a part of one.
    let present = files
    for name in present where !name.hasPrefix(".") {
      if name.hasSuffix(".gz"), present.contains(String(name.dropLast(3))) { continue }
      let stored = try Data(contentsOf: URL(filePath: "\(path)/\(name)"))
      let bytes = name.hasSuffix(".gz") ? Data(gunzip(Array(stored))) : stored
      whole += bytes.split(separator: UInt8(ascii: "\n")).count {
        $0.starts(with: #"{"class":"TPV""#.utf8) && $0.last == UInt8(ascii: "\r")
      }
    }
    let replay = try await Locwatch.run("--replay", path, "-j", "-v")
    #expect(replay.status == .exited(0))
    #expect(replay.counts["TPV reports"] == whole)
    #expect(try #require(replay.counts["bad lines"]) <= 20)
  }

  /// A crash of the machine leaves the recording in one form at least.
  @Test(
    .enabled(if: access("/usr/bin/strace", X_OK) == 0, "it needs strace: make test-deps"),
    .timeLimit(.minutes(2)))
  func `28: has the compressed form on the disk before the plain one is removed`() async throws {
    let name = "000001-2026-11-20T070000.000Z.jsonl"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    try (Reports.fix(1) + "\r\n").write(
      toFile: "\(path)/\(name)", atomically: false, encoding: .utf8)
    let log = "\(path)/.calls"
    let locwatch = try ChildProcess(
      "/usr/bin/strace",
      [
        "-f", "-I", "2", "-o", log, "-e",
        "trace=openat,fsync,fdatasync,rename,renameat,renameat2,unlink,unlinkat",
        Locwatch.program, "--record", "\(path)/", "127.0.0.1:\(try freePort())",
      ])
    try await waitUntil("compressed, and no longer plain") {
      self.files.contains("\(name).gz") && !self.files.contains(name)
    }
    locwatch.signal(SIGTERM)
    _ = try await locwatch.waitForExit()
    // The calls that matter, in the order in which they began, from the creation of the new file on
    let calls = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
      .compactMap { line -> String? in
        if line.contains("sync(") { return "sync" }
        if line.contains("rename") && line.contains("\(name).gz.new\"") { return "rename" }
        if line.contains("unlink") && line.contains("/\(name)\"") { return "remove" }
        if line.contains("openat(") && line.contains("\(name).gz.new\"") { return "create" }
        return nil
      }
    #expect(
      calls.drop { $0 != "create" }.prefix(5) == ["create", "sync", "rename", "sync", "remove"])
  }

  /// A network file system may refuse both locks and the renaming that replaces nothing.
  @Test(
    .enabled(if: access("/usr/bin/strace", X_OK) == 0, "it needs strace: make test-deps"),
    .timeLimit(.minutes(2)))
  func `Without locks, a run completes its own file, and none of another`() async throws {
    let left = "000001-2026-11-20T070000.000Z.jsonl"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    try (Reports.fix(1) + "\r\n").write(
      toFile: "\(path)/\(left).part", atomically: false, encoding: .utf8)
    let impostor = try Impostor([.sendBytes(Array("\(Reports.fix(2))\r\n".utf8)), .hold])
    let locwatch = try ChildProcess(
      "/usr/bin/strace",
      [
        "-f", "-o", "/dev/null", "-e", "trace=flock,renameat2", "-e", "inject=flock:error=ENOLCK",
        "-e", "inject=renameat2:error=EINVAL", Locwatch.program, "-n", "1", "--record", "\(path)/",
        "127.0.0.1:\(impostor.port)",
      ])
    #expect(try await locwatch.waitForExit() == .exited(0))
    let names = files.filter { !$0.hasPrefix(".") }
    #expect(names.count == 2 && names.first == "\(left).part")
    #expect(names.last?.hasPrefix("000002-") == true && names.last?.hasSuffix(".jsonl") == true)
    let replay = try await Locwatch.run("--replay", "\(path)/", "-q", "-f", "%lat", "--no-events")
    #expect(replay.output.split(separator: "\n").count == 2)
    let next = try Locwatch.start(
      ["--record", "\(path)/", "127.0.0.1:\(impostor.port)"], output: .file("/dev/null"))
    try await waitUntil("completed and compressed") {
      self.files.contains("\(left).gz") && !self.files.contains("\(left)")
    }
    #expect(!files.contains("\(left).part"))
    next.signal(SIGTERM)
    _ = try await next.waitForExit()
  }

  @Test(.needsMounts) func `38: continues when there is room again, and counts the lost lines`()
    async throws
  {
    let impostor = try Impostor([
      .generate { index in
        // More than there is room for, and then little, so that there is room again for long enough.
        usleep(index < 600 ? 2000 : 200_000)
        return Array("\(Reports.fix(index))\r\n".utf8)
      }
    ])
    let result = try TemporaryFile()
    let shell = try ChildProcess(
      "unshare",
      [
        "-m", "bash", "-c",
        """
        mkdir $0 && mount -t tmpfs -o size=512k none $0 && head -c 400k /dev/zero >$0/other
        "$@" 2>$0.errors & locwatch=$!
        until grep -q 'No space' $0.errors; do sleep 0.1; done
        sleep 1; rm $0/other
        until grep -q 'continues in' $0.errors; do sleep 0.1; done
        sleep 0.5; kill $locwatch; wait $locwatch
        cat $0/*.jsonl >\(result.path); cat $0.errors; rm $0.errors
        """, path, Locwatch.program, "-q", "-o", "/dev/null", "--record", "\(path)/",
        "127.0.0.1:\(impostor.port)",
      ])
    #expect(try await shell.waitForExit(timeout: .seconds(60)) == .exited(0))
    let errors = shell.output.lines
    #expect(errors.count == 2)
    let lost = try #require(errors.last.flatMap { Int($0.split(separator: " ").last ?? "") })
    #expect(lost > 0)
    #expect(result.text.components(separatedBy: #","lost":\#(lost)}"#).count == 2)
    // Every line is whole, and those that are missing are as many as it says.
    let lines = result.text.split(separator: "\r\n")
    let times = lines.filter { $0.hasPrefix(#"{"class":"TPV""#) }
    let known = Dictionary(uniqueKeysWithValues: (0..<3000).map { (Reports.fix($0), $0) })
    let indices = try times.map { try #require(known[String($0)]) }
    #expect(try #require(indices.last) + 1 - indices.count == lost)
  }
}
