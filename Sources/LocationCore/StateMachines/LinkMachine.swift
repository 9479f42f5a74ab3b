/// The state machine of the link to a location service and of its receivers.
///
/// It takes events with their moments, appends updates to a queue, and has a ``deadline`` for the
/// next call of ``expire(at:into:)``. Because it has no clock, each event first makes the changes that
/// were due before it.
struct LinkMachine: Sendable {
  private let staleAfter: Duration?
  private let needs: FixNeeds
  private let clockError: @Sendable () -> Double?
  private let dates: DateCorrection?
  private let sharesClock: Bool
  /// The link's last state, which is the previous state of a receiver's first one.
  private var link = LocationState.connecting
  /// The receivers that have a state. If all of them have a fix, fixes of further receivers are
  /// passed on as reports without a state.
  private var receivers = ReceiverTable<ReceiverMachine>()
  private var pulses = PulseMachine()
  /// Whether corrections arrive; `nil` if nothing was reported about them, by the current run of a recording.
  private var corrections: Corrections.State?

  /// - Parameters:
  ///   - staleAfter: The silence after which a fix is no longer current; `nil` means 5 s or three
  ///     of the receiver's own intervals, whichever is longer.
  ///   - needs: The quantities for which a fix is held.
  ///   - clockError: Returns by how many seconds the local clock can be wrong; `nil` if nothing keeps it
  ///     right.
  ///   - dates: Corrects the dates of each receiver; `nil` leaves them as they are.
  ///   - sharesClock: Whether the times of fixes are of the local clock.
  init(
    staleAfter: Duration?, needs: FixNeeds = FixNeeds(),
    clockError: @escaping @Sendable () -> Double? = { nil }, dates: DateCorrection? = nil,
    sharesClock: Bool = false
  ) {
    self.dates = dates
    self.sharesClock = sharesClock
    self.staleAfter = staleAfter
    self.needs = needs
    self.clockError = clockError
  }

  /// When to call ``expire(at:into:)``; `nil` if only an event can cause a change.
  var deadline: Moment? {
    var earliest = pulses.deadline
    for index in receivers.indices {
      guard let deadline = receivers.values[index].deadline else { continue }
      earliest = deadline.earlier(of: earliest)
    }
    return earliest
  }

  mutating func start(at moment: Moment, into queue: inout UpdateQueue) {
    change(to: .connecting, at: moment, into: &queue)
  }

  /// Handles an event. A fix is moved on, so that it is completed in its own storage.
  mutating func handle(
    _ event: consuming LocationEvent, at moment: Moment, into queue: inout UpdateQueue
  ) {
    // A report that arrives at a deadline is in time.
    expire(before: moment, into: &queue)
    switch consume event {
    case .fix(let fix):
      guard let index = index(of: fix.device, makingRoom: true) else {
        queue.append(.event(.fix(fix)), at: moment)
        return
      }
      receivers.values[index].handle(fix, at: moment, into: &queue)
    case .noFix(let noFix):
      if let index = index(of: noFix.device, makingRoom: true) {
        receivers.values[index].handle(noFix, at: moment, into: &queue)
      }
    case .sky(var sky):
      if let index = index(of: sky.device) {
        if dates != nil { receivers.values[index].correctDate(of: &sky, at: moment) }
        receivers.values[index].handle(sky, at: moment)
      }
      queue.append(.event(.sky(sky)), at: moment)
    case .receivers(let present):
      replaceReceivers(with: present, at: moment, into: &queue)
      queue.append(.event(.receivers(present)), at: moment)
    case .receiver(let receiver):
      announce(receiver, at: moment)
      queue.append(.event(.receiver(receiver)), at: moment)
    case .removed(let path):
      if let index = index(of: path.receiver) {
        receivers.values[index].remove(at: moment, into: &queue)
      }
      pulses.forget(where: { isSamePath($0, path.receiver) }, at: moment, into: &queue)
      queue.append(.event(.removed(path: path)), at: moment)
    case .refused(let path, let reason):
      refuse(path, because: reason, at: moment, into: &queue)
      queue.append(.event(.refused(path: path, reason: reason)), at: moment)
    case .service(let service):
      // A second greeting is in a recording of several connections, or one that was appended to another.
      for index in receivers.indices { receivers.values[index].reconnect(at: moment, into: &queue) }
      queue.append(.event(.service(service)), at: moment)
    case .other(let report):
      queue.append(.event(.other(report)), at: moment)
      if report.kind == .pps { pulses.handle(report.device, at: moment, into: &queue) }
    case .notice(let text):
      queue.append(.event(.notice(text)), at: moment)
    case .corrections(let corrections):
      queue.append(.event(.corrections(corrections)), at: moment)
      guard corrections.state != self.corrections else { break }
      let change = ReceiverChange(
        .corrections(corrections, previous: self.corrections), at: moment)
      self.corrections = corrections.state
      queue.append(.change(change), at: moment)
    case .disconnected(let error, let retryIn):
      fail(error, retryIn: retryIn, at: moment, into: &queue)
    case .selected(let name, let previous):
      // The best has no name, and its machine is made before its first fix.
      if receivers.values.isEmpty { _ = index(of: nil) }
      for index in receivers.indices {
        receivers.values[index].changeSource(at: moment, into: &queue)
      }
      let change = ReceiverChange(.selected(name, previous: previous), at: moment)
      queue.append(.change(change), at: moment)
    }
  }

  /// Makes all changes that are due up to `moment`, in the order of their deadlines.
  mutating func expire(at moment: Moment, into queue: inout UpdateQueue) {
    while let deadline, deadline <= moment { makeChanges(at: deadline, into: &queue) }
  }

  private mutating func expire(before moment: Moment, into queue: inout UpdateQueue) {
    while let deadline, deadline < moment { makeChanges(at: deadline, into: &queue) }
  }

  /// Makes the changes of all receivers at a deadline, to keep the order among them.
  private mutating func makeChanges(at deadline: Moment, into queue: inout UpdateQueue) {
    for index in receivers.indices { receivers.values[index].expire(at: deadline, into: &queue) }
    pulses.expire(at: deadline, into: &queue)
  }

  /// Records that the link failed. No fix stays current.
  mutating func fail(
    _ error: LocationError, retryIn: Duration?, at moment: Moment, into queue: inout UpdateQueue
  ) {
    for index in receivers.indices { receivers.values[index].disconnect(at: moment, into: &queue) }
    pulses.forget(where: { _ in true }, at: moment, into: &queue)
    if error.code == .notRecorded { corrections = nil }
    // A service that fails again before any receiver reported has changed no state. The end of a recorded run is news.
    guard queue.lastState != .noService || error.code == .notRecorded else {
      queue.append(.retry(FailedRetry(error, retryIn: retryIn, at: moment)), at: moment)
      return
    }
    let lastFix = receivers.values.compactMap(\.lastFix).max { $0.isBefore($1) }
    change(
      to: .noService, because: error, lastFix: lastFix, retryIn: retryIn, at: moment, into: &queue)
  }

  /// Appends everything that is held, at the provider's end.
  mutating func finish(at moment: Moment, into queue: inout UpdateQueue) {
    for index in receivers.indices { receivers.values[index].flush(at: moment, into: &queue) }
  }

  private mutating func replaceReceivers(
    with present: [Receiver], at moment: Moment, into queue: inout UpdateQueue
  ) {
    for index in receivers.indices {
      guard let path = receivers.values[index].path,
        !present.contains(where: { isSamePath($0.path, path) })
      else { continue }
      receivers.values[index].remove(at: moment, into: &queue)
    }
    pulses.forget(
      where: { path in path != nil && !present.contains { isSamePath($0.path, path) } },
      at: moment, into: &queue)
    for receiver in present { announce(receiver, at: moment) }
    if present.isEmpty, !receivers.values.contains(where: { $0.state != nil }) {
      noDevice(at: moment, into: &queue)
    }
  }

  private mutating func announce(_ receiver: Receiver, at moment: Moment) {
    guard let index = index(of: receiver.path.receiver) else { return }
    receivers.values[index].announce(receiver, at: moment)
  }

  private mutating func refuse(
    _ path: String, because reason: String, at moment: Moment, into queue: inout UpdateQueue
  ) {
    guard let index = index(of: path.receiver) else { return }
    receivers.values[index].remove(because: reason, at: moment, into: &queue)
  }

  private mutating func noDevice(at moment: Moment, into queue: inout UpdateQueue) {
    guard link != .noDevice else { return }
    change(to: .noDevice, at: moment, into: &queue)
  }

  /// Returns the index of a receiver's machine, adding one for a new receiver; `nil` if there is no
  /// room. A report that names no receiver belongs to the only receiver, or to an unnamed one.
  ///
  /// - Parameter makingRoom: Whether a new receiver may replace one without a position. A receiver
  ///   that reports may; one that is merely listed may not.
  private mutating func index(of path: String?, makingRoom: Bool = false) -> Int? {
    if let index = receivers.find(path) { return index }
    if path == nil, receivers.values.count == 1 { return 0 }
    return newIndex(of: path, makingRoom: makingRoom)
  }

  /// Adds a machine for a new receiver. If there is no room, it replaces a receiver that is gone, or
  /// else one without a position. A receiver may get a new name each time it is plugged in. One with
  /// a position stays, so that its loss is reported.
  private mutating func newIndex(of path: String?, makingRoom: Bool) -> Int? {
    if !receivers.isFull { return receivers.insert(newMachine(for: path, after: link), for: path) }
    guard makingRoom else { return nil }
    // The new receiver may be one that was replaced before, in any state.
    let machine = newMachine(for: path, after: nil)
    return receivers.insert(machine, for: path, inPlaceOf: \.isGone)
      ?? receivers.insert(machine, for: path, inPlaceOf: \.hasNoPosition)
  }

  private func newMachine(for path: String?, after origin: LocationState?) -> ReceiverMachine {
    ReceiverMachine(
      path: path, origin: origin, staleAfter: staleAfter, needs: needs, clockError: clockError,
      dates: dates, sharesClock: sharesClock)
  }

  private mutating func change(
    to state: LocationState, because error: LocationError? = nil, lastFix: LocationFix? = nil,
    retryIn: Duration? = nil, at moment: Moment, into queue: inout UpdateQueue
  ) {
    link = state
    queue.append(
      StateChange(
        state, previous: queue.lastState, reason: error?.description, error: error,
        lastFix: lastFix, retryIn: retryIn,
        time: receivers.values.compactMap { $0.time(at: moment) }.max(), at: moment))
  }
}

extension String {
  /// The path as the name of a receiver; `nil` if it is empty.
  fileprivate var receiver: String? { isEmpty ? nil : self }
}

extension LocationFix {
  /// Returns whether the fix is earlier than `other`. A fix without a time is the earliest.
  fileprivate func isBefore(_ other: LocationFix) -> Bool {
    guard let otherTime = other.time else { return false }
    return time.map { $0 < otherTime } ?? true
  }
}
