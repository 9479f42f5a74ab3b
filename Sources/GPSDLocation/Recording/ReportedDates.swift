import LocationCore

/// Decides which dates are right in a recording without receive times.
///
/// A date is right if the receiver reports others that agree with it (``AgreeingTimes``), and wrong if it first returns
/// to dates that agree with each other. If neither happens, as at the end of the recording, the date counts as right.
struct ReportedDates: Sendable {
  /// A time in a report.
  struct Report: Sendable {
    /// The path of the receiver; `nil` if the report has none.
    let receiver: String?
    let time: Timestamp
    /// When it was received, by the time of the recording.
    let elapsed: Nanoseconds
  }

  private struct Receiver {
    var times = AgreeingTimes()
    var latest: Timestamp?
  }

  private var receivers = ReceiverTable<Receiver>()

  /// Records the time of a report. Reports of the same instant count once.
  mutating func record(_ report: Report) {
    let path = report.receiver
    guard let index = receivers.find(path) ?? receivers.insert(Receiver(), for: path),
      receivers.values[index].latest != report.time
    else { return }
    receivers.values[index].latest = report.time
    receivers.values[index].times.record(report.time, at: report.elapsed)
  }

  /// Returns whether the time of a report agrees with others.
  mutating func believes(_ report: Report) -> Bool {
    times(of: report)?.believes(report.time, at: report.elapsed) ?? false
  }

  /// Returns the time of a wrong report that follows from the others.
  mutating func corrected(_ report: Report) -> Timestamp {
    times(of: report)?.time(report.time, at: report.elapsed) ?? report.time
  }

  private mutating func times(of report: Report) -> AgreeingTimes? {
    receivers.find(report.receiver).map { receivers.values[$0].times }
  }
}
