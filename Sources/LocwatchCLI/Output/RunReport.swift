import LocationCore
import LocationReports
import LocationText
import LocwatchSystem
import Synchronization

/// The report on each source of a run, which can be written while locwatch runs.
///
/// It counts the fixes that pass the filters of the run, whether or not the reader of the output keeps up
/// with them. A live run and its replay therefore have the same report. A report that is only served begins when
/// its page is first asked for, because most readers of a server want something else.
///
/// A live run waits a short time for the reader of a pipe. A replay waits until it is cancelled.
final class RunReport: Sendable {
  /// How long a live run waits for the reader of a pipe.
  static let patience = Duration.seconds(2)

  private let options: Options
  /// The units of a page and of text.
  private let units: ReportUnits
  private let clock: LocationClock
  /// How long to wait for the reader of a pipe; `nil` for no limit.
  private let patience: Duration?
  private let parts: Mutex<Sources>
  /// The reports of a replay that the user last saw before the recording was read again; `nil` before that.
  private let seen = Mutex<[SourceReport]?>(nil)
  /// Whether the run is over. A report that is being written then gives up its reader.
  private let isEnding = Mutex(false)
  /// Whether the last report was written. Only one report is written at a time.
  let isFinished = Mutex(false)

  /// Creates the report; `nil` if none is wanted.
  ///
  /// - Parameters:
  ///   - clock: The clock of the moments at which updates are added.
  ///   - patience: How long a live run waits for the reader of a pipe.
  init?(
    _ options: Options, clock: LocationClock, patience: Duration = RunReport.patience
  ) {
    guard options.report != nil || options.serve != nil else { return nil }
    self.options = options
    self.clock = clock
    self.patience = options.isReplay ? nil : patience
    units = ReportUnits(options.reportUnits)
    parts = Mutex(Sources(haveBegun: options.report != nil))
  }

  private struct Sources {
    var all: [Source] = []
    var haveBegun: Bool
  }

  private struct Source {
    let number: Int
    var report: SourceReport
    var hasBegun: Bool
    /// Whether the source has ended before the run.
    var isOver = false
  }

  /// The report on one source.
  struct Part: Sendable {
    fileprivate let report: RunReport
    fileprivate let index: Int

    func add(_ update: LocationUpdate, at moment: Moment) {
      report.parts.withLock { parts in
        if parts.all[index].hasBegun { parts.all[index].report.report.add(update, at: moment) }
      }
    }

    /// Ends the report on a source that has ended before the run.
    func end(at moment: Moment) {
      report.parts.withLock { parts in
        parts.all[index].report.report.end(at: moment)
        parts.all[index].isOver = true
      }
    }
  }

  /// Removes the reports on all sources, because the recording is read again.
  func restart() {
    parts.withLock { $0.all = [] }
    isEnding.withLock { $0 = false }
    isFinished.withLock { $0 = false }
  }

  /// Records that the user has seen the updates so far.
  ///
  /// - Parameter moment: When the recording ended; `nil` for the current moment.
  func recordSeen(at moment: Moment?) {
    let sources = sources(at: moment ?? clock.now)
    seen.withLock { $0 = sources }
  }

  /// Returns the report on a source with a number, and begins it if the others have begun.
  func part(_ name: String?, as number: Int = 0) -> Part {
    let report = SourceReport(
      name,
      LocationReport(
        reference: options.reference,
        countsFigures: options.serve != nil || options.report?.form == .page,
        stops: options.stop ?? StopCriteria(), criteria: options.criteria))
    return parts.withLock { parts in
      parts.all.append(Source(number: number, report: report, hasBegun: parts.haveBegun))
      return Part(report: self, index: parts.all.count - 1)
    }
  }

  /// Whether the reports have begun.
  var haveBegun: Bool { parts.withLock(\.haveBegun) }

  /// Begins the reports that have not begun, except for those on sources that have ended.
  ///
  /// - Parameter known: Returns the updates by which the source with a number has the state of the moment.
  func begin(at moment: Moment, _ known: (Int) -> [LocationUpdate]) {
    parts.withLock { parts in
      parts.haveBegun = true
      for index in parts.all.indices where !parts.all[index].hasBegun && !parts.all[index].isOver {
        parts.all[index].hasBegun = true
        for update in known(parts.all[index].number) {
          parts.all[index].report.report.add(update, at: moment)
        }
      }
    }
  }

  /// Writes what has happened so far.
  ///
  /// - Parameters:
  ///   - isLast: Whether the run is over.
  ///   - moment: When the run ended; `nil` for the current moment.
  ///   - isAsSeen: Whether to write the reports that the user last saw before the recording was read again.
  ///   - counts: The counts of the run as JSON; `nil` while it continues.
  func write(
    isLast: Bool, at moment: Moment? = nil, asSeen isAsSeen: Bool = false,
    counts: TextBuffer? = nil
  ) throws(OutputError) {
    guard let file = options.report else { return }
    if isLast { isEnding.withLock { $0 = true } }
    try isFinished.withLock { isFinished throws(OutputError) in
      guard !isFinished else { return }
      isFinished = isLast
      // Updates continue while the copy is written.
      let sources =
        (isAsSeen ? seen.withLock(\.self) : nil) ?? sources(at: moment ?? clock.now)
      let isLate = patience.map { $0.timer() } ?? { false }
      let refresh =
        isLast || !options.writesReportDuringRun
        ? nil : PageRefresh(interval: PeriodicReport.interval, written: clock.now.wall)
      try file.write(sources, counts, refresh, units: units) {
        isLate() || !isLast && isEnding.withLock(\.self)
      }
      if options.printsReport, !file.replacesOutput, isLast {
        try Descriptor.standardOutput.writeText(
          ReportText.text(of: sources, units: units), unless: isLate)
      }
    }
  }
}

extension RunReport {
  /// Returns the page so far, for a server. It may take long.
  ///
  /// - Parameter head: What the server shows above the report.
  func page(under head: TextBuffer, every interval: Duration) -> [UInt8] {
    let now = clock.now
    let refresh = PageRefresh(
      interval: interval, written: now.wall, head: head, isOfWholeRun: options.report != nil)
    var page: [UInt8] = []
    ReportPage.write(
      sources(at: now), version: version, refresh: refresh, units: units,
      zone: PageZone.Offset.ofMachine
    ) { page += $0.bytes }
    return page
  }

  /// Returns the reports on all sources, up to a moment; an empty one if there is no source.
  private func sources(at moment: Moment) -> [SourceReport] {
    let begun = parts.withLock(\.all).filter(\.hasBegun)
    let sources = begun.map { source in
      var report = source.report
      if !source.isOver { report.report.end(at: moment) }
      return report
    }
    return sources.isEmpty ? [SourceReport(nil, LocationReport())] : sources
  }
}

extension Duration {
  /// Starts to measure this duration. Returns whether it has passed.
  func timer() -> @Sendable () -> Bool {
    let clock = LocationClock.live
    let end = clock.now.advanced(by: self)
    return { clock.now >= end }
  }
}
