import LocationCore
import LocwatchTerminal

/// Passes on the fixes that count.
struct SuitableFixes: SourcePart {
  private let request: LocationRequest
  /// Whether a fix must be current.
  private let isOnce: Bool

  init?(_ options: Options) {
    request = options.criteria.request
    isOnce = options.goal.once
    if request == LocationRequest(), !isOnce { return nil }
  }

  func handle(
    _ update: LocationUpdate, at moment: Moment, on output: inout SharedOutput
  ) -> Passage {
    guard case .fix(let fix) = update else { return .next }
    return fix.satisfies(request) && (fix.isCurrent || !isOnce) ? .next : .stop
  }
}

/// Passes on the fixes that are far enough from the last one that was written, in place and in time.
struct FixDistances: SourcePart {
  private let number: Int
  private var filter: FixFilter

  init?(_ options: Options, _ number: Int) {
    guard options.criteria.minMove != nil || options.criteria.interval != nil else { return nil }
    self.number = number
    filter = FixFilter(options.criteria)
  }

  mutating func handle(
    _ update: LocationUpdate, at moment: Moment, on output: inout SharedOutput
  ) -> Passage {
    guard case .fix(let fix) = update else { return .next }
    guard filter.judge(fix, at: moment) == .wanted else { return .stop }
    // One that is dropped is not written.
    if output.presenter.hasRoom(for: update, of: number) { filter.recordTaken(fix, at: moment) }
    return .next
  }
}

/// With an average, passes on only the fixes of the first receiver.
struct AveragedReceiver: SourcePart {
  private var first: String??

  init?(_ options: Options) {
    if options.goal.average == nil { return nil }
  }

  mutating func handle(
    _ update: LocationUpdate, at moment: Moment, on output: inout SharedOutput
  ) -> Passage {
    guard case .fix(let fix) = update else { return .next }
    guard let first else {
      first = .some(fix.device)
      return .next
    }
    return isSamePath(first, fix.device) ? .next : .stop
  }
}
