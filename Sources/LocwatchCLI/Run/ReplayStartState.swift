import LocationCore

/// The state at the beginning of the replayed part of a recording, collected from the updates before it.
///
/// The earlier updates are not passed on. Their result becomes the first updates of the part.
struct ReplayStartState: Sendable {
  /// Returns when the part begins; `nil` while that is not known.
  private let findBeginning: @Sendable () -> Moment?
  var known = KnownState()

  init(beginning: @escaping @Sendable () -> Moment?) { findBeginning = beginning }

  /// When the part begins; `nil` while that is not known.
  var beginning: Moment? { findBeginning() }

  /// Returns when the part begins; `nil` if that is not known, or after a moment.
  func beginning(by moment: Moment) -> Moment? {
    beginning.flatMap { $0 <= moment ? $0 : nil }
  }
}
