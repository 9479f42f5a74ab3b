import Synchronization

/// Says what at least one schedule of a test has to reach, so that a test of a race fails if the race never happens.
///
/// ```swift
/// sometimes(answer == nil, "a timeout before the answer")
/// ```
///
/// Call it where each schedule passes. ``exploreSchedules(atMost:interruptions:_:)`` fails with
/// ``VirtualTimeError/Code-swift.struct/unreached`` if the condition was false under all schedules. With one schedule,
/// nothing is checked.
///
/// - Parameters:
///   - condition: Whether this schedule has reached it.
///   - what: What has to be reached. The default is the place of the call.
///   - fileID: The file of the call.
///   - line: The line of the call.
public func sometimes(
  _ condition: Bool, _ what: String? = nil, fileID: String = #fileID, line: Int = #line
) {
  let what = what ?? "sometimes() in \(fileID):\(line)"
  World.current?.state.withLock { $0.goals[what] = condition || $0.goals[what] == true }
}
