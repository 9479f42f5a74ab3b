/// Watches a receiver's antenna and the interference with its signals.
///
/// Both are reported with positions and without, and some receivers report them only with every
/// tenth epoch or so. A report that lacks one of them leaves it as it was for a while, and completes a
/// fix by it.
struct FrontEndMachine: Sendable {
  /// The level at which jamming begins, of 255. Without interference, levels are 2 to 30.
  static let jammedLevel = 100
  /// The level below which jamming ends.
  static let clearLevel = 50
  /// How long a state lasts without a report: gpsd reports neither a level of zero nor a working antenna.
  static let maximumSilence = Nanoseconds.seconds(30)
  /// The number of reports that may lack what an earlier one had. A slow receiver repeats it only in some.
  static let maximumReports = 20

  /// The state of the antenna that was last reported, when, and the number of reports since that
  /// lacked it.
  private var antenna: (status: AntennaStatus, moment: Moment, missing: Int)?
  private var isJammed = false
  private var isPowered: Bool?
  /// The level that was last reported, when, and the number of reports since that lacked it.
  private var level: (jam: Int, moment: Moment, missing: Int)?

  /// Handles the antenna in a report. Returns what changed.
  ///
  /// gpsd 3.26 to 3.27.5 report only an antenna that is open or short. It works again once a report has
  /// the power of the antenna without such a fault, because receivers report both together, or once
  /// the fault was not repeated for ``maximumSilence`` and ``maximumReports``.
  mutating func handle(
    _ new: AntennaStatus?, isPowered power: Bool?, at moment: Moment
  ) -> ReceiverChange.Kind? {
    if let power { isPowered = power }
    let before = antenna
    if let new {
      antenna = (new, moment, 0)
      guard new != before?.status else { return nil }
      return before == nil && new == .ok
        ? nil : .antenna(new, previous: before.map(\.status))
    }
    guard let before, before.status != .ok else { return nil }
    let missing = before.missing + 1
    guard power != nil || isOld(before.moment, missing: missing, at: moment) else {
      antenna = (before.status, before.moment, missing)
      return nil
    }
    antenna = (.ok, moment, 0)
    return .antenna(.ok, previous: before.status)
  }

  /// Returns whether something is over, because it was reported long ago and enough reports since then lacked it.
  private func isOld(_ reported: Moment, missing: Int, at moment: Moment) -> Bool {
    reported.nanoseconds(to: moment) >= Self.maximumSilence && missing >= Self.maximumReports
  }

  /// Adds what an earlier report of the receiver said and the fix lacks: of the antenna, a fault.
  func complete(_ fix: inout LocationFix) {
    if let antenna, antenna.status != .ok, fix.antenna == nil { fix.antenna = antenna.status }
    if let isPowered, fix.isAntennaPowered == nil { fix.isAntennaPowered = isPowered }
    if let level, fix.interference == nil { fix.interference = level.jam }
  }

  /// Handles the level of interference in a report. Returns what changed.
  mutating func handle(jam: Int?, at moment: Moment) -> ReceiverChange.Kind? {
    let wasJammed = isJammed
    if let jam {
      level = (jam, moment, 0)
      isJammed = jam >= (wasJammed ? Self.clearLevel : Self.jammedLevel)
    } else if let last = level {
      let isOld = isOld(last.moment, missing: last.missing + 1, at: moment)
      level = isOld ? nil : (last.jam, last.moment, last.missing + 1)
      if isOld { isJammed = false }
    }
    return isJammed == wasJammed ? nil : .jamming(isJammed)
  }
}
