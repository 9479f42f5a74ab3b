/// The state of one receiver, and the fixes it gives.
struct ReceiverMachine: Sendable {
  let path: String
  /// `nil` until the receiver reports.
  private(set) var state: LocationState?

  /// The state that counts as the one before the receiver's first.
  private var origin: LocationState?
  private var epochs: EpochMachine
  private var cadence: Cadence
  private var timeliness = Timeliness()
  private var sky = SkySummary()
  /// The last fix that was written. Its memory is used again for the next one.
  private var written = LocationFix.blank
  private var hasWritten = false
  /// The last fix that was current, where later ones came too late to be.
  private var lastCurrent: LocationFix?
  /// The time that a fix told last, and when it came.
  private var told: (time: Timestamp, at: Moment)?
  private var awaitedSince: Moment?
  private var fixCame: Moment?
  private var timeMoved: Moment?

  init(path: String, origin: LocationState?, stale: Duration?, needs: FixNeeds = FixNeeds()) {
    self.path = path
    self.origin = origin
    epochs = EpochMachine(needs: needs)
    cadence = Cadence(limit: stale.map(Nanoseconds.init))
  }

  /// Whether the service has it no more, as far as is known, and nothing of it is left to tell.
  var isGone: Bool {
    deadline == nil && (state == .noDevice || (state == nil && awaitedSince == nil))
  }

  /// The last fix that was current when it was written; `nil` where there was none.
  var lastFix: LocationFix? { hasWritten && written.isCurrent ? written : lastCurrent }

  /// What the receiver's clock shows, as far as its fixes have told.
  func time(at moment: Moment) -> Timestamp? {
    told.map { $0.time.later(by: $0.at.nanoseconds(to: moment)) }
  }

  /// When ``expire(at:into:)`` has something to do.
  private(set) var deadline: Moment?

  private mutating func noteDeadline() {
    let silence = silenceDeadline
    deadline = epochs.deadline?.orEarlier(silence) ?? silence
  }

  private var silenceDeadline: Moment? {
    // It changes nothing; another getter would be given a copy of the machine, at each report.
    mutating get {
      switch state {
      case .fix2D, .fix3D: fixCame?.later(by: cadence.limit)
      case nil: awaitedSince?.later(by: cadence.limit)
      case .connecting, .noDaemon, .noDevice, .searching, .lost: nil
      }
    }
  }

  /// Notes that the service has this receiver, and expects its reports from now on.
  mutating func announce(_ receiver: Receiver, at moment: Moment) {
    defer { noteDeadline() }
    cadence.announce(receiver.cycle.map(Nanoseconds.init))
    if state == .noDevice {
      state = nil
      origin = .noDevice
    }
    if state == nil, awaitedSince == nil { awaitedSince = moment }
  }

  /// The service may have just opened the receiver, which then has to find out the time.
  mutating func expectOpening() { epochs.expectOpening() }

  mutating func handle(_ sky: SkyView) { self.sky.add(sky) }

  mutating func handle(_ report: LocationFix, at moment: Moment, into output: inout Output) {
    defer { noteDeadline() }
    guard !epochs.isRepeat(report.time) else { return stand(at: moment, into: &output) }
    if epochs.isOver(by: report.time) {
      if !epochs.holdsTimeless { flush(at: moment, into: &output) }
      open(report.time, at: moment)
    } else {
      stand(at: moment, into: &output)
    }
    var fix = report
    switch epochs.add(&fix, at: moment, interval: cadence.interval) {
    case .write: write(fix, at: moment, into: &output)
    case .hold, .settled: break
    }
  }

  mutating func handle(_ report: NoFix, at moment: Moment, into output: inout Output) {
    defer { noteDeadline() }
    guard !epochs.isRepeat(report.time) else { return stand(at: moment, into: &output) }
    if epochs.isOver(by: report.time) {
      flush(at: moment, into: &output)
      open(report.time, at: moment)
    }
    switch epochs.add(report, at: moment, interval: cadence.interval) {
    case .write: search(at: moment, into: &output)
    case .hold, .settled: break
    }
  }

  /// The service closed the receiver, or it was taken away.
  mutating func remove(
    because reason: String? = nil, at moment: Moment, into output: inout Output
  ) {
    defer { noteDeadline() }
    flush(at: moment, into: &output)
    change(to: .noDevice, reason: reason, time: time(at: moment), at: moment, into: &output)
    forget()
  }

  /// The connection to the service is gone, and with it all that was current.
  mutating func disconnect(at moment: Moment, into output: inout Output) {
    defer { noteDeadline() }
    flush(at: moment, into: &output)
    state = nil
    origin = .noDaemon
    forget()
  }

  /// Does what is due at `moment`.
  mutating func expire(at moment: Moment, into output: inout Output) {
    defer { noteDeadline() }
    if let deadline = epochs.deadline, deadline <= moment { flush(at: deadline, into: &output) }
    guard let deadline = silenceDeadline, deadline <= moment else { return }
    awaitedSince = nil
    change(
      to: state == nil ? .searching : .lost, reason: "silence", time: time(at: deadline),
      at: deadline, into: &output)
  }

  /// Writes what an unfinished epoch holds.
  mutating func flush(at moment: Moment, into output: inout Output) {
    switch epochs.release() {
    case .fix(let fix, let came): write(fix, at: came, into: &output)
    case .noFix: search(at: moment, into: &output)
    case nil: break
    }
  }

  private mutating func forget() {
    epochs.reset()
    cadence.pause()
    sky = SkySummary()
    awaitedSince = nil
    fixCame = nil
    timeMoved = nil
  }

  private mutating func open(_ time: Timestamp?, at moment: Moment) {
    awaitedSince = nil
    epochs.begin(time, at: moment)
    cadence.step(to: time, at: moment)
    timeMoved = moment
  }

  /// A report came whose time does not move.
  private mutating func stand(at moment: Moment, into output: inout Output) {
    guard let state, state.hasFix, let timeMoved,
      timeMoved.nanoseconds(to: moment) > cadence.stuckLimit
    else { return }
    change(to: .lost, reason: "stuck", time: time(at: moment), at: moment, into: &output)
  }

  private mutating func write(
    _ fix: LocationFix, at moment: Moment, into output: inout Output
  ) {
    let judgement = timeliness.judge(fix.time, at: moment, limit: max(cadence.limit, .seconds(2)))
    if judgement.isCurrent {
      change(
        to: fix.mode == .threeD ? .fix3D : .fix2D, time: fix.time, at: moment, into: &output)
      fixCame = moment
    } else if hasWritten, written.isCurrent {
      lastCurrent = written
    }
    hasWritten = true
    if let time = fix.time { told = (time, moment) }
    written.replace(fix, at: path, with: sky, judgement)
    output.append(.fix(written), at: moment)
  }

  private mutating func search(at moment: Moment, into output: inout Output) {
    switch state {
    case nil, .noDevice:
      change(to: .searching, time: time(at: moment), at: moment, into: &output)
    case .fix2D, .fix3D:
      change(to: .lost, reason: "no-fix", time: time(at: moment), at: moment, into: &output)
    case .connecting, .noDaemon, .searching, .lost: break
    }
  }

  private mutating func change(
    to new: LocationState, reason: String? = nil, time: Timestamp?, at moment: Moment,
    into output: inout Output
  ) {
    let previous = state ?? origin
    state = new
    guard new != previous else { return }
    output.append(
      StateChange(
        new, previous: previous, device: path, reason: reason,
        lastFix: new == .lost || new == .noDevice ? lastFix : nil, time: time, at: moment))
  }
}

extension LocationFix {
  /// Becomes a report's fix, with what the machine knows beside it.
  fileprivate mutating func replace(
    _ report: LocationFix, at path: String, with sky: SkySummary,
    _ judgement: Timeliness.Judgement
  ) {
    replace(with: report)
    if values.device.isEmpty { values.device = path }
    sky.complete(&values)
    values.isCurrent = judgement.isCurrent
    values.timeJump = judgement.jump
  }
}
