import AllocationCounter
import LocationCore
import Testing

@testable import GPSDLocation
@testable import LocwatchCLI

/// What a report costs in memory, on its way from the bytes of a line to those of a record. Times
/// differ from machine to machine; how often memory is asked for does not.
@Suite(.enabled(if: allocations_of_this_thread() >= 0, "a sanitizer has malloc for itself"))
struct `Allocations of the steady path` {
  private static let seconds = 4000
  /// So many fixes of the shortest format fill what is written at once, which grows until then.
  private static let secondsToSettle = 2000

  @Test(
    .enabled(
      if: isOptimized,
      "without the optimiser each accessor asks for its frame: 'make test-release' runs it"),
    arguments: [OutputFormat.json, .csv(CSVRenderer.defaultColumns), .gpx, .geo])
  func `are none`(format: OutputFormat) async throws {
    var options = Options()
    options.format = format
    let sink = OutputSink(try Descriptor(appendingTo: "/dev/null"), waitsForReader: true)
    var follower = Follower(
      output: options.makeRenderer().presented(on: sink, stale: nil), options: options,
      recorder: nil, log: Log(options))
    // A receiver of this machine is looked for once; this one has no device here, and would be each second.
    let source = GPSDLocationSource(
      satellites: options.satellites, tally: GPSDTally(), lookup: DeviceNode.elsewhere,
      session: SteadySession(seconds: Self.seconds))
    var updates = LocationWatcher(source, stale: options.stale).makeAsyncIterator()
    follower.begin(at: .start)
    // Connects; all that follows the first fix is there without a wait.
    while follower.counts.fixes == 0,
      case .update(let update, let moment) = try await updates.next(until: nil)
    {
      _ = try follower.take(update, at: moment)
    }
    try follow(&updates, with: &follower, until: Self.secondsToSettle)
    let before = allocations_of_this_thread()
    try follow(&updates, with: &follower, until: Self.seconds)
    let count = allocations_of_this_thread() - before
    #expect(follower.counts.fixes == Self.seconds)
    #expect(count == 0)
    await updates.close()
  }

  /// Follows what is there, as the run of the command does, until so many fixes were written.
  private func follow(
    _ updates: inout LocationUpdateIterator, with follower: inout Follower, until fixes: Int
  ) throws {
    while follower.counts.fixes < fixes,
      case .update(let update, let moment) = updates.nextBuffered(until: follower.deadline)
    {
      _ = try follower.take(update, at: moment)
      try follower.flushIfWorthwhile(at: moment)
    }
  }

  @Test func `the counter counts`() {
    let before = allocations_of_this_thread()
    let arrays = (1...10).map { [UInt8](repeating: 1, count: $0 * 100) }
    #expect(allocations_of_this_thread() - before >= 10, "\(arrays.count)")
  }
}

private var isOptimized: Bool {
  #if DEBUG
    false
  #else
    true
  #endif
}
