/// Decides which receiver of several sources is the best.
///
/// A believed one is better than a doubted one; then the quality decides,
/// then the accuracy. A receiver that has lost its fix is left at once, for another one of its source
/// if that has a fix: a source is as good as its best receiver. So is one that is doubted, for one that is
/// believed. A better one is taken only after it was better for ``hysteresis``, because two receivers of
/// about the same quality would otherwise alternate.
struct BestSource: Sendable {
  /// For how long another receiver has to be better.
  static let hysteresis = Duration.seconds(10)

  /// A receiver of a source.
  struct Receiver: Hashable, Sendable {
    let source: Int
    /// `nil` if the source does not name it.
    let path: String?

    static func == (lhs: Receiver, rhs: Receiver) -> Bool {
      lhs.source == rhs.source && isSamePath(lhs.path, rhs.path)
    }
  }

  /// How good a fix is.
  struct Grade: Comparable, Sendable {
    let isBelieved: Bool
    private var rank: Int
    private var accuracy: Double

    init(_ fix: LocationFix) {
      isBelieved = fix.doubtSet.isEmpty
      rank =
        switch fix.quality {
        case .rtkFixed?: 5
        case .rtkFloat?: 4
        case .dgps?: 3
        case .gps?, .gnssDeadReckoning?, nil: fix.mode == .fix3D ? 2 : 1
        default: 0
        }
      accuracy = fix.horizontalError ?? .infinity
    }

    static func < (lhs: Grade, rhs: Grade) -> Bool {
      guard lhs.isBelieved == rhs.isBelieved else { return rhs.isBelieved }
      return (lhs.rank, -lhs.accuracy) < (rhs.rank, -rhs.accuracy)
    }
  }

  /// The current fixes of the receivers that have one.
  private var fixes: [Receiver: (fix: LocationFix, grade: Grade)] = [:]
  /// The receiver that was taken; `nil` while none has a fix.
  private(set) var selected: Receiver?
  /// Since when another receiver has been better; `nil` while the selected one is the best.
  private var betterSince: Moment?

  /// The last fix of the selected receiver.
  var selectedFix: LocationFix? { selected.flatMap { fixes[$0]?.fix } }

  /// Records a current fix of a receiver. Returns whether another receiver is selected now.
  mutating func record(_ fix: LocationFix, of receiver: Receiver, at moment: Moment) -> Bool {
    fixes[receiver] = (fix, Grade(fix))
    guard selected != nil else { return select(best { _ in true }) }
    guard isBeaten else {
      betterSince = nil
      return false
    }
    guard !isDoubtedBesidesBelieved else { return select(best { _ in true }) }
    let since = betterSince ?? moment
    betterSince = since
    return since.duration(to: moment) >= Self.hysteresis && select(best { _ in true })
  }

  /// Records that a receiver has lost its fix. Returns whether the selection has changed.
  mutating func recordLoss(of receiver: Receiver) -> Bool { forget { $0 == receiver } }

  /// Records that all receivers of a source have lost their fixes. Returns whether the selection has changed.
  mutating func recordLoss(of source: Int) -> Bool { forget { $0.source == source } }

  private mutating func forget(where isLost: (Receiver) -> Bool) -> Bool {
    fixes = fixes.filter { !isLost($0.key) }
    if let selected, isLost(selected) {
      return select(best { $0.source == selected.source } ?? best { _ in true })
    }
    if !isBeaten { betterSince = nil }
    return false
  }

  /// Whether another receiver is better than the selected one.
  private var isBeaten: Bool {
    guard let own = selected.flatMap({ fixes[$0] }) else { return false }
    return fixes.values.contains { own.grade < $0.grade }
  }

  /// Whether the selected receiver is doubted, and another one is believed.
  private var isDoubtedBesidesBelieved: Bool {
    guard let own = selected.flatMap({ fixes[$0] }), !own.grade.isBelieved else { return false }
    return fixes.values.contains { $0.grade.isBelieved }
  }

  /// Returns the best suitable receiver; of equal ones, the first source's.
  private func best(where fits: (Receiver) -> Bool) -> Receiver? {
    fixes.filter { fits($0.key) }.max { lhs, rhs in
      guard lhs.value.grade == rhs.value.grade else { return lhs.value.grade < rhs.value.grade }
      return (rhs.key.source, rhs.key.path ?? "") < (lhs.key.source, lhs.key.path ?? "")
    }?.key
  }

  private mutating func select(_ receiver: Receiver?) -> Bool {
    betterSince = nil
    selected = receiver
    return true
  }
}
