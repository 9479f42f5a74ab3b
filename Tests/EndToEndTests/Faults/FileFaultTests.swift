import DaemonHarness
import Foundation
import Glibc
import Testing

/// Faults of files: their names, their permissions, their readers, and lines that forge them.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct `With files` {
  private static let greeting = [Reports.version, Reports.devices]

  /// A gpsd that has a fix ten times a second, for ever.
  private static func steady() throws -> Impostor {
    try Impostor(
      [.sendLines(Reports.version, Reports.devices)]
        + (0..<600).flatMap {
          [.sendLines(Reports.fix($0)), .pause(.milliseconds(20))] as [ImpostorStep]
        })
  }

  /// Runs a command of the shell, in which `$@` is locwatch, and `$FILE` a path.
  private func shell(
    _ command: String, _ file: TemporaryFile, _ arguments: String...
  ) async throws -> Locwatch.Result {
    let shell = try ChildProcess(
      "bash", ["-c", command, "-", Locwatch.program] + arguments, environment: ["FILE": file.path])
    let status = try await shell.waitForExit()
    return .init(status: status, output: shell.output.text, errors: shell.errors.text)
  }

  @Test func `44: a time stamp whose line was cut off quotes none of the next recording`()
    async throws
  {
    let impostor = try Self.steady()
    let begin = #"{"class":"LOCWATCH","t":0.000,"start":"2026-11-20T07:00:00.000Z"}"#
    let timestamp = #"{"class":"LOCWATCH","t":1.000,"verbatim":1}"#
    for end in ["\r\n", "\r", ""] {
      let lines = "\(begin)\r\n\(Reports.fix(0))\r\n\(timestamp)\(end)"
      let file = try TemporaryFile(Array(lines.utf8))
      let address = "127.0.0.1:\(impostor.port)"
      let live = try await Locwatch.run("-n", "1", "--record", file.path, address)
      #expect(live.status == .exited(0))
      let replay = try await Locwatch.run("-v", "--replay", file.path)
      #expect(replay.status == .exited(0))
      #expect(!replay.counts.isEmpty)
      #expect(replay.counts["LOCWATCH reports"] == nil)
    }
  }

  @Test(arguments: [
    #""$@" --record /dev/stdout >&1 | head -c 1000 >/dev/null; exit ${PIPESTATUS[0]}"#,
    #""$@" --record >(head -c 1000 >/dev/null) >/dev/null"#,
    #"mkfifo $FILE; head -c 1000 $FILE >/dev/null & "$@" --record $FILE >/dev/null"#,
    #""$@" --record - | head -c 1000 >/dev/null; exit ${PIPESTATUS[0]}"#,
  ])
  func `50: a recording into a pipe ends with its reader`(command: String) async throws {
    let impostor = try Self.steady()
    let file = try TemporaryFile()
    let full = command.replacingOccurrences(of: "\"$@\"", with: "\"$@\" 127.0.0.1:\(impostor.port)")
    #expect(try await shell(full, file) == .init(status: .exited(0), output: "", errors: ""))
  }

  @Test func `50: a pipe that nobody reads is waited for until the timeout`() async throws {
    let impostor = try Self.steady()
    let file = try TemporaryFile()
    let result = try await shell(
      #"mkfifo $FILE; "$@" -t 1s --record $FILE 2>&1 | sed "s|$FILE|FILE|"; exit ${PIPESTATUS[0]}"#,
      file, "127.0.0.1:\(impostor.port)")
    #expect(
      result
        == .init(
          status: .exited(73), output: "locwatch: cannot write to FILE: nobody reads it\n",
          errors: ""))
  }

  @Test func `53: a file whose name is not UTF-8 is recorded to and replayed`() async throws {
    let impostor = try Self.steady()
    let file = try TemporaryFile()
    let address = "127.0.0.1:\(impostor.port)"
    for form in [" ", "="] {
      let result = try await shell(
        #"""
        mkdir $FILE; name=$FILE/$'\xff\xc3\xa9\xc3'; file=$name
        "$@" -n 2 --record\#(form)"$file" >$FILE/live && [ -s "$file" ] && set -- "$1" -n 2 &&
        "$@" --replay\#(form)"$file" | cmp - $FILE/live; status=$?; rm -r $FILE; exit $status
        """#, file, address)
      #expect(result == .init(status: .exited(0), output: "", errors: ""))
    }
    let none = try await shell(#""$@" --replay $'/nonexistent/\xe9t\xc3\xa9'"#, file)
    #expect(
      none
        == .init(
          status: .exited(66), output: "",
          errors: "locwatch: /nonexistent/\\xe9té: No such file or directory\n"))
  }

  @Test func `55: standard input is replayed from where it is`() async throws {
    let lines = Self.greeting + (0..<5).map { Reports.fix($0 * 10) }
    let file = try TemporaryFile(lines: lines)
    let rest = try TemporaryFile(lines: Array(lines.dropFirst(4)))
    let result = try await shell(
      #"{ for i in 1 2 3 4; do read -r line; done; "$@"; } <$FILE"#, file, "--json", "--replay", "-"
    )
    #expect(result == (try await Locwatch.run("--json", "--replay", rest.path)))
    #expect(try Transcript.records(in: result.output).count(where: \.isFix) == 3)
  }

  @Test(.needsNoThreadSanitizer)
  func `62: a file that may only be written is recorded to`() async throws {
    let impostor = try Self.steady()
    let file = try TemporaryFile(Array("\(Reports.version)\r\n".utf8))
    // Without these capabilities, root may do what others may.
    let drop = geteuid() == 0 ? "setpriv --bounding-set=-dac_override,-dac_read_search" : ""
    let result = try await shell(
      #"chmod 0222 $FILE; \#(drop) cat $FILE && exit 9; \#(drop) "$@" >/dev/null"#, file,
      "-n", "2", "--record", file.path, "127.0.0.1:\(impostor.port)")
    #expect(result.status == .exited(0))
    #expect(result.errors.hasSuffix(": Permission denied\n"))
    let replay = try await Locwatch.run("-n", "2", "--replay", file.path)
    #expect(replay.status == .exited(0))
  }
}
