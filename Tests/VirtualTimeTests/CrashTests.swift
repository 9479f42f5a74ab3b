import Testing

@testable import VirtualTime

#if os(Linux)
  @Suite(.timeLimit(.minutes(5))) struct `A crash` {
    @Test func `names the schedule that was running`() async throws {
      let result = await #expect(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) {
        try await exploreSchedules(atMost: 100) { clock in
          let order = Collector<Int>()
          for number in 0..<3 { Task { order.add(number) } }
          await clock.settle()
          precondition(order.values != [2, 0, 1])
        }
      }
      let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(text.contains("virtual time: this test crashed under schedule \"2"), "\(text)")
    }
  }
#endif
