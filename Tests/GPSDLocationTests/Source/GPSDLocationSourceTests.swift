import GPSDLocation
import LocationCore
import LocationTestKit
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct `Source over sessions` {
  /// Each comes at a moment of its own.
  private static let lines = (1...20).flatMap {
    [#"{"class":"LOCWATCH","t":\#($0).000}"#, Lines.tpv($0)]
  }

  /// Makes sessions, and counts them.
  private final class Workshop: Sendable {
    private let made = Mutex(0)
    var count: Int { made.withLock(\.self) }

    func session() -> RecordedSession {
      made.withLock { $0 += 1 }
      return RecordedSession(lines: lines)
    }
  }

  @Test func `makes a session for each connection, and none for its clock`() async throws {
    let workshop = Workshop()
    let source = GPSDLocationSource(makeSession: { workshop.session() })
    _ = source.clock.now
    #expect(workshop.count == 0)
    for connections in 1...3 {
      _ = try await source.currentLocation()
      #expect(workshop.count == connections)
    }
    for try await _ in source.events() { break }
    #expect(workshop.count == 4)
  }

  @Test func `connections to a recording are each on their own`() async throws {
    let source = GPSDLocationSource.recorded(lines: Self.lines)
    let file = try TemporaryFile(Self.lines.map { $0 + "\n" }.joined())
    for source in [source, try .recorded(contentsOf: file.path)] {
      var (first, second) = (source.connection(), source.connection())
      for number in 1...20 {
        let event = LocationEvent.fix(Lines.fix(number))
        for read in [
          try await first.read(by: source.clock), try await second.read(by: source.clock),
        ] {
          guard case .received(let events) = read, events.map(\.event) == [event] else {
            Issue.record("\(read) is not \(event)")
            return
          }
        }
      }
      #expect(try await first.read(by: source.clock) == .ended)
      #expect(try await second.read(by: source.clock) == .ended)
    }
  }

  @Test func `a recording's clock is that of the last connection, and starts again`() async throws {
    let source = GPSDLocationSource.recorded(lines: [
      #"{"class":"LOCWATCH","t":0.000,"start":"2026-11-20T07:05:00.000Z"}"#, Lines.tpv(1),
      #"{"class":"LOCWATCH","t":40.000}"#, Lines.tpv(40),
      #"{"class":"LOCWATCH","t":50.000}"#, Lines.tpv(50),
    ])
    for _ in 1...2 {
      var connection: (any LocationConnection)? = source.connection()
      #expect(source.clock.now == .at(0))
      #expect(source.clock.now.wall == Lines.start)
      for _ in 1...2 { _ = try await connection?.read(by: source.clock) }
      #expect(source.clock.now == .at(40))
      connection = nil
    }
    // The deadline counts from the beginning each time.
    for _ in 1...2 {
      await #expect(throws: LocationError.self) {
        try await source.currentLocation(LocationRequest(desiredAccuracy: 1), timeout: .seconds(1))
      }
      #expect(try await source.currentLocation(timeout: .seconds(1)).time == Lines.fix(1).time)
    }
  }
}
