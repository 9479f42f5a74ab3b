import LocationCore
import LocationFormats
import LocationText
import LocwatchSystem
import LocwatchTerminal

/// Writes the updates of one or several sources as records of one format.
///
/// While the reader is blocked, updates wait unrendered. A fix that waits too long is written as not current.
struct StreamPresenter: Presenter {
  /// If this many updates of a source are waiting, its fixes are dropped.
  private static let maximumFixes = 1024
  /// If this many updates of all sources are waiting, gpsd's own reports are dropped. Each can have 64 KiB.
  private static let maximumReports = 256
  /// If this many updates of a source are waiting, its transitions are dropped. This limit is higher, because
  /// a reader that misses a transition takes an old fix for a current one.
  private static let maximumUpdates = 4096

  /// One source.
  private struct Source {
    var renderer: any Renderer
    /// Makes a renderer for another document.
    let makeRenderer: @Sendable () -> any Renderer
    let stale: Duration
    /// The name of the best of several sources, which the records have; `nil` if there is none.
    var selected: String?
    /// The updates that wait for a blocked reader.
    var waiting = UpdateQueue()
    var hasEnded = false

    /// Begins another document, whose records name the same source.
    mutating func beginDocument() {
      renderer = makeRenderer()
      if let selected { renderer.begin(source: selected) }
    }
  }

  private let usesColor: Bool
  private let reopening: OutputReopening?
  private var sink: OutputSink
  private var sources: [Source] = []
  private var isBegun = false
  /// The source of the last record.
  private var latest = 0
  /// The number of waiting updates of all sources.
  private var waitingCount = 0

  /// Creates a stream without a source.
  ///
  /// - Parameters:
  ///   - usesColor: Whether text records are coloured.
  ///   - reopening: Reopens the file; `nil` if the file is never reopened.
  init(to sink: OutputSink, usesColor: Bool = false, reopening: OutputReopening? = nil) {
    self.sink = sink
    self.usesColor = usesColor
    self.reopening = reopening
  }

  mutating func add(_ style: OutputStyle, as source: Int) {
    add(as: source, stale: style.stale) { [usesColor] in style.makeRenderer(usesColor: usesColor) }
  }

  /// Adds a source.
  ///
  /// - Parameters:
  ///   - stale: A fix that waits longer than this is written as not current; `nil` for 5 s.
  ///   - makeRenderer: Returns the renderer for the records of a document.
  mutating func add(
    as source: Int, stale: Duration? = nil, makeRenderer: @escaping @Sendable () -> any Renderer
  ) {
    var new = Source(
      renderer: makeRenderer(), makeRenderer: makeRenderer, stale: stale ?? .seconds(5))
    guard source < sources.count else {
      sources.append(new)
      if sources.count == 1, isBegun { beginDocument() }
      return
    }
    // The updates of the source that this one replaces come first. No position of it is current.
    while let (update, _) = sources[source].waiting.take() {
      waitingCount -= 1
      render(update.outdated, of: source)
    }
    if source == latest {
      // The source that this one replaces wrote the last record.
      var other = sources[source].renderer
      new.renderer.resume(after: &other, into: &sink.text)
    }
    sources[source] = new
  }

  mutating func recordEnd(of source: Int) { sources[source].hasEnded = true }

  var status: OutputStatus {
    OutputStatus(
      hasPending: !sink.isEmpty || waitingCount > 0, blocked: sink.blockedOutput,
      isWorthFlushing: sink.isWorthWriting)
  }

  var unwrittenRecords: Int { waitingCount + sink.pendingRecords }

  func hasRoom(for update: LocationUpdate, of source: Int) -> Bool {
    switch update {
    case .fix: sources[source].waiting.count < Self.maximumFixes
    case .state, .change: sources[source].waiting.count < Self.maximumUpdates
    case .event(.other): waitingCount < Self.maximumReports
    case .retry, .event: true
    }
  }

  mutating func begin(at now: Moment) {
    isBegun = true
    if !sources.isEmpty { beginDocument() }
  }

  private mutating func beginDocument() {
    if sources[0].renderer.continuesDocuments, sink.descriptor.continuesFile { return }
    sources[0].renderer.begin(into: &sink.text)
    sink.endRecord(trailer: sources[0].renderer.trailer)
  }

  mutating func present(_ update: LocationUpdate, of source: Int, at moment: Moment) {
    switch update {
    case .fix, .state, .change, .event(.other):
      if sink.isBlocked || waitingCount > 0 || reopening?.isRequested == true {
        waitingCount += 1
        return sources[source].waiting.append(update, at: moment)
      }
    case .retry, .event: break  // Only the latest satellites matter.
    }
    render(update, of: source)
  }

  mutating func present(_ mean: MeanPosition, of source: Int) {
    switchRenderer(to: source)
    sources[source].renderer.average(mean, into: &sink.text)
    sink.endRecord(trailer: sources[source].renderer.trailer)
  }

  mutating func flush(at now: Moment) throws(OutputError) {
    try sink.flush()
    if sink.isEmpty { try reopen() }
    while sink.isEmpty, waitingCount > 0 {
      renderWaiting(at: now)
      try sink.flush()
    }
  }

  mutating func finish(waitsForReader: Bool) throws(OutputError) {
    while waitingCount > 0 { renderWaiting(at: nil) }
    endDocument()
    try sink.finish(waitsForReader: waitsForReader)
  }

  private mutating func endDocument() {
    if !sources.isEmpty {
      sources[latest].renderer.writeKept(into: &sink.text)
      let trailer = sources[latest].renderer.trailer
      sink.endRecord(trailer: trailer)
      if !sink.keepsDocumentClosed {
        sink.text.append(text: trailer)
        sink.endRecord(trailer: "")
      }
    }
  }

  /// Continues in another file if this was requested. The file begins with a new document, because the two
  /// files are read separately.
  private mutating func reopen() throws(OutputError) {
    guard let file = reopening?.take(after: sink.descriptor) else { return }
    endDocument()
    try sink.finish(waitsForReader: false)
    sink = OutputSink(file, waitsForReader: false)
    for index in sources.indices { sources[index].beginDocument() }
    latest = 0
    if !sources.isEmpty { beginDocument() }
    try sink.flush()
  }

  private mutating func render(_ update: LocationUpdate, of source: Int) {
    switchRenderer(to: source)
    if case .change(let change) = update, case .selected(let name, _) = change.kind {
      sources[source].selected = name
    }
    if case .state(let change) = update, hasUnnamedPosition(besides: source) {
      // The record of a loss would also retract that position.
      var unused = TextBuffer()
      return sources[source].renderer.state(change, into: &unused)
    }
    sources[source].renderer.render(update, into: &sink.text)
    sink.endRecord(trailer: sources[source].renderer.trailer)
  }

  private func hasUnnamedPosition(besides source: Int) -> Bool {
    sources.indices.contains {
      $0 != source && !sources[$0].hasEnded && sources[$0].renderer.hasUnnamedPosition
    }
  }

  /// Switches to the renderer of a source, which continues the document.
  private mutating func switchRenderer(to source: Int) {
    guard source != latest else { return }
    var other = sources[latest].renderer
    sources[source].renderer.resume(after: &other, into: &sink.text)
    sources[latest].renderer = other
    latest = source
  }

  /// Renders the queued update that arrived first.
  ///
  /// - Parameter now: The current moment; `nil` at the end, when updates no longer count as late.
  private mutating func renderWaiting(at now: Moment?) {
    let source = sources.indices.filter { !sources[$0].waiting.isEmpty }
      .min { sources[$0].waiting.nextMoment ?? .past < sources[$1].waiting.nextMoment ?? .past }
    guard let source, let (update, moment) = sources[source].waiting.take() else { return }
    waitingCount -= 1
    let isLate = now.map { moment.duration(to: $0) > sources[source].stale } ?? false
    render(isLate ? update.outdated : update, of: source)
  }
}

extension LocationUpdate {
  /// The update, with a fix that is not current.
  fileprivate var outdated: LocationUpdate {
    guard case .fix(var fix) = self else { return self }
    fix.isCurrent = false
    return .fix(fix)
  }
}
