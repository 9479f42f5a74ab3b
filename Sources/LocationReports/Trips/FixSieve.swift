import LocationCore

/// The fixes of a receiver that count for its trip, one or less in a second and without short jumps, and the noise of
/// their positions.
struct FixSieve: Sendable {
  /// The minimum time between fixes that count, in seconds. It is below 1 because times are not exact.
  private static let leastInterval = 0.99
  /// After a shorter time than this, and than three intervals, a receiver was seen on its way.
  private static let shortestAbsence = Nanoseconds.seconds(10)
  /// A shorter silence than this, and than three intervals, does not end a leg.
  private static let shortestSilence = Nanoseconds.seconds(600)
  /// The maximum number of fixes that wait until the noise is known.
  private static let mostWaiting = 30

  private var observer = NoiseObserver()
  /// The last fix, whether or not it counts.
  private(set) var last: TripFix?
  /// The last fix that counts.
  private var newest: TripFix?
  private var reports = ReportPace()
  private var jumps = JumpFilter()
  /// The fixes that wait until the noise is known, and whether they still do.
  private var (waiting, isWaiting) = ([TripFix](), true)

  var noise: TripNoise { observer.noise }

  /// The earliest fix that waits, and the distance from it to the last one, in metres.
  var firstWaiting: TripFix? { waiting.first }
  var wayWaited: Double { waiting.last.map { waiting[0].distance(to: $0) } ?? 0 }

  /// How long a silence lasts until it ends a leg, in seconds.
  var longestSilence: Double { reports.silence(atLeast: Self.shortestSilence).inSeconds }

  /// Returns the fixes that count now.
  mutating func add(_ fix: TripFix) -> [TripFix] {
    var fix = fix
    if let last { fix.seconds = last.seconds + last.elapsed(to: fix) }
    last = fix
    guard let newest else {
      _ = jumps.judge(fix)
      return accept(fix)
    }
    let seconds = fix.seconds - newest.seconds
    guard seconds >= Self.leastInterval else { return [] }
    let (absence, silence) = (
      reports.silence(atLeast: Self.shortestAbsence).inSeconds, longestSilence
    )
    let verdict = jumps.judge(fix)
    if seconds > silence {
      fix.approach = .silent
    } else {
      switch verdict {
      case .jumps: return []
      case .follows: fix.approach = seconds > absence ? .absent : .seen
      case .isElsewhere:
        fix.approach =
          newest.distance(to: fix) > TripFix.fastest * seconds ? .impossible : .jumped
      }
    }
    reports.add(Nanoseconds(nearestTo: seconds * 1e9))
    return accept(fix)
  }

  /// Returns the fixes that still wait.
  mutating func flush() -> [TripFix] {
    defer { (waiting, isWaiting) = ([], false) }
    return waiting
  }

  /// Returns the fixes that still wait, and the last one, which may be too close to the one before to count.
  mutating func finish() -> [TripFix] {
    guard let last, let newest, last.number > newest.number, jumps.judge(last) == .follows
    else { return flush() }
    return flush() + [last]
  }

  private mutating func accept(_ fix: TripFix) -> [TripFix] {
    newest = fix
    let follows = fix.approach == .seen || fix.approach == .absent
    if !follows { observer.interrupt() }
    observer.record(fix)
    guard isWaiting else { return [fix] }
    waiting.append(fix)
    let isSlow =
      waiting.count > 1
      && fix.seconds - waiting[0].seconds > NoiseObserver.longestStep * Double(waiting.count - 1)
    let waits = follows && !isSlow && !noise.isKnown && waiting.count < Self.mostWaiting
    return waits ? [] : flush()
  }
}
