/// Earlier positions or heights of a receiver that agree, with which a new one is compared.
protocol DoubtTrack: Sendable {
  /// Why a fix does not agree.
  associatedtype Gap: Sendable

  /// Returns whether a fix has the values that are compared.
  static func compares(_ fix: borrowing LocationFix) -> Bool

  /// - Parameter track: The track that leads; `nil` if there is none.
  init(at fix: borrowing LocationFix, after track: Self?)

  /// Advances the track to the time of a fix, whether or not the fix belongs to the track.
  mutating func advance(to fix: borrowing LocationFix, after elapsed: Double)

  /// Adds a fix to which the track was advanced, unless there is a gap between them.
  ///
  /// - Parameter share: The share of the noise that is tolerated.
  mutating func add(_ fix: borrowing LocationFix, share: Double) -> Gap?
}

/// How long tracks have to agree, in seconds. These times do not follow the interval of the reports: as no report
/// counts for more than 5 s, a receiver that reports rarely needs two for a first place, and six for another one.
enum Agreement {
  /// The lead with which a first track is believed: with 40 % lies, a false one has it in two of 100 starts.
  static let first = 10.0
  /// The lead with which another one is believed instead: lies in runs of a few seconds never have it. Also the most.
  static let change = 30.0
  /// The maximum time that counts for a pause: two fixes have to agree, however rare they are.
  static let longestStep = 5.0
  /// A track without a fix for this time and this number of fixes is forgotten, unless it leads: either can be one step.
  static let (memory, fixes) = (60.0, 10)
  /// The share of the noise that another track may have while one is believed: a track that has been wrong
  /// has to be more precise than one that has not.
  static let share = 0.5
}

/// Tracks of a receiver that contradict each other. The one with the most evidence is believed.
///
/// Only the number of returns shows which of two places is wrong. Each fix therefore adds some seconds to the score of
/// the track that it agrees with, and subtracts them from the scores of the others, which stay between 0 and 30 s. It
/// does not matter which track was first. Without a contradiction, everything is believed. After one, if no track is
/// believed yet, all are doubted until one leads by 10 s. Later, another track is believed when it leads by 30 s: half
/// a minute after a jump that lasts, and never if most fixes are still at the old place. Until the believed track has
/// led by 30 s itself, its first 10 s may have been chance, so it is doubted again when it no longer leads.
///
/// A fix adds the mean time between fixes, whichever track it agrees with, because who reports a false place also
/// decides how long before a true fix that is: equal numbers are equal scores, and a minority loses. Nor does a track
/// score faster than time passes: it adds no more than the time since it last did.
///
/// A fix that agrees with no track is doubted and changes no score. It begins a track, which replaces the weakest
/// one, so that fixes that are wrong in different ways do not reduce the scores of other tracks.
struct RivalTracks<Track: DoubtTrack>: Sendable {
  private struct Rival: Sendable {
    var track: Track
    /// The score: the seconds of agreement minus those in which other tracks agreed.
    var agreed = 0.0
    /// The seconds that it can still add.
    var unspent = 0.0
    /// The seconds since its last fix, and the fixes of others since then.
    var silent = 0.0
    var missed = 0

    var isForgotten: Bool { silent > Agreement.memory && missed > Agreement.fixes }

    mutating func count(_ seconds: Double, isOwn: Bool) {
      agreed = isOwn ? min(agreed + seconds, Agreement.change) : max(0, agreed - seconds)
    }

    /// Lets time pass.
    mutating func wait(_ seconds: Double) {
      unspent = min(unspent + seconds, Agreement.longestStep)
    }

    /// Returns the seconds that a fix of this track adds, up to a maximum.
    mutating func spend(_ most: Double) -> Double {
      let seconds = min(unspent, most)
      unspent -= seconds
      (silent, missed) = (0, 0)
      return seconds
    }
  }

  /// The track that is believed or, if none is, the one with the highest score.
  private var leader: Rival?
  /// The others, at most two: with one, a single false fix elsewhere would take what a second place has gained.
  private var others: [Rival] = []
  private static var maximumCount: Int { 2 }
  /// Whether the leader is believed.
  private var isDecided = false
  /// Whether it has led by as much as another one would need to replace it.
  private var isProven = false
  /// The seconds since the last fix that was compared.
  private var elapsed = 0.0
  /// The time between fixes while tracks contradict each other.
  private var steps = RecentSteps()
  /// Why the last fix that was compared is doubted.
  private(set) var gap: Track.Gap?

  var isDoubted: Bool { gap != nil }

  /// Handles a fix.
  ///
  /// - Parameters:
  ///   - step: The seconds since the previous fix, in which the receiver can have moved.
  ///   - arrived: The same by the local clock, which a receiver cannot influence.
  mutating func handle(_ fix: borrowing LocationFix, after step: Double, arrived: Double) {
    elapsed += step
    guard Track.compares(fix) else { return }
    guard leader != nil else {
      leader = Rival(track: Track(at: fix, after: nil))
      elapsed = 0
      return
    }
    leader?.track.advance(to: fix, after: elapsed)
    let gap = leader?.track.add(fix, share: 1)
    let seconds = min(arrived, Agreement.longestStep)
    if gap == nil, others.isEmpty {
      leader?.count(seconds, isOwn: true)
      decide()
      self.gap = nil
    } else {
      judge(fix, gap, seconds)
    }
    elapsed = 0
  }

  /// Compares a fix with the other tracks unless it agrees with the leader, and decides which is believed.
  private mutating func judge(
    _ fix: borrowing LocationFix, _ leadersGap: Track.Gap?, _ seconds: Double
  ) {
    if others.isEmpty { steps = RecentSteps() } else { steps.add(seconds) }
    leader?.wait(seconds)
    for index in others.indices {
      others[index].track.advance(to: fix, after: elapsed)
      others[index].wait(seconds)
      others[index].silent += elapsed
      others[index].missed += 1
    }
    var own: Int?
    if let leadersGap {
      gap = leadersGap
      let share = isDecided ? Agreement.share : 1
      own = others.indices.first { others[$0].track.add(fix, share: share) == nil }
      guard own != nil else { return begin(at: fix) }
    }
    count(own)
    if let rival = own, let leader, others[rival].agreed > leader.agreed,
      !isDecided || others[rival].agreed - leader.agreed >= Agreement.change
    {
      (self.leader, others[rival]) = (others[rival], leader)
      own = nil
    }
    others.removeAll(where: \.isForgotten)
    decide()
    if own == nil, isDecided || others.isEmpty { gap = nil }
  }

  /// Counts a fix for the track that it agrees with, and against the others.
  ///
  /// - Parameter own: The index of the track; `nil` for the leader.
  private mutating func count(_ own: Int?) {
    let seconds = own.map { others[$0].spend(steps.mean) } ?? leader?.spend(steps.mean) ?? 0
    leader?.count(seconds, isOwn: own == nil)
    for index in others.indices { others[index].count(seconds, isOwn: index == own) }
  }

  /// Decides whether the leader is believed.
  private mutating func decide() {
    guard let leader else { return }
    let lead = leader.agreed - others.reduce(0) { max($0, $1.agreed) }
    isProven = isProven || lead >= Agreement.change
    isDecided = isDecided ? isProven || lead > 0 : lead >= Agreement.first
  }

  private mutating func begin(at fix: borrowing LocationFix) {
    if others.count == Self.maximumCount {
      let weakest = others.indices.min {
        (others[$0].agreed, -others[$0].silent) < (others[$1].agreed, -others[$1].silent)
      }
      if let weakest { others.remove(at: weakest) }
    }
    others.append(Rival(track: Track(at: fix, after: leader?.track)))
  }
}

/// The last steps between fixes, in seconds.
private struct RecentSteps: Sendable {
  /// The number of steps in the mean, few so that it follows the receiver, and even for two steps that alternate.
  private static let maximumCount = 16

  private var steps: [Double] = []
  private var next = 0

  var mean: Double { steps.reduce(0, +) / Double(max(steps.count, 1)) }

  mutating func add(_ step: Double) {
    guard steps.count == Self.maximumCount else { return steps.append(step) }
    steps[next] = step
    next = (next + 1) % Self.maximumCount
  }
}
