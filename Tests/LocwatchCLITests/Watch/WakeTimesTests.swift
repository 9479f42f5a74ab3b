import TestSupport
import Testing

@testable import LocwatchCLI

/// Fault 120.
@Suite struct `The times at which sources wake` {
  @Test func `are none without a source, and of a new one`() {
    var wakes = WakeTimes()
    #expect(wakes.earliest == .max && wakes.count == 0)
    #expect(wakes.first(from: 0, dueBy: .max) == nil)
    wakes.append()
    #expect(wakes.earliest == .max && wakes[0] == .max && wakes.count == 1)
    #expect(wakes.first(from: 0, dueBy: 5) == nil)
    wakes[0] = 5
    #expect(wakes.earliest == 5 && wakes.first(from: 0, dueBy: 5) == 0)
    #expect(wakes.first(from: 0, dueBy: 4) == nil && wakes.first(from: 1, dueBy: 5) == nil)
  }

  @Test(arguments: [1, 2, 3, 7, 8, 9, 33])
  func `are found as by a look at each`(count: Int) {
    var wakes = WakeTimes()
    var times: [Int64] = []
    var state: UInt32 = 43
    for step in 0..<500 {
      state = state &* 1_664_525 &+ 1_013_904_223
      let value = Int64(state >> 28)
      if times.count < count, step.isMultiple(of: 3) {
        wakes.append()
        times.append(.max)
      } else if !times.isEmpty {
        let number = Int(state >> 8) % times.count
        wakes[number] = value == 0 ? .max : value
        times[number] = value == 0 ? .max : value
      }
      #expect(wakes.earliest == times.min() ?? .max)
      #expect(times.indices.allSatisfy { wakes[$0] == times[$0] })
      for start in 0...times.count {
        let due = times.indices.first { $0 >= start && times[$0] <= value }
        #expect(wakes.first(from: start, dueBy: value) == due)
      }
    }
  }
}
