import GPSDLocation
import LocationCore
import Testing

@testable import LocwatchReceivers

/// Fault 35.
@Suite struct `Keeper of a private gpsd's receiver` {
  private var keeper = ReceiverKeeper(of: DeviceNode(number: 1), at: .at(0))
  private var node: DeviceNode? = DeviceNode(number: 1)
  private var answer: ControlSocket.Answer? = .done
  /// How often the keeper has told that the receiver is refused.
  private var refusalCount = 0

  private mutating func handle(at second: Double) {
    let node = node
    keeper.handle(at: .at(second)) { node }
  }

  /// The commands that gpsd gets from one second to another, and when: `2.0 -`.
  private mutating func told(from start: Double, to end: Double) -> [String] {
    let (node, answer) = (node, answer)
    var told: [String] = []
    var now = Moment.at(start)
    var turns = 0
    while let deadline = keeper.deadline, deadline <= .at(end) {
      now = max(now, deadline)
      turns += 1
      guard turns < 10_000 else {
        Issue.record("it turns in circles at \(now.uptime)")
        break
      }
      let step = keeper.expire(at: now, answer: { answer }, node: { node })
      if let command = step.command {
        told.append("\(now.uptime / .seconds(1)) \(command.rawValue)")
      }
      if step.isNewlyRefused { refusalCount += 1 }
    }
    return told
  }

  @Test
  mutating func `a receiver that reports is left alone, and one that is silent while it is new`() {
    #expect(told(from: 0, to: 60) == [])
    for second in 60..<90 { handle(at: Double(second)) }
    #expect(told(from: 60, to: 92) == [])
  }

  @Test(arguments: [5.0, 60, 3600])
  mutating func `one that is pulled is removed after 2 s, and added 1 s after its return`(
    seconds: Double
  ) {
    handle(at: 1)
    node = nil
    #expect(told(from: 1, to: seconds) == ["3.0 -"])
    node = DeviceNode(number: 2)
    // gpsd has it no more.
    answer = .failed
    #expect(told(from: seconds, to: seconds + 2) == ["\(seconds + 2) -"])
    answer = .done
    #expect(told(from: seconds + 2, to: seconds + 4) == ["\(seconds + 2.05) +"])
    handle(at: seconds + 4)
    #expect(told(from: seconds + 4, to: seconds + 5) == [])
  }

  @Test mutating func `one that was pulled and is back at once is removed and added`() {
    handle(at: 1)
    node = DeviceNode(number: 2)
    #expect(told(from: 1, to: 5) == ["4.0 -", "4.05 +"])
  }

  @Test mutating func `one whose last report comes after it was pulled is added when it is back`() {
    node = nil
    handle(at: 1)
    #expect(told(from: 1, to: 10) == ["3.0 -"])
    handle(at: 10)
    node = DeviceNode(number: 2)
    #expect(told(from: 10, to: 15) == ["12.0 -", "12.05 +"])
  }

  @Test mutating func `one that is not there at the beginning is added when it comes`() {
    keeper = ReceiverKeeper(of: nil, at: .at(0))
    node = nil
    #expect(told(from: 0, to: 60) == [])
    node = DeviceNode(number: 1)
    #expect(told(from: 60, to: 63) == ["62.0 -", "62.05 +"])
  }

  @Test mutating func `one that cannot be opened is added again, ever more rarely`() {
    handle(at: 1)
    node = nil
    #expect(told(from: 1, to: 10) == ["3.0 -"])
    node = DeviceNode(number: 2)
    answer = .failed
    #expect(
      told(from: 10, to: 30) == ["12.0 -", "12.05 +", "14.1 +", "18.15 +", "26.2 +"])
    let later = told(from: 30, to: 1000)
    #expect(later.count == 17)
    answer = .done
    #expect(told(from: 1000, to: 1060).count == 1)
    #expect(told(from: 1060, to: 5000) == [])
  }

  @Test mutating func `one that cannot be opened, and is another then, is added when it is ready`()
  {
    handle(at: 1)
    node = nil
    #expect(told(from: 1, to: 10) == ["3.0 -"])
    node = DeviceNode(number: 2)
    answer = .failed
    #expect(told(from: 10, to: 13) == ["12.0 -", "12.05 +"])
    node = DeviceNode(number: 3)
    answer = .done
    #expect(told(from: 13, to: 16) == ["15.0 -", "15.05 +"])
  }

  @Test mutating func `the keeper waits at most 10 s for an answer`() {
    handle(at: 1)
    node = nil
    answer = nil
    #expect(told(from: 1, to: 12.9) == ["3.0 -"])
    node = DeviceNode(number: 2)
    #expect(told(from: 12.95, to: 30) == ["14.0 -", "24.0 +"])
  }

  @Test
  mutating func `one that falls silent after half a minute, with its device, is added once`() {
    for second in 0...30 { handle(at: Double(second)) }
    #expect(told(from: 30, to: 1000) == ["40.0 -", "40.05 +"])
  }

  @Test mutating func `one that was added again counts as new`() {
    for second in 0...40 { handle(at: Double(second)) }
    node = DeviceNode(number: 2)
    #expect(told(from: 40, to: 1000) == ["43.0 -", "43.05 +"])
    // What it was like before does not count when it reports again, either.
    handle(at: 1000)
    #expect(told(from: 1000, to: 5000) == [])
  }

  @Test mutating func `one that reports before its device was looked at counts as new`() {
    for second in 0...40 { handle(at: Double(second)) }
    node = nil
    #expect(told(from: 40, to: 60) == ["42.0 -"])
    node = DeviceNode(number: 2)
    handle(at: 60)
    #expect(told(from: 60, to: 5000) == [])
  }

  @Test mutating func `the pause after which one is doubted is the longest since it was added`() {
    for second in [0.0, 20, 21, 31] { handle(at: second) }
    #expect(told(from: 31, to: 90.9) == [])
    #expect(told(from: 90.9, to: 91.2) == ["91.0 -", "91.05 +"])
    // Again once it is known again.
    for second in 92...121 { handle(at: Double(second)) }
    #expect(told(from: 121, to: 1000) == [])
    for second in 1000...1030 { handle(at: Double(second)) }
    #expect(told(from: 1030, to: 2000) == [])
  }

  @Test mutating func `one that reports is not tried again`() {
    handle(at: 1)
    node = nil
    _ = told(from: 1, to: 10)
    node = DeviceNode(number: 2)
    answer = .failed
    #expect(told(from: 10, to: 13) == ["12.0 -", "12.05 +"])
    handle(at: 13)
    #expect(told(from: 13, to: 1000) == [])
    // The pauses start from the shortest again.
    node = DeviceNode(number: 3)
    #expect(told(from: 1000, to: 1008) == ["1002.0 -", "1002.05 +", "1004.1 +"])
    #expect(told(from: 1008, to: 1012).count == 1)
  }

  @Test mutating func `the pauses are at most a minute`() {
    handle(at: 1)
    node = DeviceNode(number: 2)
    answer = .failed
    let times = told(from: 1, to: 400).filter { $0.hasSuffix("+") }
      .compactMap { Double($0.dropLast(2)) }
    let pauses = zip(times, times.dropFirst()).map { $1 - $0 }
    #expect(
      zip(pauses, [2.05, 4.05, 8.05, 16.05, 32.05, 60.05, 60.05, 60.05])
        .allSatisfy { abs($0 - $1) < 0.001 })
    #expect(pauses.count == 10)
  }

  @Test
  mutating func
    `one that gpsd refuses twice while it is there is refused, until it reports or is gone`()
  {
    handle(at: 1)
    node = nil
    answer = .refused
    // gpsd also refuses to remove what it no longer has.
    _ = told(from: 1, to: 10)
    #expect(!keeper.isRefused)
    node = DeviceNode(number: 2)
    #expect(told(from: 10, to: 14) == ["12.0 -", "12.05 +"])
    #expect(!keeper.isRefused)
    #expect(told(from: 14, to: 15) == ["14.1 +"])
    #expect(keeper.isRefused)
    node = nil
    _ = told(from: 15, to: 20)
    #expect(!keeper.isRefused)
    node = DeviceNode(number: 3)
    _ = told(from: 20, to: 40)
    #expect(keeper.isRefused)
    handle(at: 40)
    #expect(!keeper.isRefused)
  }

  @Test mutating func `a refusal is told once, and again after the receiver has reported`() {
    handle(at: 1)
    node = DeviceNode(number: 2)
    answer = .refused
    // One refusal is none.
    #expect(told(from: 1, to: 5) == ["4.0 -", "4.05 +"])
    var counts = [refusalCount]
    #expect(told(from: 5, to: 7) == ["6.1 +"])
    counts.append(refusalCount)
    #expect(told(from: 7, to: 10.16) == ["10.15 +"])
    counts.append(refusalCount)
    #expect(counts == [0, 1, 1])
    handle(at: 10.17)
    node = DeviceNode(number: 3)
    _ = told(from: 10.17, to: 40)
    #expect(keeper.isRefused)
    #expect(refusalCount == 2)
  }

  /// gpsd refuses to add a receiver that it has opened by itself.
  @Test mutating func `one that reports before gpsd refuses to add it is not added again`() {
    handle(at: 1)
    node = DeviceNode(number: 2)
    answer = .refused
    #expect(told(from: 1, to: 7) == ["4.0 -", "4.05 +", "6.1 +"])
    #expect(keeper.isRefused)
    #expect(told(from: 7, to: 10.16) == ["10.15 +"])
    handle(at: 10.17)
    #expect(told(from: 10.17, to: 100) == [])
    #expect(!keeper.isRefused)
  }

  @Test mutating func `one of a gpsd that does not answer is not refused`() {
    handle(at: 1)
    node = DeviceNode(number: 2)
    answer = .failed
    _ = told(from: 1, to: 100)
    #expect(!keeper.isRefused)
  }

  @Test mutating func `nothing is looked at before it is due, and no answer that nobody awaits`() {
    handle(at: 1)
    var looks = 0
    var answers = 0
    func expire(at second: Double, _ answer: ControlSocket.Answer?) -> ControlSocket.Command? {
      let step = keeper.expire(
        at: .at(second),
        answer: {
          answers += 1
          return answer
        },
        node: {
          looks += 1
          return nil
        })
      return step.command
    }
    #expect(keeper.deadline == .at(3))
    #expect(expire(at: 2.999, .done) == nil)
    #expect(looks == 0)
    #expect(expire(at: 3, .done) == .remove)
    #expect(looks == 1 && answers == 0)
    #expect(keeper.deadline == .at(3.05))
    #expect(expire(at: 3.1, nil) == nil)
    #expect(looks == 1 && answers == 1)
    #expect(keeper.deadline == .at(3.15))
    #expect(expire(at: 3.15, .done) == nil)
    #expect(keeper.deadline == .at(4))
    #expect(looks == 1 && answers == 2)
    #expect(expire(at: 4, .done) == nil)
    #expect(looks == 2 && answers == 2)
  }

  @Test mutating func `one that is slow is not disturbed`() {
    for second in [0.0, 60, 120] { handle(at: second) }
    #expect(told(from: 120, to: 299) == [])
    #expect(told(from: 299, to: 1000) == ["300.0 -", "300.05 +"])
  }
}

extension Moment {
  fileprivate static func at(_ seconds: Double) -> Moment {
    Moment(uptime: .milliseconds(Int64((seconds * 1000).rounded())))
  }
}
