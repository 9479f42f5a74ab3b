/// When a source is done.
struct SourceGoal: Equatable {
  /// Whether to print one fix and exit.
  var once = false
  /// What to average instead of the first fix; `nil` for nothing.
  var average: Averaging.Span?
  /// The number of fixes to write, at least 1; `nil` for no limit. 1 with ``once``.
  var count: Int?
  /// How long to wait for a suitable fix, more than zero; `nil` for no limit.
  var timeout: Duration?
  /// When to stop, by the source's clock, more than zero; `nil` for no limit.
  var duration: Duration?

  /// The shorter of the two times; `nil` without any.
  var limit: Duration? { [timeout, duration].compactMap(\.self).min() }
}
