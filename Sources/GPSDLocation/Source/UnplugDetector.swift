package import LocationCore

/// Detects when the device of one receiver disappears and returns.
///
/// It ignores a device that was never seen on this machine while its receiver reported, and reports
/// no change while the receiver reports. The caller performs the lookup.
package struct UnplugDetector: Sendable {
  /// How long a receiver must be silent before its device is looked up.
  package static let lookAfter = Nanoseconds.seconds(2)
  /// The time between two lookups. A device that is the same in both is ready for use: udev creates
  /// it first, and sets its owner afterwards.
  package static let lookEvery = Nanoseconds.seconds(1)

  /// The result of a lookup.
  package enum Change: Hashable, Sendable {
    /// The device is gone.
    case gone
    /// The device is back and ready, possibly after an absence too short to be seen.
    case back
  }

  private enum State {
    case unseen
    case here(DeviceNode)
    case gone
    /// The device is back, and its owner may still change.
    case arriving(DeviceNode)
  }

  /// Whether the receiver is on this machine in any case.
  private let isLocal: Bool
  private var state: State
  private var looked: Moment?
  /// Whether the receiver has reported since its device was first seen.
  private var hasReported = false
  /// When the receiver last reported, or was first expected to.
  package private(set) var heard: Moment
  /// Whether the device has returned and the receiver has not reported since.
  package private(set) var isReturned = false

  /// Creates a watch of a device that has not been seen.
  ///
  /// - Parameter moment: When reports began to be expected.
  package init(expectedSince moment: Moment) {
    isLocal = false
    state = .unseen
    heard = moment
  }

  /// Creates a watch of a known device.
  ///
  /// - Parameters:
  ///   - node: The device, known to be on this machine; `nil` if it is unplugged.
  ///   - moment: When reports began to be expected.
  package init(of node: DeviceNode?, expectedSince moment: Moment) {
    isLocal = true
    state = node.map { .here($0) } ?? .gone
    heard = moment
    looked = moment
  }

  /// Whether the device is known but absent or not ready.
  package var isAway: Bool {
    switch state {
    case .gone, .arriving: true
    case .unseen, .here: false
    }
  }

  /// When to call ``look(at:for:)``; `nil` if there is no device to look up.
  package var deadline: Moment? {
    let next = looked?.later(by: Self.lookEvery) ?? .past
    return switch state {
    case .unseen: nil
    case .here: max(heard.later(by: Self.lookAfter), next)
    case .gone, .arriving: next
    }
  }

  /// Records that the receiver reported.
  ///
  /// The last report of a known device can come after it was unplugged.
  ///
  /// - Parameter node: Looks up the device. It is called at the first report, and after a silence.
  package mutating func handle(at moment: Moment, node: () -> DeviceNode?) {
    heard = moment
    if case .here = state, looked == nil { return }
    if case .unseen = state, let looked, moment < looked.later(by: Self.lookEvery) { return }
    isReturned = false
    if let node = node() {
      state = .here(node)
      hasReported = true
      looked = nil
    } else if !isLocal {
      // The receiver is on another machine, reached through a tunnel.
      state = .unseen
      looked = moment
    }
  }

  /// Looks up the device if that is due.
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
