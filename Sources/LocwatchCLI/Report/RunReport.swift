import LocationCore
import LocationFormats
import LocationReports
import Synchronization

/// The report of a run, which can be written while the run goes on.
final class RunReport: Sendable {
  private let file: ReportFile
  private let source: String?
  /// Whether the last report is also printed.
  private let isPrinted: Bool
  private let clock: LocationClock
  private let report: Mutex<LocationReport>
  /// Whether the last report was written, after which there is none. One is written at a time.
  private let isFinished = Mutex(false)

  /// - Parameter clock: The clock of the moments at which updates are added.
  init(_ file: ReportFile, _ options: Options, clock: LocationClock) {
    self.file = file
    self.clock = clock
    source = options.source
    isPrinted = options.printsReport && !file.replacesOutput
    report = Mutex(
      LocationReport(reference: options.reference, countsFigures: file.form == .page))
  }

  func add(_ update: LocationUpdate, at moment: Moment) {
    report.withLock { $0.add(update, at: moment) }
  }

  /// Writes what has happened so far.
  ///
  /// - Parameters:
  ///   - isLast: Whether the run is over.
  ///   - moment: When it ended; `nil` for the current moment.
  func write(isLast: Bool, at moment: Moment? = nil) throws(OutputError) {
    try isFinished.withLock { isFinished throws(OutputError) in
      guard !isFinished else { return }
      isFinished = isLast
      // Updates go on while the copy is written.
      var report = report.withLock { $0 }
      report.end(at: moment ?? clock.now)
      try file.write(report, source: source)
      if isPrinted, isLast {
        try Descriptor.standardOutput.writeText(ReportText.text(of: report))
      }
    }
  }
}
