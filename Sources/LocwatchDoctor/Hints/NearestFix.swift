import LocationCore
import LocationText
import LocwatchSystem

/// The fix that was closest to the request, and the first property that it lacked.
struct NearestFix: Sendable {
  /// `nil` if it lacked nothing, although it may not have been current.
  private let lack: LocationFix.Lack?
  private let isCurrent: Bool
  private let quality: FixQuality
  private let accuracy: Double?
  private let doubts: DoubtSet

  init(_ fix: LocationFix, of request: LocationRequest) {
    quality = fix.quality ?? .gps
    accuracy = fix.horizontalError
    isCurrent = fix.isCurrent
    lack = fix.lack(of: request)
    // Before there is a doubt, a fix can lack belief only because of its time.
    doubts = fix.doubtSet.isEmpty ? DoubtSet(Doubt.time) : fix.doubtSet
  }

  /// Whether it lacked nothing. In that case, the fixes after it count.
  var isWanted: Bool { lack == nil && isCurrent }

  /// Whether this fix was closer to the request than another one.
  func isNearer(than other: NearestFix) -> Bool {
    guard lack == other.lack else { return progress > other.progress }
    return switch lack {
    case .quality: rank > other.rank
    case .accuracy: (accuracy ?? .infinity) < (other.accuracy ?? .infinity)
    case .dimension, .belief: false
    case nil: isCurrent && !other.isCurrent
    }
  }

  /// How many of the requested properties it had.
  private var progress: Int { lack?.rawValue ?? .max }

  private var rank: Int { quality.rank ?? -1 }

  /// `a 2D fix at best`, `quality dgps at best`, `accurate to 17.1 m at best`
  var words: String {
    switch lack {
    case .dimension: "a 2D fix at best"
    case .quality: "quality \(quality.name) at best"
    case .accuracy:
      accuracy.map { "accurate to \(Text.rounded($0, places: 1)) m at best" } ?? "accuracy unknown"
    case .belief: "doubted (\(Text.list(doubts.doubts.map(\.rawValue))))"
    case nil: isCurrent ? "no newer fix" : "none of its fixes is current"
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
    case nil: Hint.waitLonger
    }
  }
}
