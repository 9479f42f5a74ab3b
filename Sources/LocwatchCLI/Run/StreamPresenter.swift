import LocationCore

/// Writes updates as records of one format.
///
/// What a reader does not take waits as what it is, and is written as what it has become by then: a
/// fix that waited too long is not current any more.
struct StreamPresenter<Format: Renderer>: Presenter {
  /// A reader that is further behind misses fixes.
  private static var mostFixes: Int { 1024 }
  /// It misses transitions much later: without one it takes for current what is not.
  private static var mostUpdates: Int { 4096 }

  private var sink: OutputSink
  private var renderer: Format
  private let stale: Duration
  private var waiting = WaitingUpdates()

  /// - Parameter stale: A fix that waited for longer is not current.
  init(_ renderer: Format, to sink: OutputSink, stale: Duration?) {
    self.renderer = renderer
    self.sink = sink
    self.stale = stale ?? .seconds(5)
  }

  var hasPending: Bool { !sink.isEmpty || !waiting.isEmpty }
  var isWorthFlushing: Bool { sink.isWorthWriting }

  func hasRoom(for update: LocationUpdate) -> Bool {
    switch update {
    case .fix: waiting.count < Self.mostFixes
    case .state: waiting.count < Self.mostUpdates
    case .retry, .report: true
    }
  }

  var nextTick: Moment? { nil }

  mutating func begin(at now: Moment) { renderer.begin(into: &sink.text) }

  mutating func present(_ update: LocationUpdate, at moment: Moment) {
    switch update {
    case .fix, .state:
      if sink.isBlocked || !waiting.isEmpty { return waiting.append(update, at: moment) }
    case .retry, .report: break  // Of the satellites only the last are of use.
    }
    render(update)
  }

  mutating func flush(at now: Moment) throws(OutputError) {
    try sink.flush(trailer: renderer.trailer)
    while sink.isEmpty, renderWaiting(at: now) { try sink.flush(trailer: renderer.trailer) }
  }

  mutating func finish(waitsForReader: Bool) throws(OutputError) {
    while let moment = waiting.lastMoment { renderWaiting(at: moment) }
    if sink.keepsDocumentClosed {
      try sink.flush(trailer: renderer.trailer)
    } else {
      renderer.end(into: &sink.text)
    }
    try sink.finish(waitsForReader: waitsForReader)
  }

  private mutating func render(_ update: LocationUpdate) {
    switch update {
    case .fix(let fix): renderer.fix(fix, into: &sink.text)
    case .state(let change): renderer.state(change, into: &sink.text)
    case .report(.sky(let sky)): renderer.sky(sky, into: &sink.text)
    case .report(.receivers(let present)): renderer.receivers(present)
    case .retry, .report: break
    }
  }

  /// Returns whether anything waited.
  @discardableResult
  private mutating func renderWaiting(at now: Moment) -> Bool {
    guard let (update, moment) = waiting.take() else { return false }
    if case .fix(var fix) = update, moment.duration(to: now) > stale {
      fix.isCurrent = false
      render(.fix(fix))
    } else {
      render(update)
    }
    return true
  }
}

extension Renderer {
  /// The format's existential is opened here, once for the whole run.
  func presented(on sink: OutputSink, stale: Duration?) -> any Presenter {
    StreamPresenter(self, to: sink, stale: stale)
  }
}
