/// Decides which of several sources is the best.
///
/// The order is that of the quality, then that of the accuracy. A source that has lost its fix is left
/// at once. A better one is taken only after it was better for ``hysteresis``, because two sources of
/// about the same quality would otherwise alternate.
struct BestSource: Sendable {
  /// For how long another source has to be better.
  static let hysteresis = Duration.seconds(10)

  /// How good a fix is.
  struct Grade: Comparable, Sendable {
    private var rank: Int
    private var accuracy: Double

    init(_ fix: LocationFix) {
      rank =
        switch fix.quality {
        case .rtkFixed?: 5
        case .rtkFloat?: 4
        case .dgps?: 3
        case .gps?, nil: fix.mode == .fix3D ? 2 : 1
        default: 0
        }
      accuracy = fix.accuracy ?? .infinity
    }

    static func < (lhs: Grade, rhs: Grade) -> Bool {
      (lhs.rank, -lhs.accuracy) < (rhs.rank, -rhs.accuracy)
    }
  }

  private var grades: [Int: Grade] = [:]
  /// The source that was taken; `nil` while none has a fix.
  private(set) var selected: Int?
  /// The best of the other sources, and since when it has been better.
  private var challenger: (source: Int, since: Moment)?

  /// Notes a current fix of a source. Returns whether another source is selected now.
  mutating func note(_ fix: LocationFix, of source: Int, at moment: Moment) -> Bool {
    grades[source] = Grade(fix)
    guard let selected, let own = grades[selected] else { return select(best) }
    guard let best, best != selected, let grade = grades[best], own < grade else {
      challenger = nil
      return false
    }
    guard let since = challenger?.since else {
      challenger = (best, moment)
      return false
    }
    challenger = (best, since)
    return since.duration(to: moment) >= Self.hysteresis && select(best)
  }

  /// Notes that a source has no fix any more. Returns whether the selection has changed.
  mutating func noteLoss(of source: Int) -> Bool {
    grades[source] = nil
    if challenger?.source == source { challenger = nil }
    return source == selected && select(best)
  }

  private var best: Int? {
    grades.max { ($0.value, -$0.key) < ($1.value, -$1.key) }?.key
  }

  private mutating func select(_ source: Int?) -> Bool {
    challenger = nil
    defer { selected = source }
    return source != selected
  }
}
