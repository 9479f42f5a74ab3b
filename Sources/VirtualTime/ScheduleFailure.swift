/// The failure of a test under one schedule.
public struct ScheduleFailure: Error, CustomStringConvertible {
  /// The schedule, for ``withVirtualTime(schedule:waitsForOutside:_:)``: the one with the fewest unusual choices that
  /// was found.
  public let schedule: String
  /// The error that the test threw.
  public let error: any Error
  /// How many schedules ran until the first one failed.
  public let count: Int
  /// Which tasks ran in an unusual order, and how to run the test like this again: at most 25 lines. The format may
  /// change.
  public let story: String

  /// A failure of no schedule in particular.
  init(_ error: VirtualTimeError, in coverage: ScheduleCoverage) {
    schedule = ""
    self.error = error
    count = coverage.count
    story = "This is about \(coverage)."
  }

  init(
    schedule: String, error: any Error, count: Int, choices: [Choice], story: ScheduleStory?
  ) {
    self.schedule = schedule
    self.error = error
    self.count = count
    let places = choices.filter { !$0.isInterruption }
    let unusual = places.count { $0.place != 0 }
    let interruptions = choices.count { $0.place != 0 } - unusual
    var order =
      unusual == 0
      ? "in the usual order of its tasks"
      : "if its tasks run in an unusual order, in \(unusual) of \(places.count) choices"
    if interruptions > 0 {
      order += ", with \(interruptions) interruption\(interruptions == 1 ? "" : "s")"
    }
    order += unusual + interruptions == 0 ? "." : ":"
    let reason =
      Task.isCancelled
      ? "It did not run again, because its task was cancelled."
      : "It did not fail again: something outside of virtual time decides."
    let events = story?.lines ?? [reason]
    let again = Repetition.current
    self.story = """
      This test fails \(order)
      \(events.map { "  \($0)\n" }.joined())\
      It was schedule \(count). To run it again: \(again.before)\(schedule)\(again.after)
      """
  }

  /// The error in one line, and the ``story``.
  public var description: String { "\(ErrorText.line(error))\n\(story)" }
}
