import Foundation
import GPSDLocation
import LocationCore
import LocationTestKit
import ReceiverRecordings
import Testing

/// Replays of real receivers, through everything that a provider does.
/// Fault 88.
@Suite(
  .timeLimit(.minutes(5)),
  .enabled(if: Recordings.folder != nil, "\(Recordings.whySkipped)"))
struct `Recordings of real receivers` {
  private func events(
    _ source: some LocationProvider
  ) async throws -> [LocationEvent] {
    var events: [LocationEvent] = []
    var iterator = source.events().makeAsyncIterator()
    while let event = try await iterator.next(isolation: #isolation) { events.append(event) }
    return events
  }

  @Test(
    .disabled(
      if: ProcessInfo.processInfo.environment["LOCWATCH_SANITIZER"] == "thread",
      "with ThreadSanitizer, decoding 64 KB takes longer than a cancelled wait may"))
  func `keep the provider contract`() async throws {
    for file in Recordings.files(every: 3) {
      let source = try GPSDLocationSource.recorded(contentsOf: file.path)
      // Without receive times, the times of the reports are ahead of the recording's clock, and all reports
      // before the first time came together: 64 KB are read at once.
      let found = await source.contractViolations(
        reporting: try await events(source), excusing: [.momentsOfArrival])
      #expect(found == [], "\(file.lastPathComponent)")
    }
  }

  @Test func `write no epoch of a receiver twice`() async throws {
    for file in Recordings.files(every: 1) {
      let source = try GPSDLocationSource.recorded(contentsOf: file.path)
      var recent: [String?: [Timestamp]] = [:]
      for try await update in source.updates(retries: .never) {
        guard case .fix(let fix) = update, let time = fix.time else { continue }
        let before = recent[fix.device, default: []]
        #expect(!before.contains(time), "\(file.lastPathComponent) \(fix)")
        recent[fix.device] = before.suffix(63) + [time]
      }
    }
  }

  @Test func `take no longer than their receivers were recorded`() async throws {
    for file in Recordings.files(every: 1) {
      let session = try RecordedSession(contentsOf: file.path)
      var updates = GPSDLocationSource(replaying: session).updates(retries: .never)
        .makeAsyncIterator()
      var last = Moment(uptime: .zero)
      while case .value(_, let moment) = try await updates.next(until: nil) { last = moment }
      // The longest has gaps of 20 minutes.
      #expect(last.uptime < .seconds(1800), "\(file.lastPathComponent)")
    }
  }

  @Test func `give the same updates fast and paced`() async throws {
    for file in Recordings.files(every: 8) {
      var reads: [[TimedRead<LocationUpdate>]] = []
      for pace in [RecordedSession.Pace.asFastAsPossible, .recorded(speed: 1e9)] {
        let session = try RecordedSession(contentsOf: file.path, pace: pace)
        var updates = GPSDLocationSource(replaying: session).updates(retries: .never)
          .makeAsyncIterator()
        var told: [TimedRead<LocationUpdate>] = []
        repeat { told.append(try await updates.next(until: nil)) } while told.last != .ended
        reads.append(told)
      }
      #expect(reads[0] == reads[1], "\(file.lastPathComponent)")
    }
  }
}
