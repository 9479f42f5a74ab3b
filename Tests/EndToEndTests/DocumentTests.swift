import DaemonHarness
import Foundation
import SimulatedReceiver
import Testing

/// GPX and GeoJSON in a file: whole documents, whenever and however the writer ends.
/// Fault 28.
@Suite(.serialized, .needsGPSD, .needsPython, .timeLimit(.minutes(5)))
final class `A document that locwatch writes to a file` {
  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("locwatch-documents-\(UUID().uuidString)")

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  @Test(arguments: ["gpx", "geojson"])
  func `is complete after kill -9 at any moment`(format: String) async throws {
    let site = try await Site(.standing)
    for kill in 0..<12 {
      let file = folder.appendingPathComponent("\(kill).\(format)")
      let writer = try start("--format", format, site.address, to: file)
      // From the first byte, through half a record, to some records on.
      try await waitUntil("\(kill * 97) bytes") { size(of: file) > kill * 97 }
      writer.signal(SIGKILL)
      #expect(try await writer.waitForExit() == .signalled(SIGKILL))
      _ = try await Track.read(file)
    }
  }

  @Test(arguments: ["gpx", "geojson"], [SIGINT, SIGTERM, SIGHUP])
  func `has every fix when a signal ends it`(format: String, signal: Int32) async throws {
    let site = try await Site(.quick(Phase(1, .threeDimensional), route: .driving))
    let file = folder.appendingPathComponent("track.\(format)")
    let records = try Locwatch.start("--json", "--no-events", site.address)
    var transcript = Transcript(of: records)
    try await transcript.fix()
    let writer = try start("--format", format, site.address, to: file)
    try await waitUntil("five fixes") {
      size(of: file) > 5 * 400
    }
    writer.signal(signal)
    #expect(try await writer.waitForExit() == .exited(128 + signal))
    let track = try await Track.read(file)
    let first = try #require(track.time.first ?? nil)
    let last = try #require(track.time.last ?? nil)
    try await transcript.next { $0.time ?? "" >= last }
    let fixes = try records.output.records().filter { (first...last).contains($0.time ?? "") }
    #expect(track.time == fixes.map(\.time))
    #expect(track.latitude == fixes.map(\.lat))
    #expect(track.longitude == fixes.map(\.lon))
    #expect(track.height == fixes.map { format == "gpx" ? $0.altMSL : $0.altHAE })
  }

  @Test(arguments: ["gpx", "geojson"])
  func `is complete when gpsd goes away for good`(format: String) async throws {
    let site = try await Site()
    let file = folder.appendingPathComponent("gone.\(format)")
    let writer = try start("--no-reconnect", "--format", format, site.address, to: file)
    try await waitUntil("a fix") { size(of: file) > 700 }
    site.gpsd.signal(SIGKILL)
    #expect(try await writer.waitForExit() == .exited(69))
    #expect(try await Track.read(file).time.isEmpty == false)
  }

  @Test(arguments: ["gpx", "geojson"])
  func `is closed at its end if it cannot be closed sooner`(format: String) async throws {
    let site = try await Site()
    let file = folder.appendingPathComponent("track.\(format)")
    let recording = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Fixtures/drive.jsonl").standardizedFileURL.path
    // A fix that a busy machine brings late is written, but does not count. A recording has none.
    for (source, counts) in [(site.address, 3...Int.max), ("--replay '\(recording)'", 3...3)] {
      let command = "'\(Locwatch.program)' --format \(format) -n 3 \(source)"
      for redirection in [">>", "| cat >"] {
        try? FileManager.default.removeItem(at: file)
        let shell = try ChildProcess("sh", ["-c", "\(command) \(redirection)'\(file.path)'"])
        #expect(try await shell.waitForExit() == .exited(0))
        #expect(counts.contains(try await Track.read(file).time.count))
      }
    }
  }

  @Test func `leaves the shell's file position at its end`() async throws {
    let site = try await Site()
    let file = folder.appendingPathComponent("group")
    let command = "'\(Locwatch.program)' --format gpx -n 2 \(site.address)"
    let shell = try ChildProcess("sh", ["-c", "{ \(command); echo end; } >'\(file.path)'"])
    #expect(try await shell.waitForExit() == .exited(0))
    #expect(try String(contentsOf: file, encoding: .utf8).hasSuffix("</gpx>\nend\n"))
  }

  @Test(.needsNoThreadSanitizer, arguments: ["gpx", "geojson"])
  func `stays as it was if the disk is full`(format: String) async throws {
    let site = try await Site()
    let file = folder.appendingPathComponent("full.\(format)")
    let command = "'\(Locwatch.program)' --format \(format) \(site.address)"
    // POSIX counts in blocks of 512 bytes.
    let shell = try ChildProcess("sh", ["-c", "ulimit -f 4; \(command) >'\(file.path)'"])
    #expect(try await shell.waitForExit() == .exited(74))
    #expect(
      shell.errors.text == "locwatch: cannot write to standard output: File too large\n")
    #expect(try await Track.read(file).time.isEmpty == false)
  }

  private func start(_ arguments: String..., to file: URL) throws -> ChildProcess {
    try Locwatch.start(arguments, output: .file(file.path))
  }
}

/// How many bytes a file has; 0 where there is none.
private func size(of file: URL) -> Int {
  (try? FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int) ?? 0
}
