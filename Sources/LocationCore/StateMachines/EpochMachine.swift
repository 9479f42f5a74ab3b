/// Groups the reports of one receiver into epochs: reports with the same time form an epoch, which
/// gives one fix.
///
/// - A report that is as complete as earlier epochs is written at once.
/// - A less complete one is held for the rest of its epoch, at most ``maximumHold``. If an accuracy
///   is needed and missing, it is held until the next epoch.
/// - A report with the position of the previous epoch is held in the same way, if more reports are
///   expected: gpsd can report a new time before the new position.
/// - A report without a time is an epoch of its own. If a time is needed and the receiver has not
///   reported any, such reports are held for at most ``maximumWaitForTime``, and the first report with
///   a time replaces them.
struct EpochMachine: Sendable {
  /// How long an incomplete report is held for the rest of its epoch.
  static let maximumHold = Nanoseconds.milliseconds(150)
  /// How long fixes without a time are held for a fix with one.
  static let maximumWaitForTime = Nanoseconds.seconds(2)
  /// How many fixes without a time are held: those of 2 s at 10 Hz. A recording without times can be over in no time.
  static let maximumTimeless = 20

  /// What to do with a report.
  enum Verdict: Equatable {
    /// Write it now, completed by the earlier reports of its epoch.
    case write
    /// Hold it, because another report of its epoch may follow.
    case hold
    /// Ignore it: its epoch was already written, or has a better report.
    case settled
  }

  /// The report that an epoch holds.
  enum Held: Equatable {
    case fix(LocationFix, at: Moment)
    case noFix
  }

  private var time: Timestamp?
  private var opened: Moment?
  private var held: Held?
  private var hasFix = false
  private var gathered = Completeness.nothing
  private var usual = UsualCompleteness()
  /// The positions of the last report, and of the last one before this epoch.
  private var position: Coordinate?
  private var lastPosition: Coordinate?
  private var recent = RecentTimes()
  private let needs: FixNeeds
  /// Whether fixes are held until the receiver first reports a time.
  private var awaitsTime: Bool
  /// The fixes without a time that are held for one with a time, and when they arrived.
  private var timeless: [(fix: LocationFix, moment: Moment)] = []

  init(needs: FixNeeds = FixNeeds()) {
    self.needs = needs
    awaitsTime = needs.time
  }

  /// When to ``release()`` the held report; `nil` if there is none.
  private(set) var deadline: Moment?

  /// Returns whether `time` belongs to an earlier epoch that was written.
  func isRepeat(_ time: Timestamp?) -> Bool {
    guard let time, time != self.time else { return false }
    return recent.contains(time)
  }

  /// Returns whether a report with this time starts a new epoch.
  func isOver(by time: Timestamp?) -> Bool {
    opened == nil || time == nil || time != self.time
  }

  /// Whether fixes without a time are held, and an epoch with this time replaces them or is held as well.
  func keepsTimeless(until time: Timestamp?) -> Bool {
    !timeless.isEmpty && (time != nil || timeless.count < Self.maximumTimeless)
  }

  /// Starts an epoch, and drops a report that the last one still holds. Fixes without a time are kept until there is
  /// one.
  mutating func begin(_ time: Timestamp?, at moment: Moment) {
    if hasFix, timeless.isEmpty { usual.learn(gathered) }
    self.time = time
    opened = moment
    hasFix = false
    gathered = .nothing
    lastPosition = position
    drop()
    if time != nil {
      awaitsTime = false
      timeless = []
    }
  }

  /// Adds a fix to its epoch, and completes it in place.
  ///
  /// - Parameter interval: The time between epochs.
  mutating func add(
    _ fix: inout LocationFix, at moment: Moment, interval: Nanoseconds
  ) -> Verdict {
    let isWritten = hasFix && held == nil
    position = fix.coordinate
    gathered.add(fix, isInTime: (opened ?? moment).nanoseconds(to: moment) < Self.maximumHold)
    if case .fix(let earlier, _) = held { fix.combine(with: earlier, after: lastPosition) }
    hasFix = true
    if isWritten { return .settled }
    if time == nil, awaitsTime {
      timeless.append((fix, moment))
      deadline = timeless[0].moment.later(by: Self.maximumWaitForTime)
      return .hold
    }
    if let wait = waitForRest(of: fix, interval: interval) {
      let opened = opened ?? moment
      let end = opened.later(by: wait)
      if moment < end {
        hold(.fix(fix, at: opened), until: end)
        return .hold
      }
    }
    drop()
    record(written: time)
    return .write
  }

  /// Returns how long to wait for the rest of the epoch of a fix; `nil` if it is complete.
  private func waitForRest(
    of fix: borrowing LocationFix, interval: Nanoseconds
  ) -> Nanoseconds? {
    guard time != nil else { return nil }
    if needs.accuracy, !gathered.hasAccuracy { return max(interval, Self.maximumHold) }
    let expected = usual.expected
    if fix.coordinate == lastPosition, gathered.reports < expected.reports {
      return Self.maximumHold
    }
    return gathered.covers(expected) ? nil : Self.maximumHold
  }

  private mutating func hold(_ held: Held, until deadline: Moment) {
    self.held = held
    self.deadline = deadline
  }

  private mutating func drop() {
    held = nil
    deadline = nil
  }

  /// Adds a report without a position.
  ///
  /// - Parameter interval: The time between epochs, after which the epoch of a fix ends even if the
  ///   receiver's time does not change.
  mutating func add(_ noFix: NoFix, at moment: Moment, interval: Nanoseconds) -> Verdict {
    if hasFix {
      guard held == nil, let opened, opened.nanoseconds(to: moment) >= interval else {
        return .settled
      }
      return .write
    }
    if noFix.isStated || time == nil {
      drop()
      return .write
    }
    if held == nil { hold(.noFix, until: (opened ?? moment).later(by: Self.maximumHold)) }
    return .hold
  }

  /// Ends the wait for a time, and returns the fixes that are held for one.
  mutating func releaseTimeless() -> [(fix: LocationFix, moment: Moment)] {
    guard !timeless.isEmpty else { return [] }
    // The wait for a time happens once, not for each fix.
    awaitsTime = false
    defer { timeless = [] }
    return timeless
  }

  /// Ends the wait for the rest of the epoch, and returns the held report.
  mutating func release() -> Held? {
    defer { drop() }
    if case .fix = held { record(written: time) }
    return held
  }

  /// Forgets the current epoch, but not which times were written.
  mutating func reset() {
    time = nil
    opened = nil
    drop()
    awaitsTime = needs.time
    timeless = []
    hasFix = false
    gathered = .nothing
    usual = UsualCompleteness()
    position = nil
    lastPosition = nil
  }

  /// Forgets everything, because the reports come from another source.
  mutating func startOver() { self = EpochMachine(needs: needs) }

  private mutating func record(written time: Timestamp?) {
    if let time { recent.insert(time) }
  }
}

/// The quantities for which a fix is held, if its receiver may report them.
struct FixNeeds: Hashable, Sendable {
  /// Whether a fix is useless without an accuracy.
  var accuracy = false
  /// Whether receivers eventually report a time.
  var time = false
}

extension LocationFix {
  /// Becomes the better of two reports of one epoch, with the quantities that only the other one has.
  ///
  /// - Parameters:
  ///   - earlier: The report before this one.
  ///   - last: The position before the epoch.
  fileprivate mutating func combine(with earlier: LocationFix, after last: Coordinate?) {
    let received = earlier.received
    if isBetter(than: earlier, after: last) {
      complete(from: earlier)
    } else {
      var better = earlier
      better.complete(from: self)
      self = better
    }
    self.received = received
  }

  /// Returns whether this report is better than an earlier one of the same epoch: a new position is better
  /// than that of the previous epoch, and of two new ones, the one with the smaller error is better.
  private func isBetter(than earlier: LocationFix, after last: Coordinate?) -> Bool {
    guard coordinate != earlier.coordinate, earlier.coordinate != last else { return true }
    guard coordinate != last else { return false }
    return horizontalError ?? .infinity <= earlier.horizontalError ?? .infinity
  }

  /// Adds quantities that another report of the same epoch has and this one lacks.
  private mutating func complete(from other: LocationFix) {
    mode = max(mode, other.mode)
    var missing = other.known.subtracting(known)
    while let quantity = missing.popFirst() { self[quantity] = other[quantity] }
  }
}

/// The mode of an epoch's reports, the set of their quantities, and their number.
struct Completeness: Sendable {
  static let nothing = Completeness(mode: nil, known: [])

  /// The quantities expected of a receiver's first epoch.
  static let full = Completeness(
    mode: .fix3D,
    known: QuantitySet([.altHAE, .altMSL, .speed, .track, .climb, .eph, .epv]))

  private static let rare = QuantitySet(in: .rare)
  /// All quantities of records except those that satellite reports contain.
  private static let compared = rare.union(QuantitySet(in: .usual))

  private static let eph = QuantitySet(.eph)
  private static let epxAndEpy = QuantitySet([.epx, .epy])

  /// `nil` if there was no fix.
  private(set) var mode: FixMode?
  private var known: QuantitySet
  /// How many fixes were reported while they could be waited for; of several epochs, the largest number.
  private(set) var reports = 0

  private init(mode: FixMode?, known: QuantitySet) {
    self.mode = mode
    self.known = known
  }

  mutating func add(_ fix: LocationFix, isInTime: Bool) {
    mode = max(mode ?? fix.mode, fix.mode)
    known.formUnion(fix.known.intersection(Self.compared))
    if isInTime { reports += 1 }
  }

  mutating func add(_ other: Completeness) {
    if let otherMode = other.mode { mode = max(mode ?? otherMode, otherMode) }
    known.formUnion(other.known)
    reports = max(reports, other.reports)
  }

  /// Adds the rare quantities that both of two epochs have.
  mutating func addRare(inBoth one: Completeness, _ other: Completeness) {
    known.formUnion(one.known.intersection(other.known).intersection(Self.rare))
  }

  mutating func removeRare() { known.subtract(Self.rare) }

  /// Whether the reports give a ``LocationFix/horizontalError``.
  var hasAccuracy: Bool {
    known.isSuperset(of: Self.eph) || known.isSuperset(of: Self.epxAndEpy)
  }

  func covers(_ other: Completeness) -> Bool {
    let isOfMode = other.mode.map { otherMode in mode.map { $0 >= otherMode } ?? false } ?? true
    return isOfMode && known.isSuperset(of: other.known)
  }
}

/// The usual completeness of a receiver's epochs, learned from recent ones.
///
/// A quantity that is reported only occasionally is expected for 32 to 63 epochs after it was
/// reported. A rare one, such as the level of jamming, is expected only if both of the last two epochs
/// had it: most of these come with every tenth epoch or so. Fewer rules lose more: of 2,973 recorded epochs, this writes
/// 15 before a quantity has arrived. To wait for as many reports as in the last epoch would write 117.
struct UsualCompleteness: Sendable {
  /// The number of epochs after which the older ones are forgotten: a quantity that comes each half minute is expected.
  private static let generation = 32

  private var last = Completeness.full
  private var beforeLast = Completeness.nothing
  private var recent = Completeness.nothing
  private var earlier = Completeness.nothing
  private var count = 0

  /// Learns the completeness of an epoch.
  mutating func learn(_ epoch: Completeness) {
    // The quantities depend on the mode.
    if epoch.mode != last.mode { forgetGenerations() }
    beforeLast = last
    last = epoch
    recent.add(epoch)
    count += 1
    guard count == Self.generation else { return }
    earlier = recent
    recent = .nothing
    count = 0
  }

  /// The completeness to wait for in the current epoch.
  var expected: Completeness {
    var expected = last
    expected.add(recent)
    expected.add(earlier)
    expected.removeRare()
    expected.addRare(inBoth: last, beforeLast)
    return expected
  }

  private mutating func forgetGenerations() {
    recent = .nothing
    earlier = .nothing
    count = 0
  }
}
