/// Gathers the reports of one receiver into epochs: those of one time are one epoch, and give one
/// fix.
///
/// A report at least as complete as the epochs before is written at once. A thinner one waits for the
/// rest of its epoch, ``longestHold`` at the most; where an accuracy is needed and missing, until the
/// next epoch. Reports without a time are an epoch each. Where a time is needed, the last of those that
/// come before a receiver has reported any time is held for ``longestWaitForTime``, and the first with a
/// time replaces it.
struct EpochMachine: Sendable {
  /// How long a thin report waits for the rest of its epoch.
  static let longestHold = Nanoseconds.milliseconds(150)
  /// How long fixes without a time are held until the receiver reports a time.
  static let longestWaitForTime = Nanoseconds.seconds(2)

  /// What becomes of a report.
  enum Verdict: Equatable {
    /// It is to be written now, completed by what its epoch held.
    case write
    /// The rest of its epoch may still come.
    case hold
    /// Its epoch has been written, or says more already.
    case settled
  }

  /// What an epoch held when its wait was over.
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
  private var recent = RecentTimes()
  private let needs: FixNeeds
  /// Whether fixes are held until the receiver reports a time for the first time.
  private var awaitsTime: Bool
  /// When the first of the fixes without a time came that are held.
  private var timelessSince: Moment?

  init(needs: FixNeeds = FixNeeds()) {
    self.needs = needs
    awaitsTime = needs.time
  }

  /// When to ``release()`` what is held; `nil` where nothing is.
  private(set) var deadline: Moment?

  /// Whether `time` is that of an epoch which was written, and is not the current one.
  func isRepeat(_ time: Timestamp?) -> Bool {
    guard let time, time != self.time else { return false }
    return recent.contains(time)
  }

  /// Whether a report of `time` belongs to another epoch than the current one.
  func isOver(by time: Timestamp?) -> Bool {
    opened == nil || time == nil || time != self.time
  }

  /// Whether a fix is held that has no time, and gives way to one that has.
  var holdsTimeless: Bool { timelessSince != nil }

  /// Starts an epoch. What the last one held has been released before, or gives way to a fix.
  mutating func begin(_ time: Timestamp?, at moment: Moment) {
    if hasFix, !holdsTimeless { usual.learn(gathered) }
    self.time = time
    opened = moment
    hasFix = false
    gathered = .nothing
    drop()
    if time != nil {
      awaitsTime = false
      timelessSince = nil
    }
  }

  /// Adds a fix to its epoch. For ``Verdict/write`` it is completed in place.
  ///
  /// - Parameter interval: How far apart epochs are.
  mutating func add(
    _ fix: inout LocationFix, at moment: Moment, interval: Nanoseconds
  ) -> Verdict {
    let isWritten = hasFix && held == nil
    if case .fix(let earlier, _) = held { fix.complete(from: earlier) }
    hasFix = true
    gathered.add(fix)
    if isWritten { return .settled }
    if time == nil, awaitsTime {
      let since = timelessSince ?? moment
      timelessSince = since
      hold(.fix(fix, at: moment), until: since.later(by: Self.longestWaitForTime))
      return .hold
    }
    if let wait = waitForRest(interval: interval) {
      let opened = opened ?? moment
      let end = opened.later(by: wait)
      if moment < end {
        hold(.fix(fix, at: opened), until: end)
        return .hold
      }
    }
    drop()
    note(written: time)
    return .write
  }

  /// How long the rest of the epoch is waited for; `nil` where what came is enough.
  private func waitForRest(interval: Nanoseconds) -> Nanoseconds? {
    guard time != nil else { return nil }
    if needs.accuracy, !gathered.hasAccuracy { return max(interval, Self.longestHold) }
    return gathered.covers(usual.expected) ? nil : Self.longestHold
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
  /// - Parameter interval: How far apart epochs are. After that long the epoch of a fix is over,
  ///   even where the receiver's time stands still.
  mutating func add(_ noFix: NoFix, at moment: Moment, interval: Nanoseconds) -> Verdict {
    if hasFix {
      guard held == nil, let opened, opened.nanoseconds(to: moment) >= interval else {
        return .settled
      }
      return .write
    }
    if noFix.mode == .noFix || time == nil {
      drop()
      return .write
    }
    if held == nil { hold(.noFix, until: (opened ?? moment).later(by: Self.longestHold)) }
    return .hold
  }

  /// Ends the wait for the rest of the epoch, and gives what was held.
  mutating func release() -> Held? {
    defer { drop() }
    if holdsTimeless {
      // It is waited for once, not at each fix.
      awaitsTime = false
      timelessSince = nil
    }
    if case .fix = held { note(written: time) }
    return held
  }

  /// Waits anew for the receiver to report a time.
  mutating func expectOpening() { awaitsTime = needs.time }

  /// Forgets the current epoch; what was written stays known.
  mutating func reset() {
    time = nil
    opened = nil
    drop()
    awaitsTime = needs.time
    timelessSince = nil
    hasFix = false
    gathered = .nothing
    usual = UsualCompleteness()
  }

  private mutating func note(written time: Timestamp?) {
    if let time { recent.insert(time) }
  }
}

/// What a fix is to have, beside a position, where its receiver can give it.
struct FixNeeds: Hashable, Sendable {
  /// Whether a fix without an accuracy is of no use.
  var accuracy = false
  /// Whether receivers report a time sooner or later.
  var time = false
}

extension LocationFix {
  /// Takes from an earlier report of the same epoch what this one does not tell.
  fileprivate mutating func complete(from earlier: LocationFix) {
    mode = max(mode, earlier.mode)
    received = earlier.received
    let missing = earlier.known & ~known
    for quantity in Quantity.allCases where missing & quantity.bit != 0 {
      self[quantity] = earlier[quantity]
    }
  }
}
