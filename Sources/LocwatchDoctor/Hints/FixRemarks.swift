package import LocationCore
import LocationText

/// Remarks on the fixes of a source, each made once, because not every format can show them.
package struct FixRemarks: Sendable {
  private var isSimulationTold = false
  private var isSurveyTold = false
  private var isRolloverTold = false
  private var isCorrectionTold = false
  private var isFutureTold = false
  private let now: Timestamp?

  /// - Parameter now: What this machine's clock shows in a replay, whose dates cannot be later; `nil` in a live run.
  package init(now: Timestamp? = nil) { self.now = now }

  /// Returns the remarks that were not made before.
  package mutating func remarks(on fix: LocationFix) -> [String] {
    var remarks: [String] = []
    var receiver: String { fix.device ?? "the receiver" }
    if fix.quality == .simulated, !isSimulationTold {
      isSimulationTold = true
      remarks.append("SIMULATED: \(receiver) reports a simulated position")
    }
    if fix.quality == .timeOnly, !isSurveyTold {
      isSurveyTold = true
      remarks.append(
        "\(receiver) computes only the time and repeats its surveyed position")
    }
    if let count = fix.dateCorrection, !isCorrectionTold {
      isCorrectionTold = true
      remarks.append(
        "the date of \(receiver) is \(Text.weeks(ofRollover: count)), and is corrected")
    }
    if let rollover = fix.rollover, !isRolloverTold {
      isRolloverTold = true
      remarks.append(
        "the date of \(receiver) is \(Text.weeks(ofRollover: rollover)), because its firmware is too old; "
          + "positions are not affected")
    } else if let time = fix.time, let received = fix.received, !isRolloverTold,
      let late = time.rollovers(to: received), late > 0, fix.rollover == nil
    {
      isRolloverTold = true
      let weeks = Text.weeks(ofRollover: -late)
      remarks.append(
        "this machine's clock is \(weeks) by the date of \(receiver): one of the two is wrong")
    }
    if let now, let time = fix.time, fix.rollover == nil, !isFutureTold,
      time > now.advanced(by: Self.tolerance)
    {
      isFutureTold = true
      remarks.append(
        "the date of \(receiver), \(time.day), is wrong, or this machine's clock is: it lies after today, \(now.day)"
      )
    }
    return remarks
  }

  /// By how much a computer's clock can be behind without a remark.
  private static let tolerance = Duration.seconds(86_400)
}

extension Timestamp {
  /// `2006-04-09`
  var day: Substring { "\(self)".prefix(10) }
}
