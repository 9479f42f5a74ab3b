/// A reason for which a current position may not be true.
///
/// A doubt is no proof: the receiver, the sky or an attacker may be at fault. Later versions may add
/// doubts: a `switch` outside this package needs an `@unknown default`.
#if compiler(>=6.3)
  @nonexhaustive
#endif
public enum Doubt: String, Hashable, Sendable, CaseIterable {
  /// The position is farther from an earlier one than the reported speed, the scatter and the elapsed time explain,
  /// and the receiver has agreed with the earlier one for longer.
  case jump
  /// The position has been the same within a centimetre for 10 s, while the receiver reports a speed.
  case frozen
  /// The height changed by more than 100 m within 3 s, and the reported climb does not explain the change.
  case height
  /// Satellites in use are below the horizon or have no signal, or all signals are equally strong or become stronger
  /// together, as from one transmitter.
  case sky
  /// The date is off by a multiple of 1,024 weeks or contradicts those before it, or the time differs from the local
  /// clock, which is synchronised by other means.
  case time
  /// Interference is near the upper end of the receiver's scale.
  case interference
  /// The position has been estimated without satellites for five minutes.
  case estimated
  /// The receiver simulates the position.
  case simulated
  /// The receiver repeats a position that was stored in it, and computes only the time.
  case stored
  /// The position is exactly 0,0, which receivers without a fix report.
  case zero
  /// The speed or climb is more than 8 km/s, or the error more than 3 km: no receiver can measure such numbers.
  case claim
}

/// A set of doubts, of the size of a number.
package struct DoubtSet: OptionSet, Hashable, Sendable {
  package let rawValue: UInt16

  package init(rawValue: UInt16) { self.rawValue = rawValue }

  /// A set of one doubt.
  package init(_ doubt: Doubt) { rawValue = 1 << doubt.place }

  /// Doubts that also follow from the quality of a fix.
  package static let ofQuality = DoubtSet([Doubt.estimated, .simulated, .stored])

  package init(_ doubts: some Sequence<Doubt>) {
    self = doubts.reduce(into: []) { $0.formUnion(DoubtSet($1)) }
  }

  package func contains(_ doubt: Doubt) -> Bool { isSuperset(of: DoubtSet(doubt)) }

  /// Adds a doubt if there is a reason for it.
  mutating func add(_ doubt: Doubt, if isDoubted: Bool) {
    if isDoubted { formUnion(DoubtSet(doubt)) }
  }

  /// The doubts in the order of ``Doubt/allCases``.
  package var doubts: [Doubt] { isEmpty ? [] : Doubt.allCases.filter(contains) }

  /// The names of the doubts.
  package func names(between separator: String) -> String {
    doubts.map(\.rawValue).joined(separator: separator)
  }
}

extension Doubt {
  fileprivate var place: UInt16 {
    switch self {
    case .jump: 0
    case .frozen: 1
    case .height: 2
    case .sky: 3
    case .time: 4
    case .interference: 5
    case .estimated: 6
    case .simulated: 7
    case .stored: 8
    case .zero: 9
    case .claim: 10
    }
  }
}
