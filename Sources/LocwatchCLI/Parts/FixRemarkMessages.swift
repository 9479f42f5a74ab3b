import LocationCore
import LocwatchDoctor
import LocwatchSystem

/// Writes remarks on fixes, whether or not they count.
struct FixRemarkMessages: SourcePart {
  private let log: Log
  private var remarks: FixRemarks

  /// - Parameter now: What this machine's clock shows in a replay; `nil` in a live run.
  init(_ log: Log, now: Timestamp?) {
    self.log = log
    remarks = FixRemarks(now: now)
  }

  mutating func handle(
    _ update: LocationUpdate, at moment: Moment, on output: inout SharedOutput
  ) throws(OutputError) -> Passage {
    guard case .fix(let fix) = update else { return .next }
    for remark in remarks.remarks(on: fix) { try output.write("\(remark)", to: log, at: moment) }
    return .next
  }
}
