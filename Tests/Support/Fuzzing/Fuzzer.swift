import GPSDLocation
import GPSDProtocol
import LocationCore

/// Drives mutated lines through all that a line of gpsd's goes through: framer, decoder, connection
/// or recording, state machines, renderers.
package struct Fuzzer {
  private let mutator: LineMutator

  /// What the rounds have done so far.
  package struct Summary: Equatable, Sendable {
    package var mutatedLines = 0
    package var malformedLines = 0
    package var neighbours = 0
    package var delivered = 0
    package var fixes = 0
    package var records = 0
    package var reconnects = 0

    package init() {}
  }

  /// - Parameter seeds: Lines of a gpsd, without their line ends.
  package init(seeds: [[UInt8]]) { mutator = LineMutator(seeds: seeds) }

  /// Does a round of its own, which is the same for the same seed. Every fourth one is a replay.
  ///
  /// - Parameter lines: How many lines to mutate.
  /// - Returns: What went wrong; `nil` where nothing did.
  package func round(
    seed: UInt64, lines: Int, into summary: inout Summary
  ) async throws -> String? {
    var stream = FuzzStream(mutator, seed: seed)
    let complaint: String?
    if seed % 4 == 3 {
      let recording = try FuzzRecording(&stream, lines: lines)
      let session = try recording.session()
      complaint = try await follow(
        session, by: session.clock, seed, stream.neighbours, into: &summary)
    } else {
      let session = FuzzSession(stream, lines: lines, seed: seed)
      complaint = try await follow(session, by: session.clock, seed, nil, into: &summary)
      stream = session.stream
    }
    summary.mutatedLines += stream.mutatedLines
    summary.neighbours += stream.neighbours
    let lines = String(decoding: stream.lastBatch, as: UTF8.self)
    return complaint.map { "seed \(seed): \($0), after or before\n\(lines)" }
  }

  private func follow(
    _ session: some GPSDSession, by clock: LocationClock, _ seed: UInt64, _ neighbours: Int?,
    into summary: inout Summary
  ) async throws -> String? {
    let stale: Duration? = seed.isMultiple(of: 2) ? .seconds(2) : nil
    let device = seed.isMultiple(of: 5) ? FuzzStream.neighbour : nil
    let statistics = GPSDStatistics()
    let source = GPSDLocationSource(
      device: device, kinds: [.att, .gst, .pps, ServiceReport.Kind(rawValue: "AIS")],
      statistics: statistics, clock: clock, makeSession: { session })
    var updates = source.updates(staleAfter: stale, retries: .repeatable(seed: seed))
      .makeAsyncIterator()
    var check = try UpdateCheck(stale: stale)
    var now = clock.now
    var complaint: String?
    reading: while complaint == nil {
      // A recording can be silent for years.
      let deadline = session.isLive ? now.advanced(by: .milliseconds(200)) : nil
      switch try await updates.next(until: deadline) {
      case .value(let update, let moment):
        now = max(now, moment)
        complaint = check.complaint(about: update, at: moment)
      case .timedOut(let moment): now = moment
      case .ended: break reading
      }
    }
    updates.close()
    summary.fixes += check.fixes
    summary.delivered += check.delivered
    summary.records += check.records
    summary.reconnects += statistics.counts.connections - 1
    summary.malformedLines += statistics.counts.badLines
    let expected = neighbours ?? (session as? FuzzSession)?.stream.neighbours
    return complaint ?? check.complaintAboutEnd(expected: expected ?? 0)
  }
}
