import LocationCore

/// Writes updates as records of one format.
///
/// While the reader is blocked, updates wait unrendered: a fix that waits too long is written as
/// not current.
struct StreamPresenter: Presenter {
  /// With so many waiting updates, further fixes are dropped.
  private static let maximumFixes = 1024
  /// The limit for reports that are passed on is smaller, because each may have 64 KiB.
  private static let maximumReports = 256
  /// The limit for transitions is larger: a reader that misses one takes an old fix as current.
  private static let maximumUpdates = 4096

  private var sink: OutputSink
  private var renderer: any Renderer
  private let stale: Duration
  /// What waits for a blocked reader.
  private var waiting = UpdateQueue()

  /// - Parameter stale: A fix that waits longer than this is written as not current.
  init(_ renderer: any Renderer, to sink: OutputSink, stale: Duration?) {
    self.renderer = renderer
    self.sink = sink
    self.stale = stale ?? .seconds(5)
  }

  var hasPending: Bool { !sink.isEmpty || !waiting.isEmpty }
  var blockedOutput: Descriptor? { sink.blockedOutput }
  var isWorthFlushing: Bool { sink.isWorthWriting }

  func hasRoom(for update: LocationUpdate) -> Bool {
    switch update {
    case .fix: waiting.count < Self.maximumFixes
    case .state, .change: waiting.count < Self.maximumUpdates
    case .report(.other): waiting.count < Self.maximumReports
    case .retry, .report: true
    }
  }

  var nextTick: Moment? { nil }

  mutating func begin(at now: Moment) {
    renderer.begin(into: &sink.text)
    sink.endRecord(trailer: renderer.trailer)
  }

  mutating func present(_ update: LocationUpdate, at moment: Moment) {
    switch update {
    case .fix, .state, .change:
      if sink.isBlocked || !waiting.isEmpty { return waiting.append(update, at: moment) }
    case .retry, .report: break  // Only the latest satellites matter.
    }
    render(update)
  }

  mutating func flush(at now: Moment) throws(OutputError) {
    try sink.flush()
    while sink.isEmpty, renderWaiting(at: now) { try sink.flush() }
  }

  mutating func finish(waitsForReader: Bool) throws(OutputError) {
    while let moment = waiting.lastMoment { renderWaiting(at: moment) }
    if !sink.keepsDocumentClosed {
      renderer.end(into: &sink.text)
      sink.endRecord(trailer: "")
    }
    try sink.finish(waitsForReader: waitsForReader)
  }

  private mutating func render(_ update: LocationUpdate) {
    renderer.render(update, into: &sink.text)
    sink.endRecord(trailer: renderer.trailer)
  }

  /// Renders the first waiting update. Returns `false` if there was none.
  @discardableResult
  private mutating func renderWaiting(at now: Moment) -> Bool {
    guard let moment = waiting.nextMoment, let update = waiting.take() else { return false }
    if case .fix(var fix) = update, moment.duration(to: now) > stale {
      fix.isCurrent = false
      render(.fix(fix))
    } else {
      render(update)
    }
    return true
  }
}
