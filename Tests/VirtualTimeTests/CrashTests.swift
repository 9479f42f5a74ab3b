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
      let note = text.split(separator: "\n").filter { $0.hasPrefix("virtual time: ") }
      let again = "withVirtualTime(schedule: \"2\")"
      #expect(note == ["virtual time: this test crashed. To run it again: \(again)"], "\(text)")
    }

    @Test func `says nothing outside of virtual time`() async throws {
      let result = await #expect(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) {
        try await withVirtualTime { _ in }
        Task { @MainActor in fatalError("elsewhere") }
        while true { await Task.yield() }
      }
      let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(text.contains("elsewhere") && !text.contains("virtual time"), "\(text)")
    }

    @Test func `of a continuation that is resumed twice names the schedule, too`() async throws {
      let result = await #expect(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) {
        try await withVirtualTime { _ in
          await withCheckedContinuation { continuation in
            Task { continuation.resume() }
            Task { continuation.resume() }
          }
          await Task.yield()
          await Task.yield()
        }
      }
      let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(text.contains("this test crashed. To run it again: withVirtualTime("), "\(text)")
    }
  }
#endif
