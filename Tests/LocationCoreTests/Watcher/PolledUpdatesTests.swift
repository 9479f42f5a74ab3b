import LocationCore
import LocationTestKit
import Synchronization
import Testing
import VirtualTimeTesting

/// Updates of a connection that can be polled.
@Suite(.virtualTime, .timeLimit(.minutes(5))) struct `Polled updates` {
  /// What the connections of a source have, and what was asked of them.
  private final class Source: LocationProvider {
    struct State {
      var batches: [[TimedEvent]] = []
      var calls: [String] = []
    }

    let state = Mutex(State())
    let bell = Doorbell()

    var calls: [String] {
      state.withLock { state in
        defer { state.calls = [] }
        return state.calls
      }
    }
    var clock: LocationClock { LocationClock(now: { Reports.moment(0) }, sleepUntil: { _ in }) }

    func connection(for request: LocationRequest) -> Connection { Connection(source: self) }

    func bring(_ seconds: Double...) {
      let batch = seconds.map { TimedEvent(Reports.fix($0), at: Reports.moment($0)) }
      state.withLock { $0.batches.append(batch) }
      bell.signal()
    }
  }

  private struct Connection: LocationConnection {
    let source: Source

    mutating func next(until deadline: Moment?) -> TimedRead<[TimedEvent]> {
      source.state.withLock { $0.calls.append("read") }
      guard let deadline else { return .ended }
      return .timedOut(at: deadline)
    }

    mutating func poll() -> [TimedEvent]? {
      source.state.withLock { state in
        state.calls.append("poll")
        return state.batches.isEmpty ? nil : state.batches.removeFirst()
      }
    }

    mutating func arrival(before deadline: Moment?) -> ArrivalWait? {
      ArrivalWait(for: source.bell, until: deadline)
    }

    func close() { source.state.withLock { $0.calls.append("close") } }
  }

  @Test func `come without a read, after a wait`() async throws {
    let source = Source()
    var updates = source.updates().makeAsyncIterator()
    #expect(updates.arrival(before: nil) == nil)
    #expect(Watch.line(try await updates.next(until: nil)) == "0.0 connecting")
    source.bring(1, 2)
    #expect(Watch.line(try await updates.next(until: nil)) == "1.0 a connecting > fix-3d")
    #expect(source.calls == ["poll"])
    #expect(Watch.line(updates.poll(until: nil)) == "1.0 a 3d 1.0")
    #expect(Watch.line(updates.poll(until: nil)) == "2.0 a 3d 2.0")
    #expect(source.calls == [])
    #expect(Watch.line(updates.poll(until: nil)) == nil)
    #expect(source.calls == ["poll"])
    // The first ring is for what was polled already.
    source.bell.signal()
    source.bring(3)
    #expect(Watch.line(try await updates.next(until: nil)) == "3.0 a 3d 3.0")
    #expect(source.calls.filter { $0 != "poll" } == [])
  }

  @Test func `are read when the deadline has passed, or that of a state`() async throws {
    let source = Source()
    var updates = source.updates().makeAsyncIterator()
    source.bring(1)
    for _ in 0..<3 { _ = try await updates.next(until: nil) }
    #expect(updates.arrival(before: nil)?.deadline == Reports.moment(66))
    #expect(updates.arrival(before: Reports.moment(4))?.deadline == Reports.moment(4))
    _ = source.calls
    source.bell.signal()
    #expect(Watch.line(try await updates.next(until: Reports.moment(4))) == "4.0 seconds timed out")
    #expect(source.calls == ["poll", "poll", "read"])
  }

  @Test func `end when the task is cancelled while it waits`() async throws {
    let source = Source()
    let reading = Task {
      var updates = source.updates().makeAsyncIterator()
      var told: [String?] = []
      while told.last != "ended" { told.append(Watch.line(try await updates.next(until: nil))) }
      return told
    }
    await ManualClock().settle()
    reading.cancel()
    #expect(try await reading.value == ["0.0 connecting", "ended"])
    #expect(source.calls == ["poll", "close"])
  }

  @Test func `are not waited for by a task that was interrupted, now or before`() async {
    let (interruption, bell) = (Interruption(), Doorbell())
    let wait = ArrivalWait(for: bell, until: nil)
    let waiting = Task { await interruption.hasCome(wait) }
    await ManualClock().settle()
    interruption.interrupt()
    #expect(await waiting.value)
    #expect(await interruption.hasCome(wait))
    #expect(bell.deadlines.count == 1)
  }

  @Test func `are not signalled by an interruption after the wait`() async {
    let (interruption, bell) = (Interruption(), Doorbell())
    bell.signal()
    #expect(await interruption.hasCome(ArrivalWait(for: bell, until: nil)))
    interruption.interrupt()
    let late = Doorbell()
    #expect(await !late.hasCome(before: Reports.moment(1)))
    #expect(await !bell.hasCome(before: Reports.moment(1)))
  }
}
