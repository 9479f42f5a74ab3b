import Synchronization

/// A GPS receiver that exists only on a pseudo-terminal, and runs a ``Scenario``.
package final class SimulatedReceiver: Sendable {
  private let link: DeviceLink?
  private let state: Mutex<State>

  private struct State {
    var scenario: Scenario
    var index = 0
    /// `nil` while unplugged.
    var terminal: PseudoTerminal?
    var isHeldBack = false
    var written: [UInt8] = []
  }

  /// More of what is written to the receiver is not kept.
  private let maximumWritten = 1 << 20

  /// - Parameter link: A path that stays the same over ``unplug()`` and ``plugIn()``, whichever
  ///   pseudo-terminal it leads to.
  package init(_ scenario: Scenario, link: String? = nil) throws(SystemError) {
    self.link = link.map(DeviceLink.init)
    let terminal = try PseudoTerminal()
    try self.link?.point(to: terminal.path)
    state = Mutex(State(scenario: scenario, terminal: terminal))
  }

  deinit { link?.remove() }

  /// What to give to gpsd. Without a link it is empty while unplugged, and another one afterwards.
  package var path: String {
    link?.path ?? state.withLock { $0.terminal?.path ?? "" }
  }

  /// Whether anybody, gpsd for example, has the receiver open.
  package var isOpen: Bool {
    state.withLock { $0.terminal?.isOpen ?? false }
  }

  /// The epoch that ``step()`` sends next, counted from 0.
  package var nextEpoch: Int {
    state.withLock(\.index)
  }

  /// What was written to the receiver until the last epoch.
  package var written: [UInt8] { state.withLock(\.written) }

  /// How long an epoch lasts now.
  package var interval: Duration { state.withLock(\.scenario.interval) }

  /// Sends one epoch.
  ///
  /// - Returns: Whether its bytes went to somebody. A serial line keeps nothing for later.
  @discardableResult
  package func step() throws(SystemError) -> Bool {
    try state.withLock { state throws(SystemError) in
      defer { state.index += 1 }
      if state.scenario.isPresent(at: state.index), !state.isHeldBack {
        try connect(&state)
      } else {
        disconnect(&state)
      }
      state.written += (state.terminal?.drain() ?? []).prefix(maximumWritten - state.written.count)
      return state.terminal?.write(state.scenario.bytes(at: state.index)) ?? false
    }
  }

  /// Sends epochs in time, `speed` times as fast as their scenario says, until the task is
  /// cancelled.
  ///
  /// - Parameter epochs: The number of epochs; `nil` for no end.
  package func run(
    epochs: Int? = nil, speed: Double = 1, clock: some Clock<Duration> = ContinuousClock()
  ) async throws {
    var due = clock.now
    var sent = 0
    while sent != epochs {
      try await clock.sleep(until: due, tolerance: .zero)
      try step()
      sent += 1
      due = due.advanced(by: interval / speed)
    }
  }

  /// Goes over to another scenario, whose first epoch follows the last one sent in time.
  package func change(to scenario: Scenario) {
    state.withLock { state in
      let elapsed = state.scenario.intervalMilliseconds * Int64(state.index)
      let next = state.scenario.start.advanced(byMilliseconds: elapsed)
      state.scenario = scenario
      state.scenario.start = next
      state.index = 0
    }
  }

  /// Pulls the plug: a process that has the receiver open sees a hang-up. The receiver's time continues.
  package func unplug() {
    state.withLock { state in
      state.isHeldBack = true
      disconnect(&state)
    }
  }

  /// Plugs it in again: a new pseudo-terminal, at the same link.
  package func plugIn() throws(SystemError) {
    try state.withLock { state throws(SystemError) in
      state.isHeldBack = false
      try connect(&state)
    }
  }

  private func connect(_ state: inout State) throws(SystemError) {
    guard state.terminal == nil else { return }
    let terminal = try PseudoTerminal()
    try link?.point(to: terminal.path)
    state.terminal = terminal
  }

  private func disconnect(_ state: inout State) {
    state.terminal = nil
    link?.remove()
  }
}
