import LocationCore

/// Ends a source when the duration of the run has passed.
struct RunDuration: SourcePart {
  private let duration: Duration
  private let start: Moment?
  private let isOnce: Bool
  var isTimed: Bool { true }
  private(set) var deadline: Moment?

  /// - Parameter start: When the duration begins; `nil` for the time of ``begin(at:)``.
  init?(_ options: Options, startedAt start: Moment?) {
    guard let duration = options.goal.duration else { return nil }
    self.duration = duration
    self.start = start
    isOnce = options.goal.once
  }

  mutating func begin(at moment: Moment) { deadline = (start ?? moment).advanced(by: duration) }

  func handle(
    _ update: LocationUpdate, at moment: Moment, on output: inout SharedOutput
  ) -> Passage { .next }

  func expire(at moment: Moment, on output: inout SharedOutput) -> Passage {
    .done(isOnce ? .noFixInRun(of: duration) : .complete)
  }
}

/// Ends a source that has had no suitable fix for too long.
struct FixTimeout: SourcePart {
  private let timeout: Duration
  private let start: Moment?
  var isTimed: Bool { true }
  private(set) var deadline: Moment?

  /// - Parameter start: When the first wait begins; `nil` for the time of ``begin(at:)``.
  init?(_ options: Options, startedAt start: Moment?) {
    guard let timeout = options.goal.timeout else { return nil }
    self.timeout = timeout
    self.start = start
  }

  mutating func begin(at moment: Moment) { deadline = (start ?? moment).advanced(by: timeout) }

  mutating func handle(
    _ update: LocationUpdate, at moment: Moment, on output: inout SharedOutput
  ) -> Passage {
    if case .fix(let fix) = update, fix.isCurrent { deadline = moment.advanced(by: timeout) }
    return .next
  }

  func expire(at moment: Moment, on output: inout SharedOutput) -> Passage {
    .done(.noFix(within: timeout))
  }
}
