/// Doubts a view of the sky that is impossible: satellites in use are below the horizon or have no signal, or all
/// strengths are equal or rise together, as those of a single transmitter do.
struct SkyDoubt: Sendable {
  /// How a sky is wrong.
  enum Fault: Hashable, Sendable { case belowHorizon, noSignal, alike, rise }

  /// How much longer a fault must be present than absent for a doubt, in seconds: one view is no evidence.
  static let onset = 5.0
  /// How much longer it must be absent than present to end the doubt, in seconds: a forged sky can seem right.
  static let recovery = 60.0
  /// The maximum time that counts between two views with a fault, in seconds: nobody knows the sky between them, so
  /// that three views must have it. The same for two views without one.
  private static let longestFault = onset / 2
  private static let longestPause = 5.0
  /// A satellite below this elevation is below the horizon: a balloon sees satellites down to -5 degrees.
  static let horizon = -10.0
  /// Strengths of eight or more satellites are equal within this number of dB, if their elevations differ by this
  /// number of degrees: in a true sky, low satellites are weaker, and of fewer satellites all can be equal by chance.
  static let alike = 1.5
  static let elevations = 40.0
  static let leastCount = 8
  /// The rise of the mean, and of the weakest and the strongest signal, in dB within 10 s, after which no signal is
  /// much weaker than the others, and the mean is higher than ever before by half the rise. After a garage, all
  /// signals rise, but by different amounts; after a jammer, they are no stronger than before it.
  static let rise = 6.0
  static let riseOfEnds = 4.0
  static let risenSpread = 6.0
  static let riseTime = 10.0
  /// A rise is no longer remembered after this number of seconds: the sky is another one by then.
  private static let longestRise = 600.0

  /// Strengths of up to 10 s ago.
  private var before: (strengths: SkyStrengths, moment: Moment)?
  /// The highest mean strength so far.
  private var highest = -Double.infinity
  /// Whether the satellites ever differed: a receiver without strengths may report one number for all.
  private var hasStrengths = false
  /// The mean before a rise, and when the rise was.
  private var risen: (mean: Double, moment: Moment)?
  /// The last view, and whether that had a fault.
  private var last: (moment: Moment, hadFault: Bool)?
  /// The seconds with a fault minus those without one. A time counts if the views at both of its ends agree.
  private var evidence = 0.0
  private(set) var fault: Fault?

  var isDoubted: Bool { fault != nil }

  /// Handles the strengths of a view.
  mutating func handle(_ strengths: SkyStrengths, at moment: Moment) {
    let found = fault(in: strengths, at: moment)
    let isFault = found != nil
    if let last, last.hadFault == isFault {
      let seconds = last.moment.nanoseconds(to: moment).inSeconds
      let counted =
        isFault ? min(seconds, Self.longestFault) : -min(seconds, Self.longestPause)
      evidence = max(0, min(evidence + counted, Self.recovery))
    }
    last = (moment, isFault)
    if let found, fault == nil, evidence >= Self.onset {
      fault = found
      evidence = Self.recovery
    }
    if evidence == 0 { fault = nil }
  }

  private mutating func fault(in strengths: SkyStrengths, at moment: Moment) -> Fault? {
    // A single wrong satellite can come from an old almanac. Some receivers report no strengths at all.
    if strengths.below >= 2 { return .belowHorizon }
    if strengths.weak >= 4, strengths.weak > strengths.count, strengths.heard > 0 {
      return .noSignal
    }
    if strengths.most > strengths.least { hasStrengths = true }
    if hasStrengths, strengths.isAlike { return .alike }
    return hasRisen(to: strengths, at: moment) ? .rise : nil
  }

  private mutating func hasRisen(to strengths: SkyStrengths, at moment: Moment) -> Bool {
    guard strengths.isEnough else { return false }
    if let rise = risen {
      let isOld = rise.moment.nanoseconds(to: moment).inSeconds > Self.longestRise
      if !isOld, strengths.mean - rise.mean >= Self.rise / 2 { return true }
      risen = nil
      before = nil
    }
    let (old, age) = (
      before?.strengths, before?.moment.nanoseconds(to: moment).inSeconds ?? .infinity
    )
    let riseAboveAll = strengths.mean - highest
    if age > Self.riseTime {
      before = (strengths, moment)
      highest = max(highest, strengths.mean)
    }
    // The next view after those 10 s is compared, too.
    guard let old, age <= 2 * Self.riseTime, strengths.hasRisen(from: old),
      riseAboveAll >= Self.rise / 2
    else { return false }
    risen = (old.mean, moment)
    return true
  }
}

/// The strengths of the satellites in use, in dBHz, and their elevations, in degrees: a summary of a list.
package struct SkyStrengths: Hashable, Sendable {
  private(set) var (least, most, sum, count) = (Double.infinity, -Double.infinity, 0.0, 0)
  private var (lowest, highest) = (Double.infinity, -Double.infinity)
  /// How many are in use without a signal or far below the horizon, and how many have a signal, in use or not.
  private(set) var (weak, below, heard) = (0, 0, 0)

  package init() {}

  init(_ satellites: [Satellite]) {
    for satellite in satellites {
      add(
        satellite.signalStrength, elevation: satellite.elevation, isUsed: satellite.isUsed)
    }
  }

  /// Adds a signal of a satellite.
  @inline(__always)
  mutating func add(_ strength: Double?, elevation: Double?, isUsed: Bool) {
    if let strength, strength > 0 { heard &+= 1 }
    guard isUsed else { return }
    if let elevation, elevation < SkyDoubt.horizon { below &+= 1 }
    guard let strength else { return }
    guard strength > 0 else {
      weak &+= 1
      return
    }
    least = min(least, strength)
    most = max(most, strength)
    sum += strength
    count &+= 1
    guard let elevation else { return }
    lowest = min(lowest, elevation)
    highest = max(highest, elevation)
  }

  var mean: Double { sum / Double(count) }
  var isEnough: Bool { count >= SkyDoubt.leastCount }
  var isAlike: Bool {
    isEnough && most - least <= SkyDoubt.alike && highest - lowest >= SkyDoubt.elevations
  }

  func hasRisen(from before: SkyStrengths) -> Bool {
    isEnough && before.isEnough && mean - before.mean >= SkyDoubt.rise
      && least - before.least >= SkyDoubt.riseOfEnds && most - before.most >= SkyDoubt.riseOfEnds
      && most - least <= SkyDoubt.risenSpread
  }
}
