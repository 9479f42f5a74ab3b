/// Watches a receiver's antenna and the jamming of its signals.
///
/// Both are reported with positions and without, and some receivers report them only with every
/// tenth epoch or so. A report that lacks one of them leaves it as it was.
struct FrontEndMachine: Sendable {
  /// The level at which jamming begins, of 255. Without jamming, levels are 2 to 30.
  static let jammedLevel = 100
  /// The level below which jamming ends.
  static let clearLevel = 50
  /// gpsd does not send a level of zero, so jamming also ends if no level was reported for this long.
  static let maximumSilence = Nanoseconds.seconds(30)

  private var antenna: AntennaStatus?
  private var isJammed = false
  /// When a level was last reported.
  private var levelMoment: Moment?

  /// Takes the state of the antenna in a report. Returns what changed.
  mutating func take(_ new: AntennaStatus?) -> ReceiverChange.Change? {
    guard let new, new != antenna else { return nil }
    let previous = antenna
    antenna = new
    return previous == nil && new == .ok ? nil : .antenna(new, previous: previous)
  }

  /// Takes the level of jamming in a report. Returns what changed.
  mutating func take(jam: Int?, at moment: Moment) -> ReceiverChange.Change? {
    let wasJammed = isJammed
    if let jam {
      levelMoment = moment
      isJammed = jam >= (wasJammed ? Self.clearLevel : Self.jammedLevel)
    } else if let levelMoment, levelMoment.nanoseconds(to: moment) >= Self.maximumSilence {
      isJammed = false
    }
    return isJammed == wasJammed ? nil : .jamming(isJammed)
  }
}
