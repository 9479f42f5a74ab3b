import EventLoop
import GPSDLocation
import Glibc
import LocationCore
import LocationTestKit
import TestSupport
import Testing

@testable import LocwatchCLI
@testable import LocwatchSystem

/// Whole replays whose files come, or go, while they run.
@Suite(.timeLimit(.minutes(5))) struct `A run that replays a pipe` {
  private static let form = ["-f", "%source %time", "--no-events"]
  private static let several = [
    RunLines.stamp(0, of: "a"), RunLines.fix(3), RunLines.stamp(0, of: "b"), RunLines.fix(3),
  ]

  private let folder: TemporaryFolder
  private let file: String
  private let output: PipeEnds

  init() throws {
    folder = try TemporaryFolder()
    file = try folder.write(
      RunLines.text([RunLines.version, RunLines.fix(1)]), to: "drive.jsonl")
    output = try PipeEnds()
  }

  private func start(_ arguments: String..., of files: String...) throws -> StartedRun {
    try StartedRun(
      Self.form + arguments + files.flatMap { ["--replay", $0] }, on: output.descriptor)
  }

  private func time(_ second: Int, of source: String = "localhost") -> String {
    "\(source) 2026-11-20T07:05:0\(second).000Z\n"
  }

  @Test func `writes each record when it comes`() async throws {
    let pipe = FedPipe("pipe", in: folder, [RunLines.version, RunLines.fix(1)])
    let run = try start(of: pipe.path)
    var text = ""
    for second in 2...3 {
      let isThere = await comes {
        text += output.takeText()
        return text == time(second - 1)
      }
      #expect(isThere)
      text = ""
      pipe.feed([RunLines.fix(second)])
    }
    await pipe.end()
    #expect(await run.end() == .success)
    #expect(output.takeText() == time(3) && run.said == "")
  }

  @Test func `knows several sources by the beginning of the first file`() async throws {
    let pipe = FedPipe("pipe", in: folder, Self.several)
    let run = try start(of: pipe.path, file)
    await pipe.end()
    #expect(await run.end() == .success)
    #expect(output.takeText() == time(3, of: "a") + time(3, of: "b") + time(1))
  }

  @Test func `reads no pipe before its turn, which may be too late to name sources`() async throws {
    let plain = FedPipe("plain", in: folder, [RunLines.version, RunLines.fix(2)])
    let run = try start(of: file, plain.path)
    await plain.end()
    #expect(await run.end() == .success)
    #expect(output.takeText() == time(1) + time(2))

    let named = FedPipe("named", in: folder, Self.several)
    let late = try start(of: file, named.path)
    #expect(await late.end() == .badData)
    #expect(output.takeText() == time(1))
    #expect(
      late.said.hasSuffix(
        ", but its first one has no name: save it as a file, and replay that\n"))

    let later = FedPipe("later", in: folder, [RunLines.version, RunLines.fix(2)])
    let mixed = try start(of: later.path)
    #expect(await comes { !output.takeText().isEmpty })
    later.feed(Self.several)
    #expect(await mixed.end() == .badData)
    #expect(mixed.said.hasPrefix("locwatch: \(later.path) has several sources, but its first one "))
  }

  @Test func `is decompressed`() async throws {
    let pipe = FedPipe("pipe", in: folder)
    pipe.feed(gzip([RunLines.version, RunLines.fix(2)].map { $0 + "\n" }.joined()))
    let run = try start(of: pipe.path)
    await pipe.end()
    #expect(await run.end() == .success)
    #expect(output.takeText() == time(2))
    #expect(run.said == "")
  }

  @Test(arguments: [[RunLines.version, RunLines.fix(2)], several])
  func `ends if a file is gone when its turn comes, and does not try again`(
    lines: [String]
  ) async throws {
    let pipe = FedPipe("pipe", in: folder, lines)
    let run = try start(of: pipe.path, file)
    // The first file is read when all are known.
    #expect(await comes { !output.takeText().isEmpty })
    unlink(file)
    await pipe.end()
    #expect(await run.end() == .noInput)
    #expect(run.said == "locwatch: \(file): No such file or directory\n")
  }

  @Test func `leaves the files closed until their turn`() async throws {
    for isInspected in [true, false] {
      let replay = try await ReplayFile(
        FilePath(file), inspectsStream: isInspected, environment: [:])
      #expect(descriptors(of: file) == 0)
      withExtendedLifetime(replay) {}
    }
  }

  // What ends a replay before it is over

  @Test func `waits for sources that appear after the others are done`() async throws {
    let lines =
      (0..<400).flatMap { [RunLines.stamp($0, of: "a"), RunLines.fix($0 % 9 + 1)] }
      + [RunLines.stamp(500, of: "b"), RunLines.fix(2)]
    let file = try folder.write(RunLines.text(lines), to: "fleet.jsonl")
    let run = try start("-n", "1", of: file)
    #expect(await run.end() == .success)
    #expect(output.takeText() == time(1, of: "a") + time(2, of: "b"))
  }

  @Test func `does not say that a receiver is missing before it has seen all`() async throws {
    let file = try folder.write(
      RunLines.text([
        #"{"class":"LOCWATCH","t":0.000,"start":"2026-11-20T07:05:01.000Z"}"#, RunLines.version,
        RunLines.devices, RunLines.fix(1), #"{"class":"LOCWATCH","t":7200.000}"#,
        RunLines.fix(2, device: "/dev/x"),
      ]), to: "slow.jsonl")
    let run = try start("--device", "/dev/x", "-t", "1h", "--speed", "36000", of: file)
    #expect(await run.end() == .timedOut)
    #expect(run.said.hasPrefix("locwatch: no fix within 3600 s of the recording: "))
  }

  @Test func `ends when it is cancelled`() async throws {
    let pipe = FedPipe("pipe", in: folder, [RunLines.version, RunLines.fix(1)])
    let run = try start(of: pipe.path)
    #expect(await comes { !output.takeText().isEmpty })
    #expect(run.status == nil)
    run.cancel()
    #expect(await run.end() == .interrupted)
    #expect(run.said == "")
  }

  @Test func `writes a report when it is cancelled, even if the file may not be a recording`()
    async throws
  {
    let pipe = FedPipe("pipe", in: folder, [RunLines.version, "garbage", "garbage"])
    let path = "\(folder.path)/report.txt"
    let run = try start("--report", path, of: pipe.path)
    #expect(await comes { descriptors(of: pipe.path) > 1 })
    await run.settle()
    run.cancel()
    #expect(await run.end() == .interrupted)
    #expect(folder.text(of: "report.txt") != nil)
  }
}
