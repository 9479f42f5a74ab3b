import CLinux

/// What the kernel says of the clock that it keeps (adjtimex(2)): whether something keeps that right.
struct KernelClock: Equatable {
  /// The clock is not synchronised (`STA_UNSYNC`), and the state that says so (`TIME_ERROR`).
  static let unsynchronised: CInt = 0x40
  static let errorState: CInt = 5

  /// The state of the clock; -1 if the kernel does not tell.
  var state: CInt
  /// Flags.
  var status: CInt
  /// In microseconds. It grows until the clock is compared with another one again.
  var maximumError: Int64

  static var now: KernelClock {
    var clock = KernelClock(state: -1, status: 0, maximumError: 0)
    clock.state = unsafe lw_clock_state(&clock.status, &clock.maximumError)
    return clock
  }

  /// By how many seconds the clock can be wrong; `nil` if nothing keeps it right, or if this is unknown.
  var error: Double? {
    guard state >= 0, state != Self.errorState, status & Self.unsynchronised == 0,
      maximumError >= 0
    else { return nil }
    return Double(maximumError) / 1e6
  }
}
