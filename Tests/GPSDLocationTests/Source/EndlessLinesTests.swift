import GPSDLocation
import LocationCore
import LocationTestKit
import Synchronization
import Testing

/// Lines that say nothing about places, without end: no wait may last as long.
@Suite(.timeLimit(.minutes(5))) struct `Endless lines that say nothing` {
  @Test(arguments: [
    "noise", #"{"class":"NEW"}"#, #"{"class":"GST","rms":2.4}"#,
    #"{"class":"WATCH","enable":true}"#,
  ])
  func `end at the deadline of a caller that waits for other lines`(line: String) async throws {
    var connection = EndlessSession(line).source().connection()
    _ = try await connection.next(until: nil)
    #expect(try await connection.next(until: .at(60)) == .timedOut(at: .at(60)))
    #expect(try await connection.next(until: .at(61)) == .timedOut(at: .at(61)))
  }

  /// Fault 48.
  @Test(arguments: ["", "   ", "\t"])
  func `are neither an answer nor a sign of life`(line: String) async throws {
    var stranger = EndlessSession(line, isGPSD: false).source().connection()
    await #expect(
      throws: LocationError(.silent, "no answer from gpsd within 15.0 seconds")
    ) { try await stranger.next(until: nil) }
    var connection = EndlessSession(line).source().connection()
    _ = try await connection.next(until: nil)
    await #expect(throws: LocationError(.silent, "gpsd has been silent for 20.0 seconds")) {
      try await connection.next(until: nil)
    }
  }

  @Test func `end soon for a caller that does not wait`() async throws {
    var connection = EndlessSession("noise").source().connection()
    _ = try await connection.next(until: nil)
    #expect(try await connection.next(until: .past) == .timedOut(at: .at(0.02)))
  }

  @Test func `leave no fix current`() async throws {
    let session = EndlessSession("noise", before: [Lines.tpv(1), Lines.tpv(2)])
    var updates = session.source().updates().makeAsyncIterator()
    while case .value(let update, let moment) = try await updates.next(until: .at(60)) {
      guard case .state(let change) = update, change.state == .lost else { continue }
      #expect(change.loss == .silence)
      #expect(moment == .at(5.03))
      return
    }
    Issue.record("it was never lost")
  }

  @Test(arguments: [("SKY", "satellites", 16), ("DEVICES", "devices", 6)])
  func `do not prevent the count of what was left out`(
    name: String, member: String, dropped: Int
  ) async throws {
    // Satellites without a number, and devices beyond 64.
    let elements =
      (1...70).map { #"{"PRN":\#($0),"path":"/dev/\#($0)"}"# }
      + (name == "SKY" ? Array(repeating: #"{"el":1}"#, count: dropped) : [])
    let line = #"{"class":"\#(name)","\#(member)":[\#(elements.joined(separator: ","))]}"#
    let statistics = GPSDStatistics()
    var connection = EndlessSession(line).source(statistics: statistics).connection()
    for _ in 1...4 { _ = try await connection.next(until: nil) }
    #expect(statistics.counts.droppedElements == 3 * dropped)
  }
}

/// A gpsd that says who it is, and then one line again and again, a hundred times a second.
private final class EndlessSession: GPSDSession {
  private let first: [String]
  private let line: String
  private let linesRead = Mutex(0)
  /// A wait on it ends when the lines have taken as long, so opening the session is always in time.
  private let time = ManualClock()
  let clock: LocationClock

  init(_ line: String, isGPSD: Bool = true, before first: [String] = []) {
    self.first = (isGPSD ? [Lines.version] : []) + first
    self.line = line
    clock = LocationClock(time)
  }

  func open(_ endpoint: GPSDEndpoint) {}
  func send(_ command: GPSDCommand) {}
  func close() {}

  func read(until deadline: Moment?) -> TimedRead<GPSDLines> {
    let index = linesRead.withLock { count in
      count += 1
      return count - 1
    }
    time.jump(by: .milliseconds(10))
    let text = index < first.count ? first[index] : line
    return .lines(Lines.bytes(text), at: clock.now)
  }

  func source(statistics: GPSDStatistics? = nil) -> GPSDLocationSource {
    GPSDLocationSource(statistics: statistics, clock: clock, makeSession: { self })
  }
}
