import LocationCore
import LocationText
import LocwatchSystem

/// The fix that came nearest to what was asked for, and the first thing that it lacked.
struct NearestFix: Sendable {
  /// What a fix lacked, in the order in which it is looked for.
  private enum Lack: Int, Comparable {
    case dimension, quality, accuracy, belief, currency, nothing

    static func < (lhs: Lack, rhs: Lack) -> Bool { lhs.rawValue < rhs.rawValue }
  }

  private let lack: Lack
  private let quality: FixQuality
  private let accuracy: Double?
  private let doubts: DoubtSet

  init(_ fix: LocationFix, of request: LocationRequest) {
    quality = fix.quality ?? .gps
    accuracy = fix.accuracy
    doubts = fix.doubtSet
    let isAccurate =
      request.desiredAccuracy.map { desired in fix.accuracy.map { $0 <= desired } ?? false } ?? true
    let isGood = request.minimumQuality.map(quality.isAtLeast) ?? true
    lack =
      if fix.mode < request.minimumMode {
        .dimension
      } else if !isGood {
        .quality
      } else if !isAccurate {
        .accuracy
      } else if request.onlyBelieved, !doubts.isEmpty {
        .belief
      } else {
        fix.isCurrent ? .nothing : .currency
      }
  }

  /// Whether it lacked nothing. What counts is then what came after it.
  var isWanted: Bool { lack == .nothing }

  /// Whether this fix came nearer than another one.
  func isNearer(than other: NearestFix) -> Bool {
    guard lack == other.lack else { return lack > other.lack }
    return switch lack {
    case .quality: rank > other.rank
    case .accuracy: (accuracy ?? .infinity) < (other.accuracy ?? .infinity)
    case .dimension, .belief, .currency, .nothing: false
    }
  }

  private var rank: Int { quality.rank ?? -1 }

  /// `a 2D fix at best`, `quality dgps at best`, `accurate to 17.1 m at best`
  var words: String {
    switch lack {
    case .dimension: "a 2D fix at best"
    case .quality: "quality \(quality.name) at best"
    case .accuracy:
      accuracy.map { "accurate to \(Text.rounded($0, places: 1)) m at best" } ?? "accuracy unknown"
    case .belief: "doubted (\(Text.list(doubts.doubts.map(\.rawValue))))"
    case .currency: "none of its fixes is current"
    case .nothing: "no newer fix"
    }
  }

  /// What to try.
  func hint(_ request: LocationRequest) -> Message {
    switch lack {
    case .dimension: Hint.tooWeak(for: "--fix")
    case .quality where request.minimumQuality?.isAtLeast(.rtkFloat) == true:
      "\(Hint.tooWeak(for: "--quality")) \(Hint.corrections)"
    case .quality: Hint.tooWeak(for: "--quality")
    case .accuracy: Hint.tooWeak(for: "--accuracy")
    case .belief: Hint.notBelieved
    case .currency, .nothing: Hint.waitLonger
    }
  }
}
