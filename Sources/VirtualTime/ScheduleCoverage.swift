/// How much of a test ``exploreSchedules(atMost:interruptions:_:)`` has run.
public struct ScheduleCoverage: Hashable, Sendable {
  /// The number of schedules that ran.
  public let count: Int
  /// Whether these were all schedules that the test has, with any number of interruptions.
  public let isComplete: Bool
  /// The number of interruptions up to which all schedules have run; `nil` if not even all of those without any have.
  public let interruptions: Int?
  /// How many schedules have up to that number of interruptions.
  let completeCount: Int

  /// The same, if what was left is unknown.
  var cut: ScheduleCoverage {
    ScheduleCoverage(count: count, isComplete: false, interruptions: nil, completeCount: 0)
  }
}

extension ScheduleCoverage: CustomStringConvertible {
  /// A text for messages, such as `all 91 schedules`, `all 319 schedules with up to 1 interruption`, or
  /// `5,000 schedules of more; all 120 without interruptions`.
  public var description: String {
    if isComplete { return count == 1 ? "the only schedule" : "all \(count.grouped) schedules" }
    let more = "\(count.grouped) schedule\(count == 1 ? "" : "s") of more"
    guard let interruptions else { return more }
    let bound =
      switch interruptions {
      case 0: "without interruptions"
      case 1: "with up to 1 interruption"
      default: "with up to \(interruptions) interruptions"
      }
    if completeCount == count {
      return count == 1 ? "the only schedule \(bound)" : "all \(count.grouped) schedules \(bound)"
    }
    return
      "\(more); \(completeCount == 1 ? "the only one" : "all \(completeCount.grouped)") \(bound)"
  }
}

extension Int {
  /// The number with a comma before each three digits.
  fileprivate var grouped: String {
    self < 1000 ? "\(self)" : "\((self / 1000).grouped),\("\(1000 + self % 1000)".dropFirst())"
  }
}
