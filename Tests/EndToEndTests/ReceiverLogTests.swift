import DaemonHarness
import Foundation
import Glibc
import ReceiverRecordings
import SimulatedReceiver
import Testing

/// What real receivers sent, through a real gpsd: locwatch beside gpspipe.
/// Fault 27.
@Suite(
  .serialized, .needsGPSD, .enabled(if: Recordings.folder != nil, "\(Recordings.whySkipped)"),
  .timeLimit(.minutes(3)))
struct `From a real receiver's log` {
  @Test(arguments: ReceiverLog.handful)
  func `locwatch shows what gpspipe shows, one fix an epoch`(log: ReceiverLog) async throws {
    #expect(try await compare(log) > 0)
  }

  @Test(.takesLong, arguments: ReceiverLog.all)
  func `locwatch shows what gpspipe shows, one fix an epoch, of all`(
    log: ReceiverLog
  ) async throws {
    _ = try await compare(log)
  }

  /// Returns how many reports there were.
  private func compare(_ log: ReceiverLog) async throws -> Int {
    let terminal = try PseudoTerminal()
    let gpsd = try await GPSDProcess.start([terminal.path])
    let address = "127.0.0.1:\(gpsd.port)"
    let recording = try TemporaryFile()
    let gpspipe = try ChildProcess("gpspipe", ["-w", address])
    // A pipe to a busy machine's reader would make locwatch pause, and gpsd drop what has no room.
    let output = try TemporaryFile([])
    let locwatch = try Locwatch.start(
      ["--json", "--no-events", "--no-reconnect", "--record", recording.path, address],
      output: .file(output.path))
    try await waitUntil("watching") {
      gpspipe.output.text.contains(#""class":"WATCH""#)
        && recording.text.contains(#""class":"WATCH""#) && terminal.isOpen
    }
    for chunk in try log.chunks() {
      try await waitUntil("room for more") { terminal.write(chunk, patience: .seconds(5)) }
    }
    try await waitUntilQuiet(gpspipe.output)
    try await gpsd.terminate()
    #expect(try await gpspipe.waitForExit() == .exited(0))
    #expect(try await locwatch.waitForExit() == .exited(69))

    let shown = gpspipe.output.lines.filter(isOfReceiver)
    let recorded = recording.text.split(separator: "\r\n").flatMap { $0.split(separator: "\n") }
    #expect(recorded.map(String.init).filter(isOfReceiver) == shown)
    let expected = try Epochs(reports: shown.filter { $0.contains(#""class":"TPV""#) })
    let fixes = try Transcript.records(in: output.text).filter(\.isFix)
    #expect(fixes.count { $0.time == nil } == expected.untimed)
    #expect(fixes.compactMap(\.time).sorted() == expected.places.keys.sorted())
    for fix in fixes {
      guard let time = fix.time else { continue }
      #expect(expected.places[time]?.contains([fix.lat, fix.lon]) == true, "\(time)")
    }
    return shown.count
  }

  /// Waits until no line has come for half a second.
  private func waitUntilQuiet(_ output: CollectedOutput) async throws {
    var (seen, since) = (0, ContinuousClock.now)
    try await waitUntil("end of the reports", timeout: .seconds(30)) {
      let count = output.lines.count
      if count != seen { (seen, since) = (count, .now) }
      return ContinuousClock.now - since > .milliseconds(500)
    }
  }

  /// What does not depend on when a client came.
  private func isOfReceiver(_ line: String) -> Bool {
    !["LOCWATCH", "LOCWATCH_LINK", "VERSION", "DEVICES", "DEVICE", "WATCH"].contains {
      line.hasPrefix(#"{"class":"\#($0)""#)
    }
  }
}

/// The positions that reports have, by their time. Those before the first with a time give way to it, unless a report
/// without a position or the end of the reports comes before.
private struct Epochs {
  private(set) var places: [String: [[Double?]]] = [:]
  private(set) var untimed = 0

  private struct Report: Decodable {
    var mode: Int?
    var time: String?
    var lat: Double?
    var lon: Double?
  }

  init(reports: [String]) throws {
    var (isHeld, awaitsTime) = (false, true)
    for line in reports {
      let report = try JSONDecoder().decode(Report.self, from: Data(line.utf8))
      guard let mode = report.mode, mode >= 2, let lat = report.lat, let lon = report.lon else {
        if isHeld { (untimed, isHeld, awaitsTime) = (untimed + 1, false, false) }
        continue
      }
      if let time = report.time {
        places[time, default: []].append([lat, lon])
        (isHeld, awaitsTime) = (false, false)
      } else if awaitsTime {
        isHeld = true
      } else {
        untimed += 1
      }
    }
    if isHeld { untimed += 1 }
  }
}
