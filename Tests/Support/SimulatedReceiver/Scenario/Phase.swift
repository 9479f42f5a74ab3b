/// A stretch of a scenario in which nothing changes but time and place.
package struct Phase: Hashable, Sendable {
  package var epochs: Int
  package var reception: Reception
  package var clock: PhaseClock

  package init(_ epochs: Int, _ reception: Reception, clock: PhaseClock = .running) {
    self.epochs = epochs
    self.reception = reception
    self.clock = clock
  }
}

/// What comes from the sky, and over the line.
package enum Reception: Hashable, Sendable {
  /// The receiver is not there.
  case unplugged
  /// It is there and sends nothing.
  case silent
  /// It sees some satellites, and has no fix.
  case searching(inView: Int)
  case twoDimensional
  case threeDimensional
  /// A fix in three dimensions with corrections, which is better.
  case differential
}

/// What the receiver's clock does.
package enum PhaseClock: Hashable, Sendable {
  case running
  /// It stays at the phase's first epoch, and so does the receiver's place.
  case stuck
  /// It is wrong by so many seconds.
  case off(bySeconds: Int64)
}
