/// Decides whether the positions of a receiver can be believed.
///
/// Each reason to doubt is a struct of its own with an ``isDoubted``. Nothing changes without a report, so
/// there is no deadline. A position that is not measured is not compared with others.
package struct DoubtMachine: Sendable {
  /// The doubts of the last fix.
  package private(set) var doubts: DoubtSet = []

  private(set) var jump = JumpDoubt()
  private(set) var frozen = FrozenDoubt()
  private(set) var height = HeightDoubt()
  private(set) var sky = SkyDoubt()
  private(set) var time: TimeDoubt
  private(set) var interference = InterferenceDoubt()
  private(set) var quality = QualityDoubt()
  /// When the last fix arrived, and its time.
  private var last: (moment: Moment, time: Timestamp?)?
  /// The seconds since the last fix that was measured.
  private var elapsed = 0.0

  /// - Parameter clockError: Returns by how many seconds this machine's clock can be wrong; `nil` if nobody
  ///   keeps it right.
  package init(clockError: @escaping @Sendable () -> Double? = { nil }) {
    time = TimeDoubt(clockError: clockError)
  }

  /// Handles a fix, and returns whether the doubts have changed. Those of the fix, which its provider has
  /// judged before, count as well.
  ///
  /// - Parameter moment: When it arrived.
  package mutating func handle(_ fix: borrowing LocationFix, at moment: Moment) -> Bool {
    let step = step(to: fix, at: moment)
    let quality = fix.quality
    elapsed += step
    self.quality.handle(quality, after: step)
    time.handle(fix, at: moment)
    interference.handle(jam: fix.jam)
    // Without a time of its own, a fix that arrives with another one can be of any moment.
    if quality?.isMeasured != false, step > 0 || fix.time != nil {
      jump.handle(fix, after: elapsed)
      frozen.handle(fix, after: elapsed)
      height.handle(fix, after: elapsed)
      elapsed = 0
    }
    let previous = doubts
    doubts = fix.doubtSet
    addOwn(isMeasured: quality?.isMeasured != false)
    return doubts != previous
  }

  /// Handles a view of the sky. What it changes is told with the next fix.
  package mutating func handle(_ view: borrowing SkyView, at moment: Moment) {
    guard
      let strengths = view.values.satellites.map(SkyStrengths.init) ?? view.values.strengths.value
    else { return }
    sky.handle(strengths, at: moment)
  }

  /// Begins with the positions of another source, whose place is another one.
  package mutating func changeSource() {
    let told = doubts
    self = DoubtMachine(clockError: time.clockError)
    doubts = told
  }

  /// Returns the seconds since the last fix: by arrival, and by the receiver's clock if that tells more and
  /// has not jumped, as after a pause of this process.
  private mutating func step(to fix: borrowing LocationFix, at moment: Moment) -> Double {
    guard let before = last else {
      last = (moment, fix.time)
      return 0
    }
    last = (moment, fix.time ?? before.time)
    let arrived = max(0, before.moment.nanoseconds(to: moment).inSeconds)
    // A recording without receive times stands still where the receiver's time jumps, and knows no other.
    guard fix.timeJump == nil || arrived == 0, let time = fix.time, let beforeTime = before.time
    else { return arrived }
    return max(arrived, beforeTime.nanoseconds(to: time).inSeconds)
  }

  private mutating func addOwn(isMeasured: Bool) {
    doubts.add(.jump, if: isMeasured && jump.isDoubted)
    doubts.add(.frozen, if: isMeasured && frozen.isDoubted)
    doubts.add(.height, if: isMeasured && height.isDoubted)
    doubts.add(.sky, if: isMeasured && sky.isDoubted)
    doubts.add(.time, if: time.isDoubted)
    doubts.add(.interference, if: interference.isDoubted)
    doubts.add(.estimated, if: quality.isEstimated)
    doubts.add(.simulated, if: quality.isSimulated)
    doubts.add(.stored, if: quality.isStored)
  }
}
