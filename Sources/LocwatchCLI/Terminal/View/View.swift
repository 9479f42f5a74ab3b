import EventLoop
import Glibc
import LocationCore
import LocationFormats
import Synchronization

/// Draws the view on a terminal, and responds to keys.
///
/// Everything but ``show(_:)`` runs on the event loop. Updates only change the model; a task draws it,
/// at most four times a second, and once a second without an update, because times are counted.
final class View: Sendable {
  private static let minimumInterval = Duration.milliseconds(250)
  private static let maximumInterval = Duration.seconds(1)

  private struct State {
    var model = ViewModel()
    var sink: OutputSink
    /// What the terminal shows; `nil` if that is not known.
    var canvas: Canvas?
    /// The time of the latest update, by the source's clock and by the machine's.
    var latest: (source: Moment, real: Moment)?
    var drawn: Moment?
    /// Whether the drawing has begun.
    var isBegun = false
    var isChanged = false
    /// Whether the screen is on the terminal.
    var isShown = false
    var isEnded = false
    var hasQuit = false
    var failure: OutputError?

    /// When the next frame is drawn; `nil` before the beginning and after the end.
    var due: Moment? {
      guard isBegun, !isEnded else { return nil }
      return drawn?.advanced(by: isChanged ? View.minimumInterval : View.maximumInterval) ?? .past
    }
  }

  private let loop: EventLoop
  private let clock: LocationClock
  private let screen: any ViewScreen
  private let renderer: ViewRenderer
  private let writer: FrameWriter
  /// How fast the source's clock runs.
  private let speed: Double
  private let quit: @Sendable () -> Void
  private let state: Mutex<State>
  /// Signalled when there is something to draw.
  private let change: WaitPoint
  /// Signalled when keys can be read.
  private let shown: WaitPoint

  /// - Parameters:
  ///   - speed: How fast the source's clock runs, compared to `clock`.
  ///   - clock: The machine's clock.
  ///   - quit: Called when the user wants to leave, and when the terminal is gone.
  init(
    on screen: any ViewScreen, style: TerminalStyle, colors: FrameWriter.Colors, speed: Double,
    loop: EventLoop, clock: LocationClock, quit: @escaping @Sendable () -> Void
  ) {
    self.screen = screen
    self.loop = loop
    self.clock = clock
    self.speed = speed
    self.quit = quit
    renderer = ViewRenderer(style: style)
    writer = FrameWriter(colors: colors)
    state = Mutex(State(sink: OutputSink(screen.terminal, waitsForReader: false)))
    change = WaitPoint(on: loop)
    shown = WaitPoint(on: loop)
  }

  // MARK: What is shown

  /// Whether the terminal is gone.
  var failure: OutputError? { state.withLock(\.failure) }

  /// Whether the user has left.
  var hasQuit: Bool { state.withLock(\.hasQuit) }

  /// Whether something was drawn, so that there is something to look at.
  var isBegun: Bool { state.withLock(\.isBegun) }

  func add(_ options: Options, as source: Int) {
    edit { $0.model.add(options.isOfFleet ? options.source : nil, as: source) }
  }

  func remove(_ source: Int) { edit { $0.model.remove(source) } }

  func record(_ update: LocationUpdate, of source: Int, at moment: Moment) {
    edit { state in
      state.model.record(update, of: source, at: moment)
      state.latest = (moment, clock.now)
    }
  }

  /// Begins to draw.
  func begin() {
    guard !isBegun else { return }
    state.withLock { $0.isBegun = true }
    change.signal()
  }

  /// Shows a message to the user. Returns `false` if nothing is shown any more.
  func show(_ message: String) -> Bool {
    guard state.withLock({ $0.isBegun && !$0.isEnded }) else { return false }
    edit { $0.model.show(message) }
    return true
  }

  private func edit(_ body: (inout State) -> Void) {
    let isNew = state.withLock { state in
      body(&state)
      defer { state.isChanged = true }
      return !state.isChanged
    }
    if isNew { change.signal() }
  }

  // MARK: Running

  /// Draws and follows the keys until the task is cancelled.
  func run() async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask(executorPreference: loop) { await self.draw() }
      group.addTask(executorPreference: loop) { await self.handleKeys() }
      group.addTask(executorPreference: loop) { await self.handleSignals() }
    }
  }

  /// Waits until the user leaves, if there is something to look at, and a key to leave by.
  func waitForUser() async {
    guard isBegun, screen.keyboard != nil, failure == nil else { return }
    edit { $0.model.end() }
    let end = WaitPoint(on: loop)
    while !Task.isCancelled, failure == nil { _ = await end.wait() }
  }

  /// Leaves the screen. Nothing is drawn after it.
  func end() {
    state.withLock { state in
      state.isEnded = true
      leave(&state)
    }
  }

  private func draw() async {
    while !Task.isCancelled {
      let due = drawIfDue()
      _ = await change.wait(until: due)
    }
  }

  /// Draws a frame if one is due. Returns when the next one is; `nil` if that takes a change.
  func drawIfDue() -> Moment? {
    let now = clock.now
    return state.withLock { state in
      if let due = state.due, due <= now { draw(&state, at: now) }
      return state.due
    }
  }

  private func draw(_ state: inout State, at now: Moment) {
    state.isChanged = false
    state.drawn = now
    guard state.failure == nil, screen.isInForeground else { return }
    // While the terminal takes nothing, nothing is drawn: only the newest is of interest.
    let isBehind = !state.sink.isEmpty
    if !state.isShown {
      screen.show(&state.sink.text)
      state.canvas = nil
      state.isShown = true
      shown.signal()
    }
    do throws(OutputError) {
      if !isBehind {
        let size = screen.size
        let content = state.model.content(at: sourceTime(state, at: now))
        let canvas = renderer.canvas(of: content, columns: size.columns, rows: size.rows)
        writer.write(canvas, over: state.canvas, into: &state.sink.text)
        state.canvas = canvas
      }
      try state.sink.flush()
      state.isChanged = !state.sink.isEmpty
    } catch {
      state.failure = error
      quit()
    }
  }

  private func sourceTime(_ state: State, at now: Moment) -> Moment {
    guard let latest = state.latest else { return now }
    guard !state.model.isOver else { return latest.source }
    return latest.source.advanced(by: latest.real.duration(to: now) * speed)
  }

  private func leave(_ state: inout State) {
    guard state.isShown else { return }
    state.isShown = false
    guard screen.isInForeground else { return screen.forget() }
    // A control sequence that was cut off would swallow what restores the terminal.
    try? state.sink.finish(waitsForReader: false)
    screen.hide()
  }

  // MARK: Input

  private func handleKeys() async {
    guard let keyboard = screen.keyboard else { return }
    let keys = WaitPoint(on: loop, descriptor: keyboard)
    while !Task.isCancelled {
      guard state.withLock({ $0.isShown && !$0.isEnded }) else {
        _ = await shown.wait()
        continue
      }
      _ = await keys.wait()
      guard takeKeys() else { return }
    }
  }

  /// Follows the keys that were pressed. Returns `false` if there will be no more.
  func takeKeys() -> Bool {
    // In the background, the keys are for another program.
    guard screen.isInForeground else {
      state.withLock { leave(&$0) }
      return true
    }
    guard let bytes = screen.readKeys() else { return false }
    for key in ViewKey.keys(in: bytes[...]) { handle(key) }
    return true
  }

  private func handle(_ key: ViewKey) {
    if key == .quit {
      state.withLock { $0.hasQuit = true }
      return quit()
    }
    let now = clock.now
    edit { state in
      let time = sourceTime(state, at: now)
      switch key {
      case .quit: break
      case .next: state.model.choose(next: 1, at: time)
      case .previous: state.model.choose(next: -1, at: time)
      case .number(let number): state.model.choose(number: number, at: time)
      case .repaint: state.canvas = nil
      }
      // A key is answered at once.
      state.drawn = nil
    }
    change.signal()
  }

  private func handleSignals() async {
    guard let signals = SignalQueue(FullScreen.signals) else { return }
    let arrival = WaitPoint(on: loop, descriptor: signals.number)
    while !Task.isCancelled {
      _ = await arrival.wait()
      while let signal = signals.next() { handle(signal) }
    }
  }

  /// Handles one of ``FullScreen/signals``.
  func handle(_ signal: CInt) {
    if signal == SIGTSTP { stop() }
    edit { state in
      // A terminal of another size may show anything, even if it has its old size again.
      state.canvas = nil
      // Whoever had the terminal meanwhile may have drawn on it, and changed its mode.
      guard signal != SIGWINCH else { return }
      if state.isShown, screen.isInForeground {
        leave(&state)
      } else if state.isShown {
        state.isShown = false
        screen.forget()
      }
      state.drawn = nil
    }
  }

  private func stop() {
    state.withLock { leave(&$0) }
    screen.stop()
  }
}
