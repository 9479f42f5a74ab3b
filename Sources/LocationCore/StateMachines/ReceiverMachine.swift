/// The state machine of one receiver.
struct ReceiverMachine: Sendable {
  /// How long a silence lasts after the receiver has reported only satellites: the position may follow.
  private static let maximumWaking = Nanoseconds.seconds(1)
  /// How long another source may take to be selected after the selected one fell silent.
  private static let selectionTime = Nanoseconds.milliseconds(100)

  /// `nil` if the service names none.
  let path: String?
  /// `nil` until the receiver reports.
  private(set) var state: LocationState?
  /// The ``StateChange/loss`` of the last state.
  private var loss: LossReason?

  /// The ``StateChange/previous`` of the receiver's first state.
  private var origin: LocationState?
  private var epochs: EpochMachine
  private var reportInterval: ReportInterval
  private var backlog: BacklogDetector
  private var sky = SkySummary()
  private var frontEnd = FrontEndMachine()
  private var doubts: DoubtMachine
  private let newDates: DateCorrection?
  /// `nil` if dates stay as they are.
  private var dates: DateCorrection?
  /// The quality of the last current fix.
  private var quality: FixQuality?
  /// The last fix that was written.
  private var written = LocationFix.blank
  private var hasWritten = false
  /// The last current fix, if fixes that are not current followed it.
  private var lastCurrent: LocationFix?
  /// The time of the last fix with a time, and when it arrived.
  private var lastTime: (time: Timestamp, moment: Moment)?
  /// The time of the last report without a position, and when it arrived; used before the first fix.
  private var timeWithoutFix: (time: Timestamp, moment: Moment)?
  private var awaitedSince: Moment?
  /// When the receiver last reported anything; `nil` if it has not since it was announced or connected.
  private var lastReport: Moment?
  /// When satellites were first reported after a silence; `nil` if there is none, or more was reported.
  private var wakingSince: Moment?
  /// When the last current fix arrived.
  private var lastCurrentMoment: Moment?
  /// When the receiver's time last changed.
  private var timeChanged: Moment?
  /// By how much later than its sources the best of several falls silent; zero for a receiver.
  private var delay = Nanoseconds.zero

  /// - Parameters:
  ///   - clockError: See ``DoubtMachine``.
  ///   - dates: Corrects dates; `nil` leaves them as they are.
  ///   - sharesClock: Whether the times of fixes are of the local clock.
  init(
    path: String?, origin: LocationState?, staleAfter: Duration?, needs: FixNeeds = FixNeeds(),
    clockError: @escaping @Sendable () -> Double? = { nil }, dates: DateCorrection? = nil,
    sharesClock: Bool = false
  ) {
    backlog = BacklogDetector(sharesClock: sharesClock)
    newDates = dates
    self.dates = dates
    doubts = DoubtMachine(clockError: clockError)
    self.path = path
    self.origin = origin
    epochs = EpochMachine(needs: needs)
    reportInterval = ReportInterval(limit: staleAfter.map(Nanoseconds.init))
  }

  /// Whether the receiver was removed, or never announced, and has no update pending.
  var isGone: Bool {
    deadline == nil && (state == .noDevice || (state == nil && awaitedSince == nil))
  }

  /// Whether the receiver has no position, and none is held for the rest of its epoch.
  var hasNoPosition: Bool { epochs.deadline == nil && state?.hasFix != true }

  /// The last fix that was current when it was reported; `nil` if there was none.
  var lastFix: LocationFix? { hasWritten && written.isCurrent ? written : lastCurrent }

  /// Returns the receiver's time at a moment, extrapolated from its last fix with a time or, before the first
  /// such fix, from its last report with a time.
  func time(at moment: Moment) -> Timestamp? {
    (lastTime ?? timeWithoutFix).map { $0.time.later(by: $0.moment.nanoseconds(to: moment)) }
  }

  /// When to call ``expire(at:into:)``; `nil` if only a report can cause a change.
  private(set) var deadline: Moment?

  private mutating func updateDeadline() {
    let silence = silenceDeadline
    deadline = epochs.deadline?.earlier(of: silence) ?? silence
  }

  private var silenceDeadline: Moment? {
    // Not a plain getter, which would copy the machine for each report.
    mutating get {
      switch state {
      case .fix2D, .fix3D: lastCurrentMoment?.later(by: reportInterval.silenceLimit + delay)
      case .searching, .lost:
        isSilent ? wakingSince?.later(by: Self.maximumWaking) : reportDeadline
      case nil: awaitedSince?.later(by: reportInterval.limit)
      case .connecting, .noService, .noDevice: nil
      }
    }
  }

  private var isSilent: Bool { loss == .silence }

  /// When a receiver without a position becomes silent if it reports nothing more; `nil` if it has not reported.
  private var reportDeadline: Moment? {
    mutating get { lastReport?.later(by: reportInterval.quietLimit) }
  }

  /// Records that the service has this receiver, whose reports are expected from now on.
  mutating func announce(_ receiver: Receiver, at moment: Moment) {
    defer { updateDeadline() }
    reportInterval.announce(receiver.cycle.map(Nanoseconds.init))
    if state == .noDevice {
      state = nil
      origin = .noDevice
    }
    if state == nil, awaitedSince == nil { awaitedSince = moment }
  }

  /// Records that another connection begins, although the end of the previous one is unknown. The last fix
  /// stays current.
  mutating func reconnect(at moment: Moment, into queue: inout UpdateQueue) {
    defer { updateDeadline() }
    flush(at: moment, into: &queue)
    forgetReports()
  }

  /// Starts over with the epochs of another source, whose times may be earlier.
  mutating func changeSource(at moment: Moment, into queue: inout UpdateQueue) {
    flush(at: moment, into: &queue)
    epochs.startOver()
    doubts.changeSource()
    dates = newDates
    reportInterval.startOver()
    delay = Self.selectionTime
    // The silence of the other source is not that of this one.
    if state?.hasFix == true { lastCurrentMoment = moment }
    updateDeadline()
  }

  mutating func correctDate(of sky: inout SkyView, at moment: Moment) {
    _ = dates?.correct(&sky.time, by: moment.wall)
  }

  mutating func handle(_ sky: SkyView, at moment: Moment) {
    self.sky.add(sky)
    doubts.handle(sky, at: moment)
    lastReport = moment
    if isSilent, wakingSince == nil { wakingSince = moment }
    if state?.hasFix == false { updateDeadline() }
  }

  mutating func handle(
    _ fix: consuming LocationFix, at moment: Moment, into queue: inout UpdateQueue
  ) {
    defer { updateDeadline() }
    lastReport = moment
    if fix.received == nil, let now = moment.wall { fix.received = now }
    handleFrontEnd(
      fix.antenna, isPowered: fix.isAntennaPowered, jam: fix.interference, at: moment, into: &queue)
    if dates != nil {
      fix.dateCorrection = dates?.correct(&fix.time, by: fix.received ?? moment.wall)
    }
    let time = fix.time
    guard !epochs.isRepeat(time) else { return handleRepeatedTime(at: moment, into: &queue) }
    if epochs.isOver(by: time) {
      if !epochs.keepsTimeless(until: time) { flush(at: moment, into: &queue) }
      open(time, at: moment)
    } else {
      handleRepeatedTime(at: moment, into: &queue)
    }
    switch epochs.add(&fix, at: moment, interval: reportInterval.interval) {
    case .write: write(fix, at: moment, into: &queue)
    case .hold, .settled: break
    }
  }

  mutating func handle(_ report: NoFix, at moment: Moment, into queue: inout UpdateQueue) {
    defer { updateDeadline() }
    lastReport = moment
    var report = report
    if dates != nil { _ = dates?.correct(&report.time, by: moment.wall) }
    if lastTime == nil, let time = report.time { timeWithoutFix = (time, moment) }
    handleFrontEnd(
      report.antenna, isPowered: report.isAntennaPowered, jam: report.interference, at: moment,
      into: &queue)
    guard !epochs.isRepeat(report.time) else { return handleRepeatedTime(at: moment, into: &queue) }
    if epochs.isOver(by: report.time) {
      flush(at: moment, into: &queue)
      open(report.time, at: moment)
    }
    switch epochs.add(report, at: moment, interval: reportInterval.interval) {
    case .write: search(at: moment, into: &queue)
    case .hold, .settled: break
    }
  }

  /// Records that the receiver was closed, removed or refused.
  mutating func remove(
    because reason: String? = nil, at moment: Moment, into queue: inout UpdateQueue
  ) {
    defer { updateDeadline() }
    flush(at: moment, into: &queue)
    change(to: .noDevice, reason: reason, time: time(at: moment), at: moment, into: &queue)
    forget()
  }

  /// Records that the connection to the service ended. No fix stays current.
  mutating func disconnect(at moment: Moment, into queue: inout UpdateQueue) {
    defer { updateDeadline() }
    flush(at: moment, into: &queue)
    state = nil
    loss = nil
    origin = .noService
    forget()
  }

  /// Makes the changes that are due at `moment`.
  mutating func expire(at moment: Moment, into queue: inout UpdateQueue) {
    defer { updateDeadline() }
    if let deadline = epochs.deadline, deadline <= moment { flush(at: deadline, into: &queue) }
    guard let deadline = silenceDeadline, deadline <= moment else { return }
    awaitedSince = nil
    let new: (state: LocationState, loss: LossReason?) =
      switch state {
      case .searching?: (.searching, isSilent ? nil : .silence)
      case .lost?: (.lost, isSilent ? .noFix : .silence)
      case nil: (.searching, reportDeadline.map { deadline < $0 } ?? false ? nil : .silence)
      case .connecting?, .noService?, .noDevice?, .fix2D?, .fix3D?: (.lost, .silence)
      }
    change(to: new.state, loss: new.loss, time: time(at: deadline), at: deadline, into: &queue)
  }

  /// Writes the report that an unfinished epoch holds, after those that wait for a time.
  mutating func flush(at moment: Moment, into queue: inout UpdateQueue) {
    for earlier in epochs.releaseTimeless() { write(earlier.fix, at: earlier.moment, into: &queue) }
    switch epochs.release() {
    case .fix(let fix, let arrived): write(fix, at: arrived, into: &queue)
    case .noFix: search(at: moment, into: &queue)
    case nil: break
    }
  }

  private mutating func forget() {
    forgetReports()
    awaitedSince = nil
    lastCurrentMoment = nil
    lastReport = nil
  }

  private mutating func forgetReports() {
    epochs.reset()
    reportInterval.pause()
    sky = SkySummary()
    timeChanged = nil
    frontEnd = FrontEndMachine()
  }

  private mutating func open(_ time: Timestamp?, at moment: Moment) {
    awaitedSince = nil
    wakingSince = nil
    epochs.begin(time, at: moment)
    reportInterval.step(to: time, at: moment)
    timeChanged = moment
  }

  /// Records a report that repeats a time. After a while, this loses the fix, or ends a silence.
  private mutating func handleRepeatedTime(at moment: Moment, into queue: inout UpdateQueue) {
    guard let state, state.hasFix || (state == .lost && isSilent), let timeChanged,
      timeChanged.nanoseconds(to: moment) > reportInterval.stuckLimit
    else { return }
    change(to: .lost, loss: .stuck, time: time(at: moment), at: moment, into: &queue)
  }

  private mutating func write(
    _ fix: consuming LocationFix, at moment: Moment, into queue: inout UpdateQueue
  ) {
    let judgement = backlog.judge(
      fix.time, at: moment, limit: max(reportInterval.limit, .seconds(2)))
    if judgement.isCurrent {
      let hadFix = state?.hasFix == true
      change(
        to: fix.mode == .fix3D ? .fix3D : .fix2D, time: fix.time, at: moment, into: &queue)
      let previous = quality
      quality = fix.quality
      if hadFix ? quality != previous : quality?.isMeasured == false {
        record(
          .quality(quality, previous: hadFix ? previous : nil), time: fix.time, at: moment,
          into: &queue)
      }
      lastCurrentMoment = moment
    } else {
      if hasWritten, written.isCurrent { lastCurrent = written }
      if backlog.sharesClock, state == nil { search(at: moment, into: &queue) }
    }
    hasWritten = true
    if let time = fix.time, judgement.isCurrent || !backlog.sharesClock {
      lastTime = (time, moment)
    }
    fix.complete(at: path, with: sky, judgement)
    frontEnd.complete(&fix)
    judge(&fix, at: moment, into: &queue)
    written = fix
    queue.append(.fix(fix), at: moment)
  }

  /// Adds the receiver's doubts to a fix, and appends a change of them.
  private mutating func judge(
    _ fix: inout LocationFix, at moment: Moment, into queue: inout UpdateQueue
  ) {
    let previous = doubts.doubts
    let isChanged = doubts.handle(fix, at: moment)
    if !doubts.doubts.isEmpty { fix.doubtSet = doubts.doubts }
    if doubts.time.isContradicted { fix.values.isTimeContradicted = true }
    guard isChanged else { return }
    let detail = doubts.detail(of: doubts.doubts.subtracting(previous))
    record(
      .doubt(doubts.doubts.doubts, previous: previous.doubts, detail: detail), time: fix.time,
      at: moment, into: &queue)
  }

  private mutating func handleFrontEnd(
    _ antenna: AntennaStatus?, isPowered: Bool?, jam: Int?, at moment: Moment,
    into queue: inout UpdateQueue
  ) {
    let changes = (
      frontEnd.handle(antenna, isPowered: isPowered, at: moment),
      frontEnd.handle(jam: jam, at: moment)
    )
    if let change = changes.0 { record(change, time: time(at: moment), at: moment, into: &queue) }
    if let change = changes.1 { record(change, time: time(at: moment), at: moment, into: &queue) }
  }

  /// Appends a change that leaves the state as it is.
  private func record(
    _ change: ReceiverChange.Kind, time: Timestamp?, at moment: Moment,
    into queue: inout UpdateQueue
  ) {
    let change = ReceiverChange(change, of: path, state: state, time: time, at: moment)
    queue.append(.change(change), at: moment)
  }

  private mutating func search(at moment: Moment, into queue: inout UpdateQueue) {
    switch state {
    case nil, .noDevice:
      change(to: .searching, time: time(at: moment), at: moment, into: &queue)
    case .fix2D, .fix3D:
      change(to: .lost, loss: .noFix, time: time(at: moment), at: moment, into: &queue)
    case .searching where isSilent:
      change(to: .searching, time: time(at: moment), at: moment, into: &queue)
    case .lost where isSilent:
      change(to: .lost, loss: .noFix, time: time(at: moment), at: moment, into: &queue)
    case .connecting, .noService, .searching, .lost: break
    }
  }

  private mutating func change(
    to new: LocationState, loss: LossReason? = nil, reason: String? = nil, time: Timestamp?,
    at moment: Moment, into queue: inout UpdateQueue
  ) {
    let previous = state ?? origin
    state = new
    guard new != previous || loss != self.loss else { return }
    self.loss = loss
    wakingSince = nil
    let change = StateChange(
      new, of: .receiver(path), previous: previous, loss: loss, reason: reason,
      lastFix: new == .lost || new == .noDevice ? lastFix : nil, time: time, at: moment)
    if change.endsSky(of: path) { sky = SkySummary() }
    queue.append(change)
  }
}

extension LocationFix {
  /// Adds the receiver's path, the satellites and the judgement to a reported fix.
  fileprivate mutating func complete(
    at path: String?, with sky: SkySummary, _ judgement: BacklogDetector.Judgement
  ) {
    if values.device == nil { values.device = path }
    sky.complete(&values)
    values.isCurrent = judgement.isCurrent
    values.timeJump = judgement.jump
  }
}
