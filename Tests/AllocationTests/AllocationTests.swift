import AllocationCounter
import LocationCore
import Synchronization
import TestSupport
import Testing

@testable import GPSDLocation
@testable import LocationFormats
@testable import LocwatchCLI
@testable import LocwatchSystem
@testable import LocwatchTerminal

/// What a report costs in memory, on its way from the bytes of a line to those of a record. Times
/// differ from machine to machine; how often memory is asked for does not.
@Suite(.enabled(if: allocations_of_this_thread() >= 0, "a sanitizer has malloc for itself"))
struct `Allocations of the steady path` {
  private static let seconds = 4000
  /// After this number of fixes, even the shortest format has filled the buffer for one write. The buffer
  /// grows until then.
  private static let secondsToSettle = 2000

  @Test(
    .enabled(
      if: isReleaseBuild,
      "only a release build has no frames of accessors: 'make test-release' runs it"),
    arguments: [LocationFormat.ndjson, .csv, .gpx])
  func `are at most two per report`(format: LocationFormat) async throws {
    var options = Options()
    options.format = format
    let log = Log(options)
    let sink = OutputSink(try Descriptor(appendingTo: "/dev/null"), waitsForReader: true)
    var sources = RunSources(
      output: SharedOutput(
        presenter: StreamPresenter(to: sink), recorder: nil),
      isTimed: options.isTimed
    ) { source, number in
      SourceParts(number, source.options, log: log)
    }
    // A local receiver's device is looked up once; this one has none, and would be looked up each second.
    let session = SteadySession(seconds: Self.seconds)
    let source = GPSDLocationSource(
      satellites: options.satellites, statistics: GPSDStatistics(), clock: session.clock,
      lookup: DeviceNode.elsewhere, makeSession: { session })
    let updates = source.updates(staleAfter: options.stale)
    sources.add(RunSource(options, updates: updates, clock: source.clock), as: 0)
    sources.begin(at: .start)
    var polled = PolledSources(hearing: Listener(at: source.clock.semaphore))
    polled.add(updates)
    try await follow(&polled, with: &sources, until: Self.secondsToSettle)
    let before = allocations_of_this_thread()
    try await follow(&polled, with: &sources, until: Self.seconds)
    let count = allocations_of_this_thread() - before
    #expect(sources.counts.fixes == Self.seconds)
    // A second has two: a fix, and a view of the sky.
    let reports = 2 * (Self.seconds - Self.secondsToSettle)
    #expect(count <= 2 * reports)
    polled.close()
  }

  /// Handles all available input, as a run of the command does, until `count` fixes were written.
  private func follow(
    _ polled: inout PolledSources, with sources: inout RunSources, until fixes: Int
  ) async throws {
    while sources.counts.fixes < fixes {
      guard let (news, moment) = polled.next() else {
        polled.gather(at: .start)
        // Only the connection has to be waited for.
        if !polled.areReady { await polled.listener.wait(until: nil) }
        continue
      }
      _ = try sources.handle(news, at: moment)
      if sources.output.status.isWorthFlushing { try sources.flush(at: moment) }
    }
  }

  @Test func `the counter counts`() {
    let before = allocations_of_this_thread()
    let arrays = (1...10).map { [UInt8](repeating: 1, count: $0 * 100) }
    #expect(allocations_of_this_thread() - before >= 10, "\(arrays.count)")
  }
}

extension Moment {
  fileprivate static let start = Moment(uptime: .zero)
}

/// A live gpsd that has said everything at once: a fix and a view of the sky for each second, which come together.
final class SteadySession: GPSDSession {
  private let lines: [GPSDLines]
  private let next = Mutex(0)

  init(seconds: Int) {
    lines = (0..<seconds).map { second in
      GPSDLines(
        bytes: Array("\(Self.tpv(second))\r\n\(Self.sky)\r\n".utf8)[...],
        received: .start.advanced(by: .seconds(second)))
    }
  }

  var clock: LocationClock { LocationClock(now: { .start }, sleepUntil: { _ in }) }

  func open(_ endpoint: GPSDEndpoint) {}

  func send(_ command: GPSDCommand) {}

  func poll(at now: Moment) -> Polled<GPSDLines> {
    next.withLock { next in
      guard next < lines.count else { return .ended }
      defer { next += 1 }
      return .received(lines[next])
    }
  }

  func wait() -> Wait { Wait() }

  func close() {}

  private static func tpv(_ second: Int) -> String {
    var time: [UInt8] = []
    Timestamp(secondsSince1970: 1_700_000_000 + Int64(second)).appendISO8601(to: &time)
    return #"{"class":"TPV","device":"/dev/ttyACM0","mode":3,"time":""#
      + String(decoding: time, as: UTF8.self)
      + #"","lat":48.118633333,"lon":11.517333333,"altHAE":592.3,"altMSL":545.4,"epx":14.1,"#
      + #""epy":20.3,"epv":48.3,"track":84.4,"speed":11.524,"climb":0.02,"eph":24.7}"#
  }

  private static let sky =
    #"{"class":"SKY","device":"/dev/ttyACM0","hdop":1.3,"vdop":2.1,"pdop":2.5,"satellites":["#
    + #"{"PRN":1,"el":45.0,"az":10.0,"ss":30.5,"used":true},"#
    + #"{"PRN":2,"el":5.0,"az":100.0,"ss":20.5,"used":false}]}"#
}
