import GPSDLocation
import LocationCore
import Testing

@testable import LocwatchCLI

@Suite struct `Keeper of a private gpsd's receiver` {
  private var keeper = ReceiverKeeper(of: DeviceNode(number: 1), at: .at(0))
  private var node: DeviceNode? = DeviceNode(number: 1)
  private var answer: ControlSocket.Answer? = .done

  private mutating func hear(at second: Double) {
    let node = node
    keeper.hear(at: .at(second)) { node }
  }

  /// What gpsd is told from one second to another, and when: `2.0 -`.
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
      let command = keeper.expire(at: now, answer: { answer }, node: { node })
      if let command { told.append("\(now.uptime / .seconds(1)) \(command.rawValue)") }
    }
    return told
  }

  @Test
  mutating func `a receiver that reports is left alone, and one that is silent while it is new`() {
    #expect(told(from: 0, to: 60) == [])
    for second in 60..<90 { hear(at: Double(second)) }
    #expect(told(from: 60, to: 92) == [])
  }

  @Test(arguments: [5.0, 60, 3600])
  mutating func `one that is pulled is removed after 2 s, and added 1 s after its return`(
    seconds: Double
  ) {
    hear(at: 1)
    node = nil
    #expect(told(from: 1, to: seconds) == ["3.0 -"])
    node = DeviceNode(number: 2)
    // gpsd has it no more.
    answer = .failed
    #expect(told(from: seconds, to: seconds + 2) == ["\(seconds + 2) -"])
    answer = .done
    #expect(told(from: seconds + 2, to: seconds + 4) == ["\(seconds + 2.05) +"])
    hear(at: seconds + 4)
    #expect(told(from: seconds + 4, to: seconds + 5) == [])
  }

  @Test mutating func `one that was pulled and is back at once is removed and added`() {
    hear(at: 1)
    node = DeviceNode(number: 2)
    #expect(told(from: 1, to: 5) == ["4.0 -", "4.05 +"])
  }

  @Test mutating func `one that is not there at the beginning is added when it comes`() {
    keeper = ReceiverKeeper(of: nil, at: .at(0))
    node = nil
    #expect(told(from: 0, to: 60) == [])
    node = DeviceNode(number: 1)
    #expect(told(from: 60, to: 63) == ["62.0 -", "62.05 +"])
  }

  @Test mutating func `one that cannot be opened is added again, ever more rarely`() {
    hear(at: 1)
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
    hear(at: 1)
    node = nil
    #expect(told(from: 1, to: 10) == ["3.0 -"])
    node = DeviceNode(number: 2)
    answer = .failed
    #expect(told(from: 10, to: 13) == ["12.0 -", "12.05 +"])
    node = DeviceNode(number: 3)
    answer = .done
    #expect(told(from: 13, to: 16) == ["15.0 -", "15.05 +"])
  }

  @Test mutating func `an answer is waited for, 10 s at the most`() {
    hear(at: 1)
    node = nil
    answer = nil
    #expect(told(from: 1, to: 12.9) == ["3.0 -"])
    node = DeviceNode(number: 2)
    #expect(told(from: 12.95, to: 30) == ["14.0 -", "24.0 +"])
  }

  @Test
  mutating func `one that falls silent after half a minute, its device there, is added anew once`()
  {
    for second in 0...30 { hear(at: Double(second)) }
    #expect(told(from: 30, to: 1000) == ["40.0 -", "40.05 +"])
  }

  @Test mutating func `one that is slow is not disturbed`() {
    for second in [0.0, 60, 120] { hear(at: second) }
    #expect(told(from: 120, to: 299) == [])
    #expect(told(from: 299, to: 1000) == ["300.0 -", "300.05 +"])
  }
}

extension Moment {
  fileprivate static func at(_ seconds: Double) -> Moment {
    Moment(uptime: .milliseconds(Int64((seconds * 1000).rounded())))
  }
}
