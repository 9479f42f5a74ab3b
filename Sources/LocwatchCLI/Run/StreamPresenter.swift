import LocationCore

/// Writes updates as records of one format.
struct StreamPresenter<Format: Renderer>: Presenter {
  private var sink: OutputSink
  private var renderer: Format

  init(_ renderer: Format, to sink: OutputSink) {
    self.renderer = renderer
    self.sink = sink
  }

  var hasPending: Bool { !sink.isEmpty }
  var isWorthFlushing: Bool { sink.isWorthWriting }

  func hasRoom(for update: LocationUpdate) -> Bool { sink.hasRoom(for: update) }
  func nextTick(after now: Moment) -> Moment? { nil }

  mutating func begin(at now: Moment) { renderer.begin(into: &sink.bytes) }

  mutating func present(_ update: LocationUpdate, at moment: Moment) {
    switch update {
    case .fix(let fix): renderer.fix(fix, into: &sink.bytes)
    case .state(let change): renderer.state(change, into: &sink.bytes)
    case .report(.sky(let sky)): renderer.sky(sky, into: &sink.bytes)
    case .report: break
    }
  }

  mutating func flush(at now: Moment) throws(OutputError) {
    try sink.flush(trailer: renderer.trailer)
  }

  mutating func finish() throws(OutputError) {
    if sink.keepsDocumentClosed {
      try sink.flush(trailer: renderer.trailer)
    } else {
      renderer.end(into: &sink.bytes)
    }
    try sink.finish()
  }
}

extension Renderer {
  /// The format's existential is opened here, once for the whole run.
  func presented(on sink: OutputSink) -> any Presenter { StreamPresenter(self, to: sink) }
}
