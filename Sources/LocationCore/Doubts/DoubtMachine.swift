/// Decides whether the positions of a receiver can be believed.
///
/// Each reason to doubt is a separate struct with an ``isDoubted``. Nothing changes without a report, so there is no
/// deadline. A position that is not measured, or is doubted for its own value, is not compared with others: a jump
/// from such a place does not make the new one doubtful.
package struct DoubtMachine: Sendable {
  /// The doubts of the last fix.
  package private(set) var doubts: DoubtSet = []

  private(set) var claims = ClaimDoubt()
  private(set) var jump = RivalTracks<PositionTrack>()
  private(set) var frozen = FrozenDoubt()
  private(set) var height = RivalTracks<HeightTrack>()
  private(set) var sky = SkyDoubt()
  private(set) var time: TimeDoubt
  private(set) var interference = InterferenceDoubt()
  private(set) var quality = QualityDoubt()
  /// When the last fix arrived, and its time.
  private var last: (moment: Moment, time: Timestamp?)?
  /// The seconds since the last fix that could be compared, and since the last that was.
  private var (elapsed, uncompared) = (0.0, 0.0)

  /// - Parameter clockError: Returns by how many seconds the local clock can be wrong; `nil` if nothing
  ///   keeps it right.
  package init(clockError: @escaping @Sendable () -> Double? = { nil }) {
    time = TimeDoubt(clockError: clockError)
  }

  /// Handles a fix, and returns whether the doubts have changed. Doubts that the fix already has, from its
  /// provider, are kept.
  ///
  /// - Parameter moment: When it arrived.
  package mutating func handle(_ fix: borrowing LocationFix, at moment: Moment) -> Bool {
    let (step, arrived) = step(to: fix, at: moment)
    let quality = fix.quality
    elapsed += step
    uncompared += step
    self.quality.handle(quality, after: step)
    time.handle(fix, at: moment)
    interference.handle(jam: fix.interference)
    claims.handle(fix)
    let isPlace = quality?.isMeasured != false && !claims.isDoubted
    // A fix without a time that arrives together with another one can be from any moment.
    if isPlace, step > 0 || fix.time != nil {
      frozen.handle(fix, after: elapsed)
      elapsed = 0
      if !frozen.isDoubted, !sky.isDoubted, !interference.isDoubted {
        jump.handle(fix, after: uncompared, arrived: arrived)
        height.handle(fix, after: uncompared, arrived: arrived)
        uncompared = 0
      }
    }
    let previous = doubts
    doubts = fix.doubtSet
    addOwn(isPlace: isPlace)
    return doubts != previous
  }

  /// Handles a view of the sky. Its effects are reported with the next fix.
  package mutating func handle(_ view: borrowing SkyView, at moment: Moment) {
    guard
      let strengths = view.values.satellites.map(SkyStrengths.init) ?? view.values.strengths.value
    else { return }
    sky.handle(strengths, at: moment)
  }

  /// Starts again with the positions of another source, which is at another place.
  package mutating func changeSource() {
    let told = doubts
    self = DoubtMachine(clockError: time.clockError)
    doubts = told
  }

  /// Returns the seconds since the last fix, and then those by its arrival only. The first value is by the receiver's
  /// clock if that shows more, as after a pause of this process, and has not jumped; otherwise, it is by arrival.
  private mutating func step(
    to fix: borrowing LocationFix, at moment: Moment
  ) -> (step: Double, arrived: Double) {
    guard let before = last else {
      last = (moment, fix.time)
      return (0, 0)
    }
    last = (moment, fix.time ?? before.time)
    let arrived = max(0, before.moment.nanoseconds(to: moment).inSeconds)
    // In a recording without receive times, only the receiver's time shows what has passed, even if it jumps.
    guard fix.timeJump == nil || arrived == 0, let time = fix.time, let beforeTime = before.time
    else { return (arrived, arrived) }
    return (max(arrived, beforeTime.nanoseconds(to: time).inSeconds), arrived)
  }

  private mutating func addOwn(isPlace: Bool) {
    doubts.add(.jump, if: isPlace && jump.isDoubted)
    doubts.add(.frozen, if: isPlace && frozen.isDoubted)
    doubts.add(.height, if: isPlace && height.isDoubted)
    doubts.add(.sky, if: isPlace && sky.isDoubted)
    doubts.add(.time, if: time.isDoubted)
    doubts.add(.interference, if: interference.isDoubted)
    doubts.add(.zero, if: claims.isZero)
    doubts.add(.claim, if: claims.claim != nil)
    doubts.add(.estimated, if: quality.isEstimated)
    doubts.add(.simulated, if: quality.isSimulated)
    doubts.add(.stored, if: quality.isStored)
  }
}
