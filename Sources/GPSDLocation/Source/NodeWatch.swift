package import LocationCore

/// Watches the device of one receiver: whether it is gone, and when it is back.
///
/// It says nothing of a device that was not seen here while the receiver reported, and nothing as long as
/// the receiver reports. Looking is left to the caller.
package struct NodeWatch: Sendable {
  /// How long a receiver is silent before its device is looked for.
  package static let lookAfter = Nanoseconds.seconds(2)
  /// How far apart two looks are. A device that is the same at both is ready for use: udev makes it
  /// first, and gives it its owner afterwards.
  package static let lookEvery = Nanoseconds.seconds(1)

  /// What a look found.
  package enum Change: Hashable, Sendable {
    /// The device is gone.
    case gone
    /// The device is back and ready, perhaps after so short a time that nobody saw it gone.
    case back
  }

  private enum State {
    case unseen
    case here(DeviceNode)
    case gone
    /// It is back, and its owner may still change.
    case arriving(DeviceNode)
  }

  private var state: State
  private var looked: Moment?
  /// Whether the receiver has reported since its device was seen first.
  private var hasReported = false
  /// When the receiver reported last, or was first expected to.
  package private(set) var heard: Moment
  /// Whether the device came back, and the receiver has not reported since.
  package private(set) var isReturned = false

  /// - Parameter moment: Since when reports are expected.
  package init(expectedSince moment: Moment) {
    state = .unseen
    heard = moment
  }

  /// - Parameters:
  ///   - node: The device, which is known to belong to this machine; `nil` where it is unplugged.
  ///   - moment: Since when reports are expected.
  package init(of node: DeviceNode?, expectedSince moment: Moment) {
    state = node.map { .here($0) } ?? .gone
    heard = moment
    looked = moment
  }

  /// Whether the device is known, and is not there or not ready.
  package var isAway: Bool {
    switch state {
    case .gone, .arriving: true
    case .unseen, .here: false
    }
  }

  /// When to ``look(at:for:)``; `nil` where there is nothing to look for.
  package var deadline: Moment? {
    let next = looked?.later(by: Self.lookEvery) ?? .past
    return switch state {
    case .unseen: nil
    case .here: max(heard.later(by: Self.lookAfter), next)
    case .gone, .arriving: next
    }
  }

  /// Notes that the receiver reported.
  ///
  /// - Parameter node: Looks for the device. It is called at the first report, and after a silence.
  package mutating func hear(at moment: Moment, node: () -> DeviceNode?) {
    heard = moment
    if case .here = state, looked == nil { return }
    if case .unseen = state, let looked, moment < looked.later(by: Self.lookEvery) { return }
    isReturned = false
    if let node = node() {
      state = .here(node)
      hasReported = true
      looked = nil
    } else {
      // It reports without a device of this machine: it is one of another's, through a tunnel.
      state = .unseen
      looked = moment
    }
  }

  /// Looks for the device where that is due.
  package mutating func look(at moment: Moment, for node: () -> DeviceNode?) -> Change? {
    guard let deadline, deadline <= moment else { return nil }
    looked = moment
    let found = node()
    switch (state, found) {
    case (.unseen, _), (.gone, nil):
      return nil
    case (.here, nil):
      become(.gone)
      return .gone
    case (.arriving, nil):
      become(.gone)
      return nil
    case (.here(let known), let found?):
      // A gpsd that opens a device may change its mode.
      if found.isOther(than: known) || (hasReported && found != known) {
        become(.arriving(found))
      } else {
        state = .here(found)
      }
      return nil
    case (.gone, let found?):
      become(.arriving(found))
      return nil
    case (.arriving(let known), let found?):
      guard found == known else {
        state = .arriving(found)
        return nil
      }
      become(.here(found))
      isReturned = true
      return .back
    }
  }

  private mutating func become(_ state: State) {
    self.state = state
    isReturned = false
    hasReported = false
  }
}
