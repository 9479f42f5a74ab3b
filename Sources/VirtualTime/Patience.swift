/// The clock for the limits of waits in tests.
///
/// In virtual time, it measures how long the ``World`` waits although nothing in it can happen any more. Elsewhere it
/// waits in steps of 10 ms, and after each step it gives the tasks that are ready 20 turns. On a busy machine that runs
/// many tests, a limit is therefore reached later. Its time is then always zero, so a wait whose task begins late is as
/// long as any other.
package struct Patience: Sendable {
  private let world: World?

  /// The clock where the current task runs.
  package static var current: Patience { Patience(world: .current) }

  /// Whether the clock is that of a virtual time.
  package var isVirtual: Bool { world != nil }

  /// The time; it has no meaning apart from its differences.
  package var now: Duration { world?.patientTime ?? .zero }

  /// Waits for a duration.
  ///
  /// - Returns: `false` if the task was cancelled.
  func sleep(for duration: Duration) async -> Bool { await sleep(until: now + duration) }

  /// Waits until a time.
  ///
  /// - Returns: `false` if the task was cancelled.
  package func sleep(until deadline: Duration) async -> Bool {
    if let world { return await world.waitPatiently(until: deadline) }
    var rest = deadline
    while rest > .zero {
      let step = min(rest, .milliseconds(10))
      guard (try? await Task.sleep(for: step)) != nil else { return false }
      rest -= step
      for _ in 0..<20 {
        await Self.turn()
        if Task.isCancelled { return false }
      }
    }
    return true
  }

  /// Waits until the tasks that are ready have had a turn, including those on the main actor.
  private static func turn() async { await Task.detached { await MainActor.run {} }.value }
}
