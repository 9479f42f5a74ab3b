import LocationCore

/// Decides when to give advice: once for each missing link of the chain, and again only if that
/// link has been there in between.
package struct Advisor {
  /// The first missing link of the chain.
  package enum MissingLink: Comparable {
    case daemon
    case receiver
    case report
    /// The receiver has not seen a satellite yet.
    case satellites
    case fix

    /// How long the link may be missing before advice is given. Opening a receiver takes time, and
    /// so does a first fix.
    package var patience: Duration {
      switch self {
      case .daemon, .receiver: .zero
      case .report: .seconds(15)
      case .satellites: .seconds(20)
      case .fix: Advisor.maximumPatience
      }
    }
  }

  /// The longest time without advice.
  package static let maximumPatience = Duration.seconds(60)

  /// The links for which advice was given.
  private var advised: [MissingLink] = []
  private var current: MissingLink?
  private var isCertain = false
  /// When advice is due; `nil` if none is.
  private(set) var due: Moment?

  /// Records which link is missing.
  ///
  /// - Parameters:
  ///   - link: The missing link; `nil` if nothing is missing.
  ///   - isCertain: Whether the link is known to be missing and the user can do something about it.
  mutating func record(_ link: MissingLink?, isCertain: Bool = true, at moment: Moment) {
    guard link != current || isCertain != self.isCertain else { return }
    current = link
    self.isCertain = isCertain
    guard let link else {
      advised = []
      due = nil
      return
    }
    advised.removeAll { $0 < link }
    due = isCertain && !advised.contains(link) ? moment.advanced(by: link.patience) : nil
  }

  /// Returns the missing link if advice is due, and notes that advice was given.
  mutating func take(at moment: Moment) -> MissingLink? {
    guard let due, due <= moment, let current else { return nil }
    self.due = nil
    advised.append(current)
    return current
  }
}
