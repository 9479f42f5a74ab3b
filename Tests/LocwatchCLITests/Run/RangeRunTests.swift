import EventLoop
import Foundation
import GPSDLocation
import Glibc
import LocationCore
import TestSupport
import Testing

@testable import LocwatchCLI
@testable import LocwatchRecordings
@testable import LocwatchSystem

@Suite(.timeLimit(.minutes(5))) struct `A run that replays a part of a recording` {
  private let folder: TemporaryFolder
  private let file: String

  /// A fix each second from 07:05:01 to 07:05:03, then silence, and two more from 07:05:58 on. They came when
  /// they were true.
  private static let recording =
    [
      #"{"class":"LOCWATCH","t":0.000,"start":"2026-11-20T07:05:00.000Z"}"#, RunLines.version,
      RunLines.devices,
    ]
    + (1...3).flatMap { ["{\"class\":\"LOCWATCH\",\"t\":\($0).000}", RunLines.fix($0)] }
    + (58...59).flatMap { ["{\"class\":\"LOCWATCH\",\"t\":\($0).000}", fix($0)] }

  private static func fix(_ second: Int) -> String {
    RunLines.fix(0).replacing("07:05:00", with: "07:05:\(second)")
  }

  init() throws {
    folder = try TemporaryFolder()
    file = try folder.write(RunLines.text(Self.recording), to: "drive.jsonl")
  }

  private func run(_ arguments: String..., of file: String? = nil) async throws -> CommandRun {
    try await CommandRun(["--replay", file ?? self.file] + arguments, in: folder)
  }

  @Test func `is what its counts refer to`() async throws {
    let bad = ["nonsense", String(repeating: "x", count: 70_000)]
    var lines = Self.recording + bad
    lines.insert(contentsOf: bad, at: 4)
    let file = try folder.write(RunLines.text(lines), to: "bad.jsonl")
    func counts(_ arguments: String...) async throws -> [String] {
      let run = try await CommandRun(["--replay", file, "-v"] + arguments, in: folder)
      #expect(run.status == .success)
      return run.counts.filter { !$0.hasSuffix(" 0") }
    }
    #expect(
      try await counts() == [
        "DEVICES reports: 1", "TPV reports: 5", "VERSION reports: 1", "fixes: 5", "bad lines: 2",
        "cut or too long: 2 (140004 bytes)",
      ])
    #expect(
      try await counts("--from", "07:05:02") == [
        "TPV reports: 4", "fixes: 4", "bad lines: 1", "cut or too long: 1 (70002 bytes)",
      ])
    #expect(
      try await counts("--to", "07:05:02") == [
        "DEVICES reports: 1", "TPV reports: 1", "VERSION reports: 1", "fixes: 1", "bad lines: 1",
        "cut or too long: 1 (70002 bytes)",
      ])
  }

  @Test func `says how many lines are missing from it`() async throws {
    var lines = Self.recording
    lines[5] = #"{"class":"LOCWATCH","t":2.000,"lost":446}"#
    let file = try folder.write(RunLines.text(lines), to: "lost.jsonl")
    let named = try folder.write(
      RunLines.text(
        lines.map {
          $0.hasPrefix(#"{"class":"LOCWATCH""#) ? $0.dropLast() + #","source":"a"}"# : $0
        }
        .map { $0.replacing(#","lost":446,"source":"a""#, with: #","source":"a","lost":446"#) }),
      to: "named.jsonl")
    for file in [file, named] {
      let run = try await CommandRun(["--replay", file, "-v"], in: folder)
      #expect(run.messages.contains("lines missing from the recording: 446"), "\(run.messages)")
    }
  }
}
