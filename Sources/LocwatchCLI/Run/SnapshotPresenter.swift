import GPSDLocation
import LocationCore
import LocationFormats

/// Writes what a renderer knows to a file that is replaced as a whole: at each transition, and once a
/// second at the most for anything else.
struct SnapshotPresenter: Presenter {
  private static let interval = Duration.seconds(1)
  /// How long a live run waits for the reader of a pipe.
  private static let patience = Duration.milliseconds(500)

  private let path: FilePath
  private let isReplay: Bool
  private var renderer: any Renderer
  /// What records the renderer has.
  private var records = TextBuffer()
  private var hasNews = true
  /// Whether the file is one of this run.
  private var hasWritten = false
  /// When to write what is new.
  private var due = Moment.past

  /// - Parameter isReplay: Whether the last moment of a recording stays.
  init(_ renderer: any Renderer, to path: FilePath, isReplay: Bool) {
    self.renderer = renderer
    self.path = path
    self.isReplay = isReplay
  }

  /// Whether a transition is unwritten. Everything else can wait.
  var hasPending: Bool { hasNews && due == .past }
  var isWorthFlushing: Bool { false }
  var nextTick: Moment? { hasNews ? due : nil }

  func hasRoom(for update: LocationUpdate) -> Bool { true }

  mutating func begin(at now: Moment) { renderer.begin(into: &records) }

  mutating func present(_ update: LocationUpdate, at moment: Moment) {
    renderer.render(update, into: &records)
    hasNews = true
    if case .state = update { due = .past }
  }

  mutating func flush(at now: Moment) throws(OutputError) {
    guard hasNews, due <= now else { return }
    try write(renderer.trailer)
    hasWritten = true
    hasNews = false
    due = now.advanced(by: Self.interval)
  }

  /// Nobody takes a position back after the end of a live run, so it ends here. If there is no room to
  /// say so, the file is removed.
  mutating func finish(waitsForReader: Bool) throws(OutputError) {
    guard !isReplay else { return try write(renderer.trailer) }
    renderer.end(into: &records)
    do throws(OutputError) {
      try write("")
    } catch {
      if hasWritten { path.removeContents() }
      throw error
    }
  }

  private func write(_ document: String) throws(OutputError) {
    var text = records
    text.append(text: document)
    try path.replaceContents(with: text, unless: isReplay ? { false } : Self.patience.timer())
  }
}
