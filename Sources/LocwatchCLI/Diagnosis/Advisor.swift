import LocationCore

/// Says when those who watch need to hear what to try: once for each link of the chain that is
/// missing, and again only after the chain was longer in between.
struct Advisor {
  /// What is missing, and keeps everything behind it away.
  enum Need: Comparable {
    case daemon
    case receiver
    case report
    case fix

    /// How long it may be missing before it needs a word. A receiver that is opened takes its time, and
    /// a first fix as well.
    fileprivate var patience: Duration {
      switch self {
      case .daemon, .receiver: .zero
      case .report: .seconds(15)
      case .fix: Advisor.longestPatience
      }
    }
  }

  /// After so long at the latest there is a word for everything.
  static let longestPatience = Duration.seconds(60)

  /// What was missing when it was told.
  private var told: [Need] = []
  private var current: Need?
  private var isCertain = false
  /// When to tell of what is missing; `nil` where there is nothing to tell.
  private(set) var due: Moment?

  /// Notes what is missing.
  ///
  /// - Parameters:
  ///   - need: `nil` where nothing is missing.
  ///   - isCertain: Whether it is known to be missing, and something can be done.
  mutating func note(_ need: Need?, isCertain: Bool, at moment: Moment) {
    guard need != current || isCertain != self.isCertain else { return }
    current = need
    self.isCertain = isCertain
    guard let need else {
      told = []
      due = nil
      return
    }
    told.removeAll { $0 < need }
    due = isCertain && !told.contains(need) ? moment.advanced(by: need.patience) : nil
  }

  /// Returns what to tell of at `moment`; it is told by that.
  mutating func take(at moment: Moment) -> Need? {
    guard let due, due <= moment, let current else { return nil }
    self.due = nil
    told.append(current)
    return current
  }
}
