/// How a person runs a test again under a schedule: what is written before the text of the schedule, and after it.
package struct Repetition: Sendable {
  /// Of the current test.
  @TaskLocal package static var current = Repetition("withVirtualTime(schedule: \"", "\")")

  let before: String
  let after: String

  package init(_ before: String, _ after: String) {
    self.before = before
    self.after = after
  }
}
