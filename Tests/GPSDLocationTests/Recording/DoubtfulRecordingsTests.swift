import Foundation
import GPSDLocation
import LocationCore
import ReceiverRecordings
import Testing

/// The recordings of real receivers, and what is doubted in them. A doubt that is wrong is worse than none,
/// so each one is in the table, with what it is.
///
/// Fault 133.
@Suite(
  .enabled(if: Recordings.folder != nil, "\(Recordings.whySkipped)"), .timeLimit(.minutes(5)))
struct `Doubts of real receivers` {
  /// Returns the changes of the doubts in a recording, without repetitions.
  private func doubts(in file: URL, listed isListed: Bool) async throws -> [String] {
    let lines = try Recordings.lines(of: file).map {
      String(decoding: $0, as: UTF8.self).trimmingCharacters(in: .newlines)
    }
    let session = RecordedSession(lines: lines)
    // As the command reads them, which lists satellites only if they are to be shown.
    let source = GPSDLocationSource(
      replaying: session, kinds: [], satellites: isListed, statistics: nil)
    var updates = source.updates(retries: .never).makeAsyncIterator()
    var machines: [String: DoubtMachine] = [:]
    var told: [String] = []
    while case .value(let update, let moment) = try await updates.next(until: nil) {
      switch update {
      case .fix(let fix):
        let device = fix.device ?? ""
        let previous = machines[device, default: DoubtMachine()].doubts
        guard machines[device, default: DoubtMachine()].handle(fix, at: moment),
          let machine = machines[device]
        else { continue }
        let new = machine.doubts.subtracting(previous)
        guard !new.isEmpty else { continue }
        let detail = machine.detail(of: new).map { ": \($0)" } ?? ""
        let line = new.doubts.map(\.rawValue).joined(separator: ",") + detail
        if !told.contains(line) { told.append(line) }
      case .event(.sky(let sky)):
        machines[sky.device ?? "", default: DoubtMachine()].handle(sky, at: moment)
      default: break
      }
    }
    return told
  }

  /// What is doubted in each recording, from which release of gpsd on.
  private static let listed: [String: (doubt: String, since: String)] = [
    // Their simulators are on, as gpsd's status says.
    "GPSmap-76S": ("simulated", "3.22"),
    "garmin-geko201": ("simulated", "3.22"),
    // They hold a surveyed position and compute the time. gpsd did not always report that.
    "oncore-binary-pos-hold": ("stored", "3.22"),
    "trimble-res720": ("stored", "3.25"),
    "trimble-res720-dr": ("stored", "3.27"),
    "trimble-ressmt360-dr": ("stored", "3.27"),
    "trimble-smt-360": ("stored", "3.27"),
    "trimble-smtx": ("stored", "3.22"),
    "trimble-smtx-dr": ("stored", "3.27"),
    "u-blox-m8t-time": ("stored", "3.25"),
    "ublox-lea-m8f": ("stored", "3.27"),
    "ublox-neo-m8t-s": ("stored", "3.22"),
    "ublox-zed-f9t-rtcm3": ("stored", "3.22"),
    // Two logs in one file: the second begins 52 minutes before the first, and 1.9 km away.
    "bt451": ("jump: 1.9 km in 0 s", "3.27"),
  ]

  @Test(arguments: [true, false])
  func `are those that are listed, with and without a list of satellites`(
    isListed: Bool
  ) async throws {
    var found: [String: [String]] = [:]
    for file in Recordings.files {
      let name = file.deletingPathExtension().lastPathComponent
      for line in try await doubts(in: file, listed: isListed) {
        // gpsd 3.22 completes the speed of an epoch.
        let line = String(line.prefix { $0 != "," })
        if found[name]?.contains(line) != true { found[name, default: []].append(line) }
      }
    }
    let release = try Recordings.release
    let expected = Self.listed.filter {
      release.compare($0.value.since, options: .numeric) != .orderedAscending
    }
    #expect(found == expected.mapValues { [$0.doubt] })
  }
}
