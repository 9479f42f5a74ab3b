import GPSDLocation
import LocationCore
import LocationFormats
import LocationText
import LocwatchSystem
import LocwatchTerminal

/// Writes the metrics of all sources to a file that is replaced atomically. It writes them at each
/// transition, and at most once a second for any other update.
struct SnapshotPresenter: Presenter {
  private static let interval = Duration.seconds(1)
  /// How long a live run waits for the reader of a pipe.
  private static let patience = Duration.milliseconds(500)

  private let path: FilePath
  private let statistics: RunStatistics
  private let isReplay: Bool
  private var sources: [PrometheusRenderer] = []
  private var hasNews = true
  /// Whether this run has written the file.
  private var hasWritten = false
  /// When to write new metrics.
  private var due = Moment.past

  /// - Parameters:
  ///   - statistics: The counts of what gpsd has sent.
  ///   - isReplay: Whether the metrics keep the values of the recording's last moment.
  init(to path: FilePath, statistics: RunStatistics, isReplay: Bool) {
    self.path = path
    self.statistics = statistics
    self.isReplay = isReplay
  }

  var status: OutputStatus {
    // A transition is written at once. Other updates can wait.
    OutputStatus(hasPending: hasNews && due == .past, nextTick: hasNews ? due : nil)
  }

  mutating func add(_ style: OutputStyle, as source: Int) {
    let new = PrometheusRenderer(source: style.records.sourceName) { [statistics] in
      PrometheusRenderer.Input(statistics.counts(of: style.member))
    }
    if source < sources.count { sources[source] = new } else { sources.append(new) }
    hasNews = true
  }

  mutating func present(_ update: LocationUpdate, of source: Int, at moment: Moment) {
    // Metrics are not records, so nothing is appended.
    var records = TextBuffer()
    sources[source].render(update, into: &records)
    hasNews = true
    if case .state = update { due = .past }
  }

  mutating func flush(at now: Moment) throws(OutputError) {
    guard hasNews, due <= now else { return }
    try write(isOver: false)
    hasWritten = true
    hasNews = false
    due = now.advanced(by: Self.interval)
  }

  /// A live run cannot retract a position after its end, so the position ends here. If there is no space to
  /// write this, the file is removed.
  mutating func finish(waitsForReader: Bool) throws(OutputError) {
    guard !isReplay else { return try write(isOver: false) }
    do throws(OutputError) {
      try write(isOver: true)
    } catch {
      if hasWritten { path.removeContents() }
      throw error
    }
  }

  private func write(isOver: Bool) throws(OutputError) {
    let text = PrometheusRenderer.document(of: sources, isOver: isOver)
    var document = TextBuffer()
    document.append(text: text)
    // All users may read the file, because their programs collect metrics. It contains only the current
    // position.
    try path.replaceContents(
      with: document, mode: 0o644, unless: isReplay ? { false } : Self.patience.timer())
  }
}

extension PrometheusRenderer.Input {
  /// The counts of received data.
  init(_ counts: GPSDStatistics.Counts) {
    let badLines = counts.badLines + counts.discards
    self.init(
      connects: counts.connections, lines: counts.reports.values.reduce(badLines, +),
      badLines: badLines)
  }
}
