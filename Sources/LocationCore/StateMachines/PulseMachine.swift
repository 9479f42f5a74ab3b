/// The state machine of all receivers' pulses per second.
struct PulseMachine: Sendable {
  /// The time without a pulse after which a receiver's pulses are lost.
  private static let limit = Nanoseconds(.seconds(3))

  private struct Pulses {
    var state = PulseStatus.present
    var latest: Moment
  }

  private var receivers = ReceiverTable<Pulses>()

  /// When to call ``expire(at:into:)``; `nil` if only a pulse can cause a change.
  private(set) var deadline: Moment?

  private mutating func updateDeadline() {
    deadline = nil
    for pulses in receivers.values where pulses.state == .present {
      deadline = pulses.latest.later(by: Self.limit).earlier(of: deadline)
    }
  }

  /// Records a pulse of a receiver.
  mutating func handle(_ device: String?, at moment: Moment, into queue: inout UpdateQueue) {
    let previous = receivers[device]?.state
    receivers[device] = Pulses(latest: moment)
    updateDeadline()
    guard previous != .present else { return }
    queue.append(.present, previous, of: device, at: moment)
  }

  /// Makes the changes that are due at `moment`.
  mutating func expire(at moment: Moment, into queue: inout UpdateQueue) {
    guard let deadline, deadline <= moment else { return }
    lose(at: deadline, into: &queue) { $1.latest.later(by: Self.limit) <= deadline }
    updateDeadline()
  }

  /// Records that receivers, or all of them, went away. No pulses stay present.
  ///
  /// - Parameter isGone: Whether the receiver with this path went away.
  mutating func forget(
    where isGone: (String?) -> Bool, at moment: Moment, into queue: inout UpdateQueue
  ) {
    guard !receivers.isEmpty else { return }
    lose(at: moment, into: &queue) { path, _ in isGone(path) }
    updateDeadline()
  }

  private mutating func lose(
    at moment: Moment, into queue: inout UpdateQueue, where isLost: (String?, Pulses) -> Bool
  ) {
    for index in receivers.indices where receivers.values[index].state == .present {
      let path = receivers.path(at: index)
      guard isLost(path, receivers.values[index]) else { continue }
      receivers.values[index].state = .lost
      queue.append(.lost, .present, of: path, at: moment)
    }
  }
}

extension UpdateQueue {
  fileprivate mutating func append(
    _ status: PulseStatus, _ previous: PulseStatus?, of device: String?, at moment: Moment
  ) {
    let change = ReceiverChange(.pulses(status, previous: previous), of: device, at: moment)
    append(.change(change), at: moment)
  }
}
