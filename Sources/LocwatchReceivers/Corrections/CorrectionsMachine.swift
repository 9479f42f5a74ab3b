import LocationCore

/// Decides when corrections are there and when they are lost, from their frames and from the failures of the
/// link.
///
/// A caster that hangs up and is back within five seconds is not lost: a receiver uses corrections for longer.
struct CorrectionsMachine {
  private enum State {
    case unknown
    case connected
    /// The link has failed, and corrections are lost at a moment.
    case failing(reason: String, lostAt: Moment)
    case lost
  }

  /// How old the last frame is before corrections are lost.
  static let tolerance = Nanoseconds.seconds(5)

  private let source: String
  private var state = State.unknown
  private var heard = Moment.past
  private var base: BaseStation?

  init(of source: String) { self.source = source }

  /// When to call ``expire(at:)``; `nil` if nothing follows from the time alone.
  var deadline: Moment? {
    if case .failing(_, let moment) = state { moment } else { nil }
  }

  /// Handles a frame. Returns what is new.
  mutating func handle(_ frame: [UInt8], at moment: Moment) -> Corrections? {
    heard = moment
    let base = BaseStation(frame: frame) ?? base
    let hasMoved = base != self.base
    self.base = base
    let wasThere =
      switch state {
      case .connected, .failing: true
      case .unknown, .lost: false
      }
    state = .connected
    guard hasMoved || !wasThere else { return nil }
    return Corrections(.connected, of: source, base: base?.coordinate)
  }

  /// Handles a failure of the link. Returns what is new.
  mutating func fail(_ reason: String, at moment: Moment) -> Corrections? {
    switch state {
    case .unknown: return lose(reason)
    case .connected: state = .failing(reason: reason, lostAt: heard.later(by: Self.tolerance))
    case .failing(_, let lostAt): state = .failing(reason: reason, lostAt: lostAt)
    case .lost: return nil
    }
    return expire(at: moment)
  }

  /// Makes the changes that are due. Returns what is new.
  mutating func expire(at moment: Moment) -> Corrections? {
    guard case .failing(let reason, let lostAt) = state, lostAt <= moment else { return nil }
    return lose(reason)
  }

  private mutating func lose(_ reason: String) -> Corrections {
    state = .lost
    // Another station may follow.
    base = nil
    return Corrections(.lost, of: source, reason: reason)
  }
}
