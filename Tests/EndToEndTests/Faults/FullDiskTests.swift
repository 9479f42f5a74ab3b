import DaemonHarness
import Foundation
import Glibc
import Testing

/// Fault 38: there is no more room, for good or for a moment, at any byte.
@Suite(.serialized, .needsNoThreadSanitizer, .timeLimit(.minutes(10)))
struct `On a full disk` {
  /// A format, and how its records look.
  struct Format: CustomTestStringConvertible, Sendable {
    let arguments: [String]
    /// What is written once, before the first record.
    var head = ""
    /// How each record ends.
    var recordEnd = "\n"
    /// What closes the document.
    var trailer = ""
    /// How an empty document is closed.
    var emptyTrailer = ""

    var testDescription: String { arguments.last ?? "" }

    static let all = [
      Format(arguments: ["--json"]), Format(arguments: ["-f", "text"]),
      Format(arguments: ["-f", "csv"], recordEnd: "\r\n"),
      Format(arguments: ["-f", #"%time\n%lat %lon\n."#], recordEnd: "\n.\n"), gpx, geojson,
    ]

    static let gpx = Format(
      arguments: ["-f", "gpx"],
      head: """
        <?xml version="1.0" encoding="UTF-8"?>
        <gpx version="1.1" creator="locwatch" xmlns="http://www.topografix.com/GPX/1/1" \
        xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v2" \
        xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" \
        xsi:schemaLocation="http://www.topografix.com/GPX/1/1 \
        http://www.topografix.com/GPX/1/1/gpx.xsd \
        http://www.garmin.com/xmlschemas/TrackPointExtension/v2 \
        https://www8.garmin.com/xmlschemas/TrackPointExtensionv2.xsd">

        """,
      recordEnd: "</trkpt>\n", trailer: "</trkseg>\n</trk>\n</gpx>\n", emptyTrailer: "</gpx>\n")
    static let geojson = Format(
      arguments: ["-f", "geojson"], head: #"{"type":"FeatureCollection","features":["#,
      recordEnd: "}}", trailer: "\n]}\n", emptyTrailer: "\n]}\n")

    /// Returns what is left of an output without its trailer; `nil` if it is not closed.
    func records(of output: String) -> String? {
      if output.isEmpty { return "" }
      if output == head + emptyTrailer { return head }
      guard output.hasSuffix(trailer) else { return nil }
      let records = String(output.dropLast(trailer.count))
      return records == head || records.hasSuffix(recordEnd) ? records : nil
    }
  }

  private static func recording(of count: Int) -> [String] {
    // Records of many lengths, and a loss that begins another segment.
    [Reports.version, Reports.devices]
      + (0..<count).map { index in
        index % 50 == 7
          ? Reports.noFix(index) : Reports.fix(index, altMSL: "\(Double(index * index) / 8)")
      }
  }

  /// Runs a shell's command, in which `$@` is the run that writes to `$FILE`.
  private func run(
    _ command: String, _ arguments: [String], to file: TemporaryFile
  ) async throws -> Locwatch.Result {
    // AddressSanitizer cannot look for leaks while strace traces.
    let shell = try ChildProcess(
      "bash", ["-c", command, "-", Locwatch.program] + arguments,
      environment: ["FILE": file.path, "ASAN_OPTIONS": "detect_leaks=0"])
    let status = try await shell.waitForExit()
    return Locwatch.Result(status: status, output: file.text, errors: shell.errors.text)
  }

  /// Checks that a file has the whole records from the beginning of a complete output.
  ///
  /// - Returns: The size of the records.
  @discardableResult
  private func check(
    _ file: String, _ format: Format, against complete: String, _ fault: String
  ) throws -> Int {
    let records = try #require(format.records(of: file), "\(fault): \(file.suffix(200))")
    #expect(complete.hasPrefix(records), "\(fault): \(file.suffix(200))")
    return records.utf8.count
  }

  @Test(arguments: Format.all, [">", ">>"])
  func `38: output ends at the last whole record for which there is room`(
    format: Format, redirection: String
  ) async throws {
    let recording = try TemporaryFile(lines: Self.recording(of: 20))
    let arguments = format.arguments + ["--replay", recording.path]
    let complete = try await Locwatch.run(arguments).output
    let size = complete.utf8.count
    let longest = max(420, format.head.utf8.count)
    for limit in stride(from: 300, to: min(size, 3000), by: 149) {
      let file = try TemporaryFile()
      let result = try await run(
        "prlimit --fsize=\(limit) \"$@\" \(redirection)$FILE", arguments, to: file)
      #expect(result.status == .exited(74))
      #expect(
        result.errors == "locwatch: cannot write to standard output: File too large\n")
      let kept = try check(file.text, format, against: complete, "\(limit)")
      #expect(kept > limit - longest - format.trailer.utf8.count && kept <= limit)
    }
  }

  @Test(.needsStrace, arguments: Format.all, ["ENOSPC", "EIO"])
  func `38: nothing is written after an error that passes`(
    format: Format, error: String
  ) async throws {
    let recording = try TemporaryFile(lines: Self.recording(of: 1500))
    let arguments = format.arguments + ["--replay", recording.path]
    let complete = try await Locwatch.run(arguments).output
    for redirection in [">", ">>"] {
      for call in 1...3 {
        let file = try TemporaryFile()
        let result = try await run(
          "strace -f -o /dev/null -P $FILE -e inject=write,pwrite64:error=\(error):when=\(call)"
            + " \"$@\" \(redirection)$FILE", arguments, to: file)
        let fault = "\(error) \(redirection) \(call)"
        // Short records need fewer calls.
        guard result.status != .exited(0) else {
          #expect(file.text == complete)
          continue
        }
        #expect(result.status == .exited(74), "\(fault)")
        let kept = try check(file.text, format, against: complete, fault)
        #expect(call == 1 || kept > 16 * 1024, "\(fault)")
      }
    }
  }

  @Test(.needsMounts, arguments: Format.all, [">", ">>"])
  func `38: a file system without room`(format: Format, redirection: String) async throws {
    let recording = try TemporaryFile(lines: Self.recording(of: 1500))
    let arguments = format.arguments + ["--replay", recording.path]
    let complete = try await Locwatch.run(arguments).output
    let file = try TemporaryFile()
    let folder = try TemporaryFile()
    let result = try await run(
      """
      mkdir \(folder.path) && exec unshare -m bash -c '
      mount -t tmpfs -o size=32k none \(folder.path); "$@" \(redirection)\(folder.path)/file
      status=$?; cp \(folder.path)/file $FILE; exit $status' - "$@"
      """, arguments, to: file)
    #expect(result.status == .exited(74))
    #expect(
      result.errors == "locwatch: cannot write to standard output: No space left on device\n")
    let kept = try check(file.text, format, against: complete, redirection)
    #expect(kept > 32 * 1024 - 500)
  }

  @Test(.needsMounts)
  func `90: metrics for whose end there is no room are removed`() async throws {
    let gate = Gate()
    let impostor = try Impostor([
      .sendLines(Reports.version, Reports.devices, Reports.fix(0)), .wait(gate),
      .sendLines(Reports.noFix(10)), .hold,
    ])
    let folder = try TemporaryFile()
    let shell = try ChildProcess(
      "unshare",
      [
        "-m", "bash", "-c",
        """
        mkdir $FOLDER && mount -t tmpfs -o size=64k none $FOLDER && cd $FOLDER || exit
        "$@" & locwatch=$!
        until grep -q ^locwatch_latitude a.prom 2>/dev/null; do sleep 0.05; done
        cat /dev/zero >other 2>/dev/null; echo full
        wait $locwatch; echo status $?; echo *
        """, "-", Locwatch.program, "-f", "prometheus", "-o", "a.prom",
        "127.0.0.1:\(impostor.port)",
      ], environment: ["FOLDER": folder.path])
    _ = try await shell.output.waitForLine(containing: "full")
    gate.open()
    #expect(try await shell.waitForExit() == .exited(0))
    #expect(shell.output.text == "full\nstatus 74\nother\n")
    #expect(shell.errors.text == "locwatch: cannot write to a.prom: No space left on device\n")
  }

  @Test func `38: live output and the recording beside it`() async throws {
    let lines = Self.recording(of: 400)
    let impostor = try Impostor([.send(lines.map { "\($0)\r\n" }.joined()), .hold])
    for limit in [2000, 5000, 9001] {
      let output = try TemporaryFile()
      let recording = try TemporaryFile()
      let result = try await run(
        "prlimit --fsize=\(limit) \"$@\" >$FILE",
        ["--json", "--record", recording.path, "127.0.0.1:\(impostor.port)"], to: output)
      #expect(result.status == .exited(74))
      for file in [output, recording] {
        #expect(file.text.hasSuffix("}\n") || file.text.hasSuffix("}\r\n"))
        #expect(file.bytes.count <= limit)
        for line in file.text.split(whereSeparator: \.isNewline) {
          #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(line.utf8)) }
        }
      }
    }
  }

  @Test(.needsStrace, arguments: ["ENOSPC", "EIO"])
  func `38: a recording ends at the last whole line`(error: String) async throws {
    let block = (0..<50).map { "\(Reports.fix($0))\r\n" }.joined()
    for call in 1...3 {
      let impostor = try Impostor([.generate { _ in Array(block.utf8) }])
      let file = try TemporaryFile()
      let result = try await run(
        "strace -f -o /dev/null -P $FILE -e inject=write:error=\(error):when=\(call) \"$@\"",
        ["--json", "--record", file.path, "127.0.0.1:\(impostor.port)"], to: file)
      #expect(result.status == .exited(74))
      #expect(file.bytes.isEmpty == (call == 1))
      #expect(file.bytes.isEmpty || file.text.hasSuffix("}\r\n"))
    }
  }
}
