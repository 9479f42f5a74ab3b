/// A stretch of a scenario in which nothing changes but time and place.
package struct Phase: Hashable, Sendable {
  package var epochs: Int
  package var reception: Reception
  package var clock: PhaseClock
  package var distortion: Distortion

  package init(
    _ epochs: Int, _ reception: Reception, clock: PhaseClock = .running,
    _ distortion: Distortion = .none
  ) {
    self.epochs = epochs
    self.reception = reception
    self.clock = clock
    self.distortion = distortion
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
  /// It is wrong by this many milliseconds.
  case off(byMilliseconds: Int64)

  package static func off(bySeconds seconds: Int64) -> PhaseClock {
    .off(byMilliseconds: seconds * 1000)
  }
}

/// What is wrong with what the receiver reports, whether the sky, the receiver or somebody else makes it so.
package enum Distortion: Hashable, Sendable {
  case none
  /// The position is off to the east: by metres at the phase's beginning, and more with each second.
  case off(metres: Double, perSecond: Double = 0)
  /// The position is dragged off to the east, and the reported speed with it.
  case dragged(perSecond: Double)
  /// The position stays, and the reported speed does not.
  case frozen
  /// All satellites are equally strong.
  case oneTransmitter
  /// All satellites are weaker by this many decibels.
  case noise(decibels: Int)
}
