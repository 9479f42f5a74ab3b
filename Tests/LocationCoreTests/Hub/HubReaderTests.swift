import LocationTestKit
import Testing
import VirtualTimeTesting

@testable import LocationCore

@Suite(.virtualTime, .timeLimit(.minutes(5))) struct `A reader of a hub` {
  private let clock = ManualClock()

  private func notice(_ number: Int) -> LocationUpdate { .event(.notice("\(number)")) }

  @Test(arguments: [(1023, 0), (1024, 0), (1025, 1), (3000, 1976)])
  func `has the last 1,024 unread updates, and counts the others`(
    count: Int, dropped: Int
  ) async throws {
    let reader = HubReader()
    for number in 0..<count { reader.add(notice(number), at: Reports.moment(Double(number))) }
    #expect(reader.droppedCount == dropped)
    reader.finish(nil)
    for number in dropped..<count {
      #expect(
        try await reader.next(until: nil, by: clock.locationClock)
          == .value(notice(number), at: Reports.moment(Double(number))))
    }
    #expect(try await reader.next(until: nil, by: clock.locationClock) == .ended)
  }

  @Test func `has the error of the hub's end once, after what is unread`() async throws {
    let reader = HubReader()
    reader.add(notice(1), at: Reports.moment(1))
    reader.finish(.gone)
    #expect(
      try await reader.next(until: nil, by: clock.locationClock)
        == .value(notice(1), at: Reports.moment(1)))
    await #expect(throws: LocationError.gone) {
      try await reader.next(until: nil, by: clock.locationClock)
    }
    #expect(try await reader.next(until: nil, by: clock.locationClock) == .ended)
    #expect(try await reader.next(until: .past, by: clock.locationClock) == .ended)
  }
}
