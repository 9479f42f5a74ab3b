/// Watches a receiver's antenna and the jamming of its signals.
///
/// Both are reported with positions and without, and some receivers report them only with every
/// tenth epoch or so. A report that lacks one of them leaves it as it was, and completes a fix by it.
struct FrontEndMachine: Sendable {
  /// The level at which jamming begins, of 255. Without jamming, levels are 2 to 30.
  static let jammedLevel = 100
  /// The level below which jamming ends.
  static let clearLevel = 50
  /// gpsd does not send a level of zero, so jamming also ends if no level was reported for this long.
  static let maximumSilence = Nanoseconds.seconds(30)

  private var antenna: AntennaStatus?
  private var isJammed = false
  private var isPowered: Bool?
  /// The level that was last reported, and when.
  private var level: (jam: Int, moment: Moment)?

  /// Handles the state of the antenna in a report. Returns what changed.
  mutating func handle(_ new: AntennaStatus?) -> ReceiverChange.Kind? {
    guard let new, new != antenna else { return nil }
    let previous = antenna
    antenna = new
    return previous == nil && new == .ok ? nil : .antenna(new, previous: previous)
  }

  /// Handles the power of the antenna in a report.
  mutating func handle(isPowered new: Bool?) { isPowered = new ?? isPowered }

  /// Adds what an earlier report of the receiver said and the fix lacks.
  func complete(_ fix: inout LocationFix) {
    if let antenna, fix.antenna == nil { fix.antenna = antenna }
    if let isPowered, fix.isAntennaPowered == nil { fix.isAntennaPowered = isPowered }
    if let level, fix.jam == nil { fix.jam = level.jam }
  }

  /// Handles the level of jamming in a report. Returns what changed.
  mutating func handle(jam: Int?, at moment: Moment) -> ReceiverChange.Kind? {
    let wasJammed = isJammed
    if let jam {
      level = (jam, moment)
      isJammed = jam >= (wasJammed ? Self.clearLevel : Self.jammedLevel)
    } else if let last = level, last.moment.nanoseconds(to: moment) >= Self.maximumSilence {
      level = nil
      isJammed = false
    }
    return isJammed == wasJammed ? nil : .jamming(isJammed)
  }
}
