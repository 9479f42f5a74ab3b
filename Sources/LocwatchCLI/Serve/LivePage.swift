import EventLoop
import LocationCore
import LocationFormats
import LocationReports
import LocationText
import LocwatchServer
import LocwatchSystem
import LocwatchTerminal
import Synchronization

/// What a run serves: the latest updates of each receiver, and its report.
final class LivePage: ServedContent, Sendable {
  /// How often the head is sent to a reader after an update, and without one. A browser that gets none for 2.5 s
  /// says that it is cut off.
  private static let (minimumInterval, maximumInterval) = (
    Duration.milliseconds(500), Duration.seconds(1)
  )
  /// How often a browser asks for all figures.
  private static let reloadInterval = Duration.seconds(10)

  private struct State {
    var sources: [ServedSource] = []
    var readers: Set<ServedStream> = []
    /// What the readers of records have not been sent.
    var records = TextBuffer()
    /// Whether something has happened since the last head, and when that was sent.
    var (hasNews, sent) = (false, Moment.past)
    /// The latest page, and when it was first served.
    var page: (bytes: [UInt8], made: Moment?)?
    var isMaking = false
    /// When somebody was last told to wait for the page.
    var asked = Moment.past

    var due: Moment {
      sent.advanced(by: hasNews ? LivePage.minimumInterval : LivePage.maximumInterval)
    }
  }

  let policy = ReportPage.servedPolicy
  private let report: RunReport
  private let statistics: RunStatistics
  private let style: TerminalStyle
  /// The clock of the updates.
  private let clock: LocationClock
  private let startThread: @Sendable (@escaping @Sendable () -> Void) -> Bool
  /// Where the server waits.
  let point: WaitPoint
  private let state = Mutex(State())

  /// - Parameters:
  ///   - clock: The clock of all sources.
  ///   - startThread: Makes the page elsewhere. Returns whether that is possible.
  init(
    _ report: RunReport, statistics: RunStatistics, style: TerminalStyle, clock: LocationClock,
    on loop: EventLoop,
    startThread: @escaping @Sendable (@escaping @Sendable () -> Void) -> Bool = BlockingThread.start
  ) {
    self.report = report
    self.statistics = statistics
    self.style = style
    self.clock = clock
    self.startThread = startThread
    point = WaitPoint(on: loop)
  }

  func add(_ style: OutputStyle, as number: Int) {
    let source = ServedSource(style, statistics)
    state.withLock { state in
      if number < state.sources.count {
        state.sources[number] = source
      } else {
        state.sources.append(source)
      }
    }
  }

  /// Removes all sources, because a recording is read again.
  func restart() { state.withLock { $0.sources = [] } }

  func record(_ update: LocationUpdate, of number: Int, at moment: Moment) {
    let isAwaited = state.withLock { state in
      state.sources[number].record(update, at: moment)
      guard !state.readers.isEmpty else { return false }
      state.hasNews = true
      if case .state = update { state.sent = .past }
      // The server cuts off a reader that is so far behind.
      if state.readers.contains(.records), state.records.count <= PageServer.maximumBehind {
        state.sources[number].write(update, into: &state.records)
      }
      return true
    }
    if isAwaited { point.signal() }
  }

  var deadline: Moment? { state.withLock { $0.readers.contains(.head) ? $0.due : nil } }

  func setReaders(of streams: Set<ServedStream>) { state.withLock { $0.readers = streams } }

  func answer(to path: String, at now: Moment) -> ServedAnswer {
    switch path {
    case "/": page(at: now)
    case "/live": .stream(.head, beginning: Array("retry: 1000\n\n".utf8) + events(of: head()))
    case "/events": .stream(.records, beginning: events(of: records(withStates: true)))
    case "/fix": .document(type: "application/json", Array(records(withStates: false).bytes))
    case "/metrics":
      .document(
        type: "text/plain; version=0.0.4",
        Array(PrometheusRenderer.document(of: sources.map(\.metrics), isOver: false).utf8))
    case "/page.js": .document(type: "text/javascript", PackageResources.page_js)
    case "/page.css": .document(type: "text/css", PackageResources.page_css)
    default: .none
    }
  }

  func takeNews(for stream: ServedStream, at now: Moment) -> [UInt8] {
    switch stream {
    case .records:
      return state.withLock { state in
        defer { state.records.removeAll() }
        return events(of: state.records)
      }
    case .head:
      let isDue = state.withLock { state in
        guard state.due <= now else { return false }
        (state.hasNews, state.sent) = (false, now)
        return true
      }
      return isDue ? events(of: head()) : []
    }
  }

  private var sources: [ServedSource] {
    state.withLock { state in
      for number in state.sources.indices { state.sources[number].catchUp() }
      return state.sources
    }
  }

  /// Returns an event for each line.
  private func events(of lines: TextBuffer) -> [UInt8] {
    lines.bytes.split(separator: UInt8(ascii: "\n")).flatMap {
      Array("data: ".utf8) + $0 + [10, 10]
    }
  }

  private func head() -> TextBuffer {
    let now = clock.now
    var receivers = sources.flatMap { $0.receivers(at: now) }
    if receivers.count == 1 { receivers[0].name = nil }
    return LiveHead(receivers: receivers, style: style).markup
  }

  private func records(withStates isWithStates: Bool) -> TextBuffer {
    let now = clock.now
    var records = TextBuffer()
    for var source in sources {
      source.writeLatest(at: now, withStates: isWithStates, into: &records)
    }
    return records
  }

  /// Begins the report, if it has not begun.
  private func beginReport() {
    let moment = clock.now
    report.begin(at: moment) { number in
      state.withLock { $0.sources[number].updates(at: moment) }
    }
  }

  private func page(at now: Moment) -> ServedAnswer {
    let (recent, isToMake) = state.withLock { state -> ([UInt8]?, Bool) in
      if let page = state.page {
        // Nobody waits for an answer longer than that.
        let isAwaited = now < state.asked.later(by: PageServer.answerPatience)
        let made = page.made ?? (isAwaited ? now : state.asked)
        state.page?.made = made
        if now < made.advanced(by: Self.maximumInterval) { return (page.bytes, false) }
      }
      state.asked = now
      defer { state.isMaking = true }
      return (nil, !state.isMaking)
    }
    if let recent { return .document(type: "text/html", recent) }
    beginReport()
    if isToMake, !startThread({ [self] in makePage() }) {
      state.withLock { $0.isMaking = false }
    }
    return .later
  }

  /// Makes the page on a thread, because that may take long.
  private func makePage() {
    let bytes = report.page(under: head(), every: Self.reloadInterval)
    state.withLock { state in
      state.page = (bytes, nil)
      state.isMaking = false
    }
    point.signal()
  }
}
