/// Gathers the reports of one receiver into epochs: those of one time are one epoch, and give one
/// fix.
///
/// A report at least as complete as the last epoch's fix is written at once. A thinner one waits
/// for the rest of its epoch, ``longestHold`` at the most. Reports without a time are an epoch each.
struct EpochMachine: Sendable {
  /// How long a thin report waits for the rest of its epoch.
  static let longestHold = Nanoseconds.milliseconds(150)

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
  private var held: Held? {
    didSet { deadline = held == nil ? nil : opened?.later(by: Self.longestHold) }
  }
  private var hasFix = false
  private var gathered = Completeness.nothing
  private var expected = Completeness.full
  private var recent = RecentTimes()

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

  /// Starts an epoch. What the last one held has been released before.
  mutating func begin(_ time: Timestamp?, at moment: Moment) {
    if hasFix { expected = gathered }
    self.time = time
    opened = moment
    hasFix = false
    gathered = .nothing
  }

  /// Adds a fix to its epoch. For ``Verdict/write`` it is completed in place.
  mutating func add(_ fix: inout LocationFix, at moment: Moment) -> Verdict {
    let isWritten = hasFix && held == nil
    if case .fix(let earlier, _) = held { fix.complete(from: earlier) }
    hasFix = true
    gathered.add(fix)
    if isWritten { return .settled }
    if time != nil, !gathered.covers(expected) {
      held = .fix(fix, at: opened ?? moment)
      return .hold
    }
    held = nil
    note(written: time)
    return .write
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
      held = nil
      return .write
    }
    if held == nil { held = .noFix }
    return .hold
  }

  /// Ends the wait for the rest of the epoch, and gives what was held.
  mutating func release() -> Held? {
    defer { held = nil }
    if case .fix = held { note(written: time) }
    return held
  }

  /// Forgets the current epoch; what was written stays known.
  mutating func reset() {
    time = nil
    opened = nil
    held = nil
    hasFix = false
    expected = .full
  }

  private mutating func note(written time: Timestamp?) {
    if let time { recent.insert(time) }
  }
}

/// How much a fix tells.
private struct Completeness {
  static let nothing = Completeness(mode: .unknown, known: 0)
  static let full = Completeness(mode: .threeD, known: compared)

  private static let compared: UInt32 = [
    LocationFix.Quantity.altHAE, .altMSL, .speed, .track, .climb, .eph, .epv,
  ].reduce(0) { $0 | $1.bit }

  private(set) var mode: FixMode
  private var known: UInt32

  mutating func add(_ fix: LocationFix) {
    mode = max(mode, fix.mode)
    known |= fix.known & Self.compared
  }

  func covers(_ other: Completeness) -> Bool {
    mode >= other.mode && other.known & ~known == 0
  }
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
