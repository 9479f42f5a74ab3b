/// Finds the fixes that show a movement: each is farther from the one before, its mark, than noise explains.
///
/// A single fix is no evidence: the next one has to be away from the mark, too. The measured speed can deny a movement:
/// if it explains less than a third of the distance, the distance has to be longer than a stop is wide.
struct TripMarks: Sendable {
  /// A movement from a mark to the next one.
  struct Step: Sendable {
    let mark: TripFix
    /// The latest fixes at the mark.
    let since: [TripFix]
    let fix: TripFix
    /// Its length, the length of the slowest movement in its time, and that of noise, in metres.
    let way, lost, noise: Double
    /// Whether the receiver was seen on its way, and whether its speed or a jump denies that it moved.
    let isSeen, isDenied: Bool
  }

  enum Finding: Sendable {
    case moves(Step)
    /// The receiver is near its mark, and for so long that the slowest movement had the given length in metres. The
    /// position shows nothing if claimed errors explain the distance.
    case stays(lost: Double, isVague: Bool)
  }

  /// A receiver that is slower stays, in metres per second. No walk is slower, and an anchor swings slower.
  static let slowest = 0.25
  /// The shortest movement, in metres: waves are shorter.
  private static let shortestWay = 3.0
  /// A distance that is this many times longer than the measured speed explains is denied by it.
  private static let denial = 3.0
  /// The maximum number of fixes since the mark that are kept.
  private static let mostKept = 128

  private(set) var mark: TripFix
  /// The latest fixes since the mark.
  private(set) var since: [TripFix] = []
  /// Since the receiver was last near the mark: the integral of the measured speed in metres, `nil` if it is unknown,
  /// whether it was seen, and whether its position jumped.
  private var (measured, isSeen, hasJumped): (Double?, Bool, Bool) = (0, true, false)
  /// The movement to the last fix, which counts if the next one is away, too.
  private(set) var pending: Step?

  init(at fix: TripFix) { mark = fix }

  /// The last fix that does not wait for the next one, and the last of all.
  var newest: TripFix { since.last ?? mark }
  var latest: TripFix { pending?.fix ?? newest }

  /// Adds a fix.
  ///
  /// - Parameters:
  ///   - reach: How wide a stop is, in metres.
  /// - Returns: The movement that is certain now, and what the fix itself shows; `nil` if the next one has to confirm it.
  mutating func add(
    _ fix: TripFix, _ noise: TripNoise, reach: Double
  ) -> (confirmed: Step?, found: Finding?) {
    let step = pending.take()
    let isConfirmed = step.map { mark.distance(to: fix) >= $0.noise / 2 } ?? false
    if let step, isConfirmed { advance(to: step.fix) }
    return (isConfirmed ? step : nil, find(fix, noise, reach: reach))
  }

  /// Takes the last movement for certain.
  mutating func confirm() -> Step? {
    guard let step = pending.take() else { return nil }
    advance(to: step.fix)
    return step
  }

  private mutating func find(_ fix: TripFix, _ noise: TripNoise, reach: Double) -> Finding? {
    let before = newest
    let (seconds, way) = (fix.seconds - mark.seconds, mark.distance(to: fix))
    let farthest = max(Self.shortestWay, noise.reach(over: seconds))
    if mark.distance(to: before) < farthest / 2 { (measured, isSeen, hasJumped) = (0, true, false) }
    measured = measured.flatMap { sum in
      before.steadySpeed(to: fix).map { sum + $0 * (fix.seconds - before.seconds) }
    }
    isSeen = isSeen && fix.approach == .seen
    hasJumped = hasJumped || fix.approach == .jumped
    let isDenied = measured.map { way > Self.denial * $0 } ?? false
    let isVague = way < max(fix.possibleError(reach), mark.possibleError(reach))
    let lost = Self.slowest * seconds
    if isVague || way < (isDenied ? max(farthest, reach) : farthest) {
      if since.count == Self.mostKept { since.removeFirst(Self.mostKept / 2) }
      since.append(fix)
      return .stays(lost: lost, isVague: isVague)
    }
    let step = Step(
      mark: mark, since: since, fix: fix, way: way, lost: lost, noise: farthest,
      isSeen: isSeen, isDenied: isDenied || hasJumped)
    guard fix.seconds - before.seconds <= NoiseObserver.longestStep else {
      advance(to: fix)
      return .moves(step)
    }
    pending = step
    return nil
  }

  private mutating func advance(to fix: TripFix) {
    (mark, since, measured, isSeen, hasJumped) = (fix, [], 0, true, false)
  }
}

/// The progress of a receiver: the way between its marks, less that of the slowest movement in the same time.
struct Progress: Sendable {
  /// How far the progress has fallen since its highest value, and risen since its lowest one, in metres.
  private(set) var lost = 0.0
  private(set) var gained = 0.0

  init(gained: Double = 0) { self.gained = gained }

  /// - Parameters:
  ///   - way: The length of a movement, in metres.
  ///   - lost: That of the slowest movement in the same time.
  mutating func add(_ way: Double, lost: Double) {
    self.lost = max(0, self.lost + lost - way)
    gained = max(0, gained - lost) + way
  }
}
