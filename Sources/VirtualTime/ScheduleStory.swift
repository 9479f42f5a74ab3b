import Synchronization

/// What happens under a schedule, for a person.
final class ScheduleStory: Sendable {
  /// A choice of which an unusual job ran.
  private struct Turn {
    let choice: Int
    let count: Int
    let time: Duration?
    let ran: UInt64
    let before: UInt64
    let isInterruption: Bool
  }

  private struct State {
    var turns: [Turn] = []
    var count = 0
    var tasks = TaskList()
  }

  /// The maximum number of lines of a failure's text.
  private static let maximumLines = 20

  private let state = Mutex(State())

  /// Records a choice.
  ///
  /// - Parameters:
  ///   - time: The time of the test's clock.
  ///   - ran: The number of the task that ran.
  ///   - usual: The number of the task that would usually have run; at an interruption, that of the task that ran.
  func add(_ choice: Choice, at time: Duration?, ran: UInt64, before usual: UInt64) {
    state.withLock { state in
      if !choice.isInterruption { state.count += 1 }
      guard choice.place != 0, state.turns.count <= Self.maximumLines else { return }
      state.turns.append(
        Turn(
          choice: state.count, count: choice.count, time: time, ran: ran, before: usual,
          isInterruption: choice.isInterruption))
    }
  }

  /// Records the tasks, at the end.
  func end(_ tasks: TaskList) { state.withLock { $0.tasks = tasks } }

  /// A line for each unusual choice.
  var lines: [String] {
    state.withLock { state in
      let lines = state.turns.prefix(Self.maximumLines).map { turn in
        let time = turn.time.map { ", at \($0)" } ?? ""
        let others = turn.count > 2 ? ", of \(turn.count) that were ready" : ""
        let (ran, before) = (state.tasks.label(of: turn.ran), state.tasks.label(of: turn.before))
        return turn.isInterruption
          ? "\(before) was interrupted\(time), and \(ran) went on"
          : "choice \(turn.choice)\(time): \(ran) ran before \(before)\(others)"
      }
      return state.turns.count > Self.maximumLines ? lines + ["…"] : lines
    }
  }
}
