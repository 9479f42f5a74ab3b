import Foundation
import Synchronization
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
          precondition(order.values != [2, 1, 0])
        }
      }
      let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      let note = text.split(separator: "\n").filter { $0.hasPrefix("virtual time: ") }
      let again = "withVirtualTime(schedule: \"2.1\")"
      #expect(note == ["virtual time: this test crashed. To run it again: \(again)"], "\(text)")
    }

    @Test func `names an interruption`() async throws {
      let result = await #expect(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) {
        try await exploreSchedules(atMost: 100) { _ in
          let order = Collector<Int>()
          let tasks = (1...2).map { number in Task { order.add(number) } }
          order.add(3)
          precondition(order.values != [2, 3])
          for task in tasks { await task.value }
        }
      }
      let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(text.contains("To run it again: withVirtualTime(schedule: \"!2.1\")"), "\(text)")
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

  @Suite(.timeLimit(.minutes(5))) struct `A blocked thread` {
    @Test func `is named after two seconds, and may continue`() async throws {
      let result = await #expect(
        processExitsWith: .success, observing: [\.standardErrorContent]
      ) {
        try await exploreSchedules(atMost: 2, interruptions: 0) { clock in
          Task {}
          Task(name: "upload") { if isFirst() { usleep(4_500_000) } }
          await clock.settle()
        }
      }
      let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(
        text.contains(
          """

          virtual time: task 2 "upload" has blocked its thread for 2 s, and nothing else can run: by a semaphore, a \
          pause, a read, or a lock that is never released. To run it again: withVirtualTime(schedule: "")

          """), "\(text)")
    }

    @Test func `is not one that works`() async throws {
      let result = await #expect(
        processExitsWith: .success, observing: [\.standardErrorContent]
      ) {
        try await withVirtualTime { _ in
          let end = ContinuousClock.now.advanced(by: .seconds(3))
          while ContinuousClock.now < end {}
        }
      }
      let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(!text.contains("blocked"), "\(text)")
    }

    @Test func `ends the process if a test has a trait`() async throws {
      let result = await #expect(
        processExitsWith: .exitCode(EXIT_FAILURE), observing: [\.standardErrorContent]
      ) {
        let repetition = Repetition(
          "SCHEDULE='", "' swift test", test: "waits() at Tests.swift:7:2")
        try await Repetition.$current.withValue(repetition) {
          try await withVirtualTime(schedule: "1") { clock in
            let lock = NSLock()
            Task(name: "first") { hold(lock) }
            Task(name: "second") { hold(lock) }
            await clock.settle()
          }
        }
      }
      let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(
        text.contains(
          """
          waits() at Tests.swift:7:2 failed: task 1 "first" has blocked its thread for 10 s, and nothing else can run. \
          No other test can run now. To run it again: SCHEDULE='1' swift test
          """), "\(text)")
    }
  }

  private func hold(_ lock: NSLock) { lock.lock() }

  private let runs = Mutex(0)

  private func isFirst() -> Bool {
    runs.withLock { runs in
      runs += 1
      return runs == 1
    }
  }
#endif
