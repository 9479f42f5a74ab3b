package import LocationCore

/// How far a replay may go, and when: its position, its speed, and the position that its user wants to see.
///
/// Moments are moments of the recording unless they are called real. A recording can only be read forwards.
/// To go forward, a replay reads at full speed. To go back, it makes another pass, which reads at full speed
/// from the beginning to the wanted moment.
package struct Playback: Sendable {
  /// A longer silence is skipped.
  private static let maximumSilence = Nanoseconds.seconds(60)
  /// The number of skipped silences that are remembered: one a minute for a month.
  private static let maximumSilences = 50_000
  /// How long a notice is shown.
  private static let noticeDuration = Nanoseconds.seconds(8)
  /// How long a pass goes back before a notice says so.
  private static let quietDuration = Nanoseconds.milliseconds(500)

  /// How fast a replay runs.
  package enum Speed: Equatable, Sendable {
    /// A multiple of the recorded speed.
    case times(Double)
    case maximum

    private static let ladder = [0.25, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000]

    /// The next higher speed.
    var faster: Speed {
      guard case .times(let factor) = self else { return self }
      return Self.ladder.first { $0 > factor }.map(Speed.times) ?? .maximum
    }

    /// The next lower speed.
    var slower: Speed {
      guard case .times(let factor) = self else {
        return .times(Self.ladder[Self.ladder.count - 1])
      }
      return Self.ladder.last { $0 < factor }.map(Speed.times) ?? self
    }
  }

  package enum Command: Equatable, Sendable {
    /// Pauses the replay, or resumes it.
    case pause
    /// Goes forward by a duration, or back if it is negative.
    case skip(Duration)
    case speedUp
    case slowDown
    /// Goes to the next transition of a state.
    case findTransition
  }

  /// Something that a person should know.
  package enum Notice: Equatable, Sendable {
    /// A silence of this length was skipped.
    case skipped(Duration)
    /// The recording cannot be read again. The value is the name of the file.
    case cannotGoBack(String)
    /// The recording is being read again, and has been up to this share, from 0 to 1, of the time before the wanted moment.
    case goingBack(share: Double)
  }

  /// What a view shows of a replay.
  package struct Status: Equatable, Sendable {
    /// The moment that is shown or, during a search, the wanted moment.
    package var moment: Moment
    package var speed: Speed
    package var isPaused = false
    /// Whether the recording is being read at full speed to the wanted moment.
    package var isSeeking = false
    /// Whether all of the recording can be read again.
    package var canGoBack = true
    package var notice: Notice?

    package init(moment: Moment, speed: Speed) {
      self.moment = moment
      self.speed = speed
    }
  }

  /// What the reader of the recording does before it passes a moment.
  enum Step: Equatable {
    case advance
    /// Waits until a real moment, or for a command if there is none.
    case wait(until: Moment?)
    /// Ends its pass.
    case end
  }

  private enum Goal {
    case moment(Moment)
    case transition
  }

  /// The name of a file that cannot be read again; `nil` if all can.
  private let singlePassFile: String?
  /// Whether a person controls the replay, for whom the first lines and those after a long silence come at once.
  private let isControlled: Bool
  private var speed: Speed
  private var isPaused = false
  private var goal: Goal?
  /// Whether the goal can only be reached by another pass.
  private(set) var needsPass = false
  /// Since when the replay has been going back to an earlier moment; `nil` if it does not.
  private var goingBackSince: Moment?
  /// Whether the pass is at the end of the recording.
  private var isOver = false
  /// The moments of the first lines of the recording and of the latest; `nil` before the first.
  private var lines: (first: Moment, latest: Moment)?
  /// The latest moment that was passed.
  private var reached = Moment(uptime: .zero)
  /// The moment that is waited for.
  private var awaited: Moment?
  /// A real moment and the corresponding moment of the recording, from which the position is computed by the speed.
  private var anchor: (real: Moment, recorded: Moment)
  /// The end of the silence that is being skipped.
  private var endOfSilence: Moment?
  /// The silences of this recording, in their order.
  private var silences: [(start: Moment, end: Moment)] = []
  private var notice: (notice: Notice, end: Moment)?

  /// - Parameters:
  ///   - isControlled: Whether a person controls the replay, for whom the first lines and those after a long silence come
  ///     at once.
  ///   - singlePassFile: The name of a file that cannot be read again; `nil` if all can.
  ///   - real: The current moment.
  package init(
    speed: Speed, isControlled: Bool = true, singlePassFile: String? = nil, at real: Moment
  ) {
    self.speed = speed
    self.isControlled = isControlled
    self.singlePassFile = singlePassFile
    anchor = (real, Moment(uptime: .zero))
  }

  /// Whether the recording is being read at full speed to the wanted moment.
  var isSeeking: Bool { goal != nil }

  /// The moment to which the replay goes; `nil` if it does not go to any, or to a transition.
  private var wanted: Moment? { if case .moment(let moment) = goal { moment } else { nil } }

  /// Whether the pass has not yet reached the moment for which it began, so that nothing is shown.
  var isGoingBack: Bool { goingBackSince != nil }

  /// Whether the replay looks for the next transition.
  var seeksTransition: Bool { if case .transition = goal { true } else { false } }

  package func status(at real: Moment) -> Status {
    var status = Status(moment: position(at: real), speed: speed)
    status.moment = wanted ?? status.moment
    status.isPaused = isPaused
    status.isSeeking = isSeeking
    status.canGoBack = singlePassFile == nil
    if let goingBackSince, goingBackSince.later(by: Self.quietDuration) <= real {
      status.notice = .goingBack(share: shareRead)
    } else if let notice, real < notice.end {
      status.notice = notice.notice
    }
    return status
  }

  /// Which share of the time before the wanted moment the pass has read. A pass that is beyond it, and will begin again,
  /// has read nothing for it.
  private var shareRead: Double {
    guard !needsPass, let wanted, let first = lines?.first, first < wanted else { return 0 }
    return Double(first.nanoseconds(to: reached).count)
      / Double(first.nanoseconds(to: wanted).count)
  }

  /// Returns the moment that is shown. Between two lines, it advances at the speed of the replay.
  func position(at real: Moment) -> Moment {
    guard !isSeeking, !isPaused, !isOver, case .times(let factor) = speed, let awaited else {
      return max(reached, anchor.recorded)
    }
    let elapsed = Double(anchor.real.nanoseconds(to: real).count) * factor
    let moment = anchor.recorded.later(by: Nanoseconds(nearestTo: elapsed))
    return max(reached, moment.earlier(of: awaited))
  }
}

// MARK: - Reading

extension Playback {
  /// Begins a pass.
  ///
  /// - Parameter start: The beginning of the recording, as far as it is known before its first line.
  mutating func beginPass(at start: Moment, real: Moment) {
    needsPass = false
    goingBackSince = isSeeking ? goingBackSince ?? real : nil
    isOver = false
    lines = nil
    reached = start
    awaited = nil
    endOfSilence = nil
    anchor = (real, start)
  }

  /// Has the first lines wait as long as they are after a moment, unless a person controls the replay.
  mutating func beginWait(at moment: Moment, real: Moment) {
    guard !isControlled else { return }
    lines = (moment, moment)
    anchor = (real, moment)
  }

  /// Returns what to do before a moment is passed.
  ///
  /// - Parameter next: When the next lines are due, which is that moment or later.
  mutating func step(to moment: Moment, before next: Moment, at real: Moment) -> Step {
    guard !needsPass else { return .end }
    guard let lines else {
      // There is no wait for the first lines.
      if moment == next { reach(linesAt: next, real) } else { reached = max(reached, moment) }
      return .advance
    }
    if let wanted, moment > wanted { arrive(at: wanted, real) }
    awaited = moment
    if !isSeeking, endOfSilence.map({ moment > $0 }) ?? true {
      if isPaused { return .wait(until: nil) }
      if let due = due(moment), !skipsSilence(after: lines.latest, until: next, real), real < due {
        return .wait(until: due)
      }
    }
    if moment == next { reach(linesAt: next, real) } else { reached = max(reached, moment) }
    return .advance
  }

  /// Returns when a moment is due; `nil` at full speed.
  func due(_ moment: Moment) -> Moment? {
    guard case .times(let factor) = speed else { return nil }
    return anchor.real.later(by: anchor.recorded.nanoseconds(to: moment).divided(by: factor))
  }

  private mutating func reach(linesAt moment: Moment, _ real: Moment) {
    if let latest = lines?.latest {
      if latest.nanoseconds(to: moment) > Self.maximumSilence { record(silence: latest, moment) }
      if endOfSilence != nil { anchor = (real, moment) }
    } else {
      anchor = (real, moment)
    }
    lines = (lines?.first ?? moment, moment)
    reached = max(reached, moment)
    endOfSilence = nil
  }

  /// Begins to skip a long silence. Returns whether the silence is long.
  private mutating func skipsSilence(
    after latest: Moment, until next: Moment, _ real: Moment
  ) -> Bool {
    guard isControlled, latest.nanoseconds(to: next) > Self.maximumSilence else { return false }
    let rest = max(reached, anchor.recorded).nanoseconds(to: next)
    if rest > .zero { notify(.skipped(rest.duration), real) }
    endOfSilence = next
    return true
  }

  private mutating func record(silence start: Moment, _ end: Moment) {
    // Another pass finds the same silences again.
    guard silences.last.map({ $0.end <= start }) ?? true, silences.count < Self.maximumSilences
    else { return }
    silences.append((start, end))
  }

  /// Ends the pass at the end of the recording.
  mutating func endPass(at real: Moment) {
    guard !needsPass else { return }
    isOver = true
    if case .skipped = notice?.notice { notice = nil }
    if isSeeking { arrive(at: reached, real) }
  }

  /// Records that a state has changed.
  mutating func recordTransition(at real: Moment) {
    if seeksTransition { arrive(at: reached, real) }
  }

  private mutating func arrive(at moment: Moment, _ real: Moment) {
    goal = nil
    goingBackSince = nil
    reached = max(reached, moment)
    anchor = (real, reached)
  }

  private mutating func notify(_ notice: Notice, _ real: Moment) {
    self.notice = (notice, real.later(by: Self.noticeDuration))
  }
}

// MARK: - Commands

extension Playback {
  mutating func handle(_ command: Command, at real: Moment) {
    let position = position(at: real)
    notice = nil
    switch command {
    case .pause: isPaused.toggle()
    case .speedUp: speed = speed.faster
    case .slowDown: speed = speed.slower
    case .findTransition: if !isOver, !isSeeking { goal = .transition }
    case .skip(let duration): return skip(Nanoseconds(duration), from: position, real)
    }
    anchor = (real, position)
  }

  private mutating func skip(_ time: Nanoseconds, from position: Moment, _ real: Moment) {
    let start = wanted ?? position
    let target =
      time < .zero ? moment(.zero - time, before: start) : start.later(by: time)
    if target < reached, let singlePassFile {
      return notify(.cannotGoBack(singlePassFile), real)
    }
    anchor = (real, position)
    needsPass = needsPass || target < reached
    // Beyond the end, there is nothing to look for.
    if !isOver || needsPass { goal = .moment(target) }
  }

  /// Returns the moment that is earlier by a time, not counting silences, and not before the
  /// beginning.
  private func moment(_ time: Nanoseconds, before moment: Moment) -> Moment {
    var (moment, rest) = (moment, time)
    for silence in silences[..<countOfSilences(before: moment)].reversed() {
      let played = max(.zero, silence.end.nanoseconds(to: moment))
      guard rest > played else { break }
      rest = rest - played
      moment = silence.start
    }
    let earlier = moment.later(by: .zero - rest)
    return max(lines?.first ?? reached, earlier)
  }

  /// Returns how many silences begin before a moment.
  private func countOfSilences(before moment: Moment) -> Int {
    var range = 0..<silences.count
    while let first = range.first {
      let middle = first + range.count / 2
      range = silences[middle].start < moment ? (middle + 1)..<range.upperBound : first..<middle
    }
    return range.lowerBound
  }
}
