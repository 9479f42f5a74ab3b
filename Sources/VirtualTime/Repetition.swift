/// How a person runs a test again under a schedule: what is written before the text of the schedule, and after it.
package struct Repetition: Sendable {
  /// Of the current test.
  @TaskLocal package static var current = Repetition("withVirtualTime(schedule: \"", "\")")

  let before: String
  let after: String
  /// The name of the test, with its place; `nil` if others decide when the process ends.
  let test: String?

  package init(_ before: String, _ after: String, test: String? = nil) {
    self.before = before
    self.after = after
    self.test = test
  }
}
