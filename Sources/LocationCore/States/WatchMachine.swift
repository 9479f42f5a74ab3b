/// The states of a link to a location service and of the receivers behind it.
///
/// It is told what came and when, says what changed, and names the moment at which it wants to be
/// asked again. It keeps no clock: whatever was due before a report came is done first.
struct WatchMachine: Sendable {
  /// So many receivers are followed at once; gpsd itself takes four to six. Reports of further ones
  /// are passed on, and have no state.
  static let mostReceivers = 64

  private let stale: Duration?
  private let needs: FixNeeds
  /// The link's last state. A receiver's first one follows it.
  private var link = LocationState.connecting
  private var receivers: [ReceiverMachine] = []
  private var latest = 0

  /// - Parameters:
  ///   - stale: After how long without another a fix is no longer current; `nil` is the larger of
  ///     5 s and three of the receiver's own intervals.
  ///   - needs: What a fix is to have.
  init(stale: Duration?, needs: FixNeeds = FixNeeds()) {
    self.stale = stale
    self.needs = needs
  }

  /// When ``expire(at:into:)`` has something to do; `nil` where only a report can change a state.
  var deadline: Moment? {
    var earliest: Moment?
    let receivers = receivers.span  // An element of an array would be copied.
    for index in receivers.indices {
      guard let deadline = receivers[index].deadline else { continue }
      earliest = deadline.orEarlier(earliest)
    }
    return earliest
  }

  mutating func start(at moment: Moment, into output: inout Output) {
    change(to: .connecting, at: moment, into: &output)
  }

  mutating func handle(_ event: LocationEvent, at moment: Moment, into output: inout Output) {
    expire(at: moment, into: &output)
    switch event {
    case .fix(let fix):
      guard let index = index(of: fix.device, makingRoom: true) else {
        output.append(.report(event), at: moment)
        return
      }
      receivers[index].handle(fix, at: moment, into: &output)
    case .noFix(let noFix):
      if let index = index(of: noFix.device, makingRoom: true) {
        receivers[index].handle(noFix, at: moment, into: &output)
      }
    case .sky(let sky):
      if let index = index(of: sky.device) { receivers[index].handle(sky) }
      output.append(.report(event), at: moment)
    case .receivers(let present):
      replaceReceivers(with: present, at: moment, into: &output)
      output.append(.report(event), at: moment)
    case .receiver(let receiver):
      announce(receiver, at: moment)
      output.append(.report(event), at: moment)
    case .removed(let path):
      if let index = index(of: path) { receivers[index].remove(at: moment, into: &output) }
      output.append(.report(event), at: moment)
    case .refused(let path, let reason):
      refuse(path, because: reason, at: moment, into: &output)
      output.append(.report(event), at: moment)
    case .service:
      // A service greets once: a second greeting is another recording's, appended to the first.
      for index in receivers.indices { receivers[index].expectOpening() }
      output.append(.report(event), at: moment)
    case .notice:
      output.append(.report(event), at: moment)
    }
  }

  /// Does what is due up to `moment`, each at its own.
  mutating func expire(at moment: Moment, into output: inout Output) {
    // Moment by moment: one receiver after the other would tell later things first.
    while let deadline, deadline <= moment {
      for index in receivers.indices { receivers[index].expire(at: deadline, into: &output) }
    }
  }

  /// The link failed. Nothing that was current stays so.
  mutating func fail(
    _ error: LocationError, retryIn: Duration?, at moment: Moment, into output: inout Output
  ) {
    for index in receivers.indices { receivers[index].disconnect(at: moment, into: &output) }
    // A gpsd that answered, and went before a receiver reported, changed no state.
    guard output.lastState != .noDaemon else {
      output.append(.retry(FailedRetry(error, retryIn: retryIn, at: moment)), at: moment)
      return
    }
    let lastFix = receivers.compactMap(\.lastFix).max { $0.isBefore($1) }
    change(
      to: .noDaemon, because: error, lastFix: lastFix, retryIn: retryIn, at: moment, into: &output)
  }

  /// The provider has no more to report: what is held goes out.
  mutating func finish(at moment: Moment, into output: inout Output) {
    for index in receivers.indices { receivers[index].flush(at: moment, into: &output) }
  }

  private mutating func replaceReceivers(
    with present: [Receiver], at moment: Moment, into output: inout Output
  ) {
    for index in receivers.indices {
      let path = receivers[index].path
      guard !path.isEmpty, !present.contains(where: { $0.path == path }) else { continue }
      receivers[index].remove(at: moment, into: &output)
    }
    for receiver in present { announce(receiver, at: moment) }
    if present.isEmpty, !receivers.contains(where: { $0.state != nil }) {
      noDevice(at: moment, into: &output)
    }
  }

  private mutating func announce(_ receiver: Receiver, at moment: Moment) {
    guard let index = index(of: receiver.path) else { return }
    receivers[index].announce(receiver, at: moment)
  }

  private mutating func refuse(
    _ path: String, because reason: String, at moment: Moment, into output: inout Output
  ) {
    guard let index = index(of: path) else { return }
    receivers[index].remove(because: reason, at: moment, into: &output)
  }

  private mutating func noDevice(at moment: Moment, into output: inout Output) {
    guard link != .noDevice else { return }
    change(to: .noDevice, at: moment, into: &output)
  }

  /// The place of a receiver's machine; a new one where the receiver is new. A report that names no
  /// receiver belongs to the one that is known, else to an unnamed one.
  ///
  /// - Parameter makingRoom: Whether another that is gone gives way to it: to one that reports, and not to
  ///   one of a long list.
  private mutating func index(of path: String, makingRoom: Bool = false) -> Int? {
    if latest < receivers.count, receivers.span[latest].path == path { return latest }
    if path.isEmpty, receivers.count == 1 { return 0 }
    if let index = receivers.firstIndex(where: { $0.path == path }) {
      latest = index
      return index
    }
    return newIndex(of: path, makingRoom: makingRoom)
  }

  /// The place of a receiver that is new, where there is one left. One that is gone makes room, so
  /// that names which change with every plugging in do not use them up.
  private mutating func newIndex(of path: String, makingRoom: Bool) -> Int? {
    if receivers.count < Self.mostReceivers {
      receivers.append(newMachine(for: path, after: link))
      latest = receivers.count - 1
      return latest
    }
    guard makingRoom, let gone = receivers.firstIndex(where: \.isGone) else { return nil }
    // It may be one that made room itself.
    receivers[gone] = newMachine(for: path, after: .noDevice)
    latest = gone
    return gone
  }

  private func newMachine(for path: String, after origin: LocationState) -> ReceiverMachine {
    ReceiverMachine(path: path, origin: origin, stale: stale, needs: needs)
  }

  private mutating func change(
    to state: LocationState, because error: LocationError? = nil, lastFix: LocationFix? = nil,
    retryIn: Duration? = nil, at moment: Moment, into output: inout Output
  ) {
    link = state
    output.append(
      StateChange(
        state, previous: output.lastState, reason: error?.description, error: error,
        lastFix: lastFix, retryIn: retryIn,
        time: receivers.compactMap { $0.time(at: moment) }.max(), at: moment))
  }
}

extension LocationFix {
  /// Whether its time is earlier; a fix without a time is the earliest.
  fileprivate func isBefore(_ other: LocationFix) -> Bool {
    guard let otherTime = other.time else { return false }
    return time.map { $0 < otherTime } ?? true
  }
}
