import DaemonHarness
import Foundation
import Glibc
import Testing

/// Fault 61: kill -9 while as much is written as can be.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct `Killed at a random moment` {
  @Test func `61: a recording is a prefix of what gpsd sent`() async throws {
    try await killRecorders(20)
  }

  @Test(.takesLong) func `61: a recording, 200 times`() async throws {
    try await killRecorders(200)
  }

  @Test(arguments: [DocumentFormat.gpx, .geojson])
  func `61: a document lacks at most the write that was cut`(format: DocumentFormat) async throws {
    try await killWriters(20, format)
  }

  @Test(.takesLong, arguments: [DocumentFormat.gpx, .geojson])
  func `61: a document, 200 times`(format: DocumentFormat) async throws {
    try await killWriters(200, format)
  }

  private func killRecorders(_ count: Int) async throws {
    let impostor = try Impostor([.generate { Array("\(Reports.fix($0))\r\n".utf8) }])
    for _ in 0..<count {
      let file = try TemporaryFile()
      let locwatch = try Locwatch.start(
        ["--json", "--record", file.path, "127.0.0.1:\(impostor.port)"], output: .file("/dev/null"))
      let size = Int.random(in: 0..<500_000)
      try await waitUntil("\(size) bytes") { file.size > size }
      locwatch.signal(SIGKILL)
      _ = try await locwatch.waitForExit()
      let lines = file.text.components(separatedBy: "\r\n").filter {
        !$0.hasPrefix(#"{"class":"LOCWATCH""#)
      }
      for (index, line) in lines.dropLast().enumerated() {
        guard line != Reports.fix(index) else { continue }
        Issue.record("line \(index) of \(lines.count): \(line)")
        return
      }
      // The last line may be cut, or be a time stamp that is.
      let last = lines.last ?? ""
      #expect(Reports.fix(lines.count - 1).hasPrefix(last))
    }
  }

  private func killWriters(_ count: Int, _ format: DocumentFormat) async throws {
    let reports = [Reports.version, Reports.devices] + (0..<5000).map { Reports.fix($0) }
    let recording = try TemporaryFile(lines: reports)
    let arguments = ["-f", format.rawValue, "--replay", recording.path]
    let complete = Array(try await Locwatch.run(arguments).output.utf8)
    for _ in 0..<count {
      let file = try TemporaryFile()
      let locwatch = try Locwatch.start(arguments, output: .file(file.path))
      let size = Int.random(in: 0..<complete.count * 3 / 4)
      try await waitUntil("\(size) bytes") { file.size > size || locwatch.status != nil }
      locwatch.signal(SIGKILL)
      _ = try await locwatch.waitForExit()
      let bytes = file.bytes
      // Mended as the manual says, it has the fixes from the first one on.
      let mended = format.closed(bytes)
      guard mended.ends(with: format.trailer) else { continue }
      #expect(complete.starts(with: mended.dropLast(format.trailer.utf8.count)))
      #expect(bytes.count - mended.count < 40_000)
    }
  }

  enum DocumentFormat: String, Sendable {
    case gpx, geojson

    var trailer: String { self == .gpx ? "</trkseg>\n</trk>\n</gpx>\n" : "\n]}\n" }
    private var recordEnd: String { self == .gpx ? "</trkpt>\n" : "}}" }

    /// Returns the bytes up to the last record, with the trailer after it.
    func closed(_ bytes: [UInt8]) -> [UInt8] {
      let data = Data(bytes)
      guard let end = data.range(of: Data(recordEnd.utf8), options: .backwards) else {
        return bytes
      }
      return Array(data[..<end.upperBound] + Data(trailer.utf8))
    }
  }
}

extension [UInt8] {
  fileprivate func ends(with text: String) -> Bool {
    suffix(text.utf8.count).elementsEqual(text.utf8)
  }
}
