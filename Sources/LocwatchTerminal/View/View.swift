package import EventLoop
package import GPSDLocation
import Glibc
package import LocationCore
import LocationFormats
package import LocwatchSystem
import Synchronization

/// Draws the view on a terminal, and responds to keys.
///
/// Everything except ``show(_:)`` runs on the event loop. Updates only change the model. A task draws the
/// model at most four times a second. Without updates it draws it once a second, because ages and durations
/// change.
package final class View: Sendable {
  private static let minimumInterval = Duration.milliseconds(250)
  /// The longest time between two drawings.
  private static let maximumInterval = Duration.seconds(1)

  private struct State {
    var model = ViewModel()
    /// The picture of another moment that is shown instead; `nil` if there is none.
    var frozen: (model: ViewModel, moment: Moment)?
    var keys = ViewKeyDecoder()
    var showsKeys = false
    var sink: OutputSink
    /// The contents of the terminal; `nil` if they are unknown.
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

    /// Freezes the picture, unless one is frozen already.
    mutating func freeze(at moment: Moment) { frozen = frozen ?? (model, moment) }

    /// Performs the action of a key; `nil` for a key that closes the list of keys.
    ///
    /// - Parameter moment: The current moment, by the source's clock.
    mutating func handle(_ action: ViewAction?, at moment: Moment) {
      showsKeys = action == .showKeys
      switch action {
      case .freeze: if frozen == nil { freeze(at: moment) } else { frozen = nil }
      case .choose(let place):
        if var frozen {
          frozen.model.choose(place, at: frozen.moment)
          model.takeChoice(of: frozen.model)
          self.frozen = frozen
        } else {
          model.choose(place, at: moment)
        }
      case .repaint: canvas = nil
      case .quit, .showKeys, .control, nil: break
      }
    }

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
  /// Controls the replay that is shown; `nil` for live use.
  private let control: ReplayClock?
  private let quit: @Sendable () -> Void
  private let state: Mutex<State>
  /// Signalled when there is something to draw.
  private let change: WaitPoint
  /// Signalled when keys can be read.
  private let shown: WaitPoint
  /// Signalled when the recording has to be read again.
  private let rewinding: WaitPoint

  /// - Parameters:
  ///   - control: Controls the replay that is shown; `nil` for live use.
  ///   - clock: The machine's clock.
  ///   - quit: Called when the user quits, and when the terminal is gone.
  package init(
    on screen: any ViewScreen, style: TerminalStyle, colors: FrameWriter.Colors,
    control: ReplayClock? = nil, loop: EventLoop, clock: LocationClock,
    quit: @escaping @Sendable () -> Void
  ) {
    self.screen = screen
    self.loop = loop
    self.clock = clock
    self.control = control
    self.quit = quit
    renderer = ViewRenderer(style: style)
    writer = FrameWriter(colors: colors)
    state = Mutex(State(sink: OutputSink(screen.terminal, waitsForReader: false)))
    change = WaitPoint(on: loop)
    shown = WaitPoint(on: loop)
    rewinding = WaitPoint(on: loop)
    control?.watch { [weak self] in self?.showWhatWasSought() }
  }

  // MARK: Contents

  /// Whether the terminal is gone.
  var failure: OutputError? { state.withLock(\.failure) }

  /// Whether the user has quit.
  package var hasQuit: Bool { state.withLock(\.hasQuit) }

  /// Whether something has been drawn.
  var isBegun: Bool { state.withLock(\.isBegun) }

  /// - Parameter name: The name of one of several sources; `nil` for the only one.
  package func add(_ name: String?, as source: Int) { edit { $0.model.add(name, as: source) } }

  package func record(_ update: LocationUpdate, of source: Int, at moment: Moment) {
    edit { state in
      state.model.record(update, of: source, at: moment)
      if control == nil { state.latest = (moment, clock.now) }
    }
    if case .state = update { control?.recordTransition() }
  }

  /// Removes everything that was shown, because the recording is read again.
  package func restart() { edit { $0.model.restart() } }

  private func showWhatWasSought() {
    edit { state in
      state.frozen = nil
      state.drawn = nil
    }
    change.signal()
  }

  /// Starts drawing.
  package func begin() {
    guard !isBegun else { return }
    state.withLock { $0.isBegun = true }
    change.signal()
  }

  /// Shows a message to the user. Returns `false` if nothing is shown any longer.
  package func show(_ message: String) -> Bool {
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

  /// Draws, and handles keys, until the task is cancelled.
  package func run() async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask(executorPreference: loop) { await self.draw() }
      group.addTask(executorPreference: loop) { await self.handleKeys() }
      group.addTask(executorPreference: loop) { await self.handleSignals() }
    }
  }

  /// Waits until the user quits or goes back. It returns at once if nothing has been drawn, or if no key can
  /// be read.
  package func waitForUser() async {
    guard isBegun, screen.keyboard != nil, failure == nil else { return }
    control?.endPass()
    edit { $0.model.end() }
    while !Task.isCancelled, failure == nil, control?.needsPass != true {
      _ = await rewinding.wait()
    }
  }

  /// Leaves the screen. Nothing is drawn after this call.
  package func end() {
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

  /// Draws a frame if one is due. Returns when the next one is due; `nil` if it is due only after a change.
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
    // While the terminal accepts no output, nothing is drawn, because only the newest frame is of interest.
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
        let content = content(state, at: now)
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

  private func content(_ state: State, at now: Moment) -> ViewContent {
    let shown = state.frozen ?? (state.model, sourceTime(state, at: now))
    var content = shown.model.content(at: shown.moment)
    content.notice = state.model.notice
    content.isOver = state.model.isOver
    content.isFrozen = control == nil && state.frozen != nil
    content.playback = control?.status
    content.showsKeys = state.showsKeys
    return content
  }

  private func sourceTime(_ state: State, at now: Moment) -> Moment {
    if let control { return control.position }
    guard let latest = state.latest else { return now }
    guard !state.model.isOver else { return latest.source }
    return latest.source.advanced(by: latest.real.duration(to: now))
  }

  private func leave(_ state: inout State) {
    guard state.isShown else { return }
    state.isShown = false
    guard screen.isInForeground else { return screen.forget() }
    // An incomplete control sequence would disturb the sequences that restore the terminal.
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

  /// The maximum number of reads in a row. More would delay everything else if keys arrive without end.
  private static let readsInTurn = 64

  /// Handles all keys that were pressed. Returns `false` if no more keys can follow.
  ///
  /// Many keys can wait after one was held down. They cause a single drawing, and the last one may be the key
  /// that quits.
  func takeKeys() -> Bool {
    // In the background, the keys belong to another program.
    guard screen.isInForeground else {
      state.withLock { leave(&$0) }
      return true
    }
    for _ in 0..<Self.readsInTurn {
      guard let bytes = screen.readKeys() else { return false }
      if bytes.isEmpty { break }
      for key in state.withLock({ $0.keys.keys(in: bytes) }) { handle(key) }
    }
    return true
  }

  private func handle(_ key: ViewKey) {
    // Any key closes the list and has no other effect.
    let closesList = state.withLock(\.showsKeys)
    let action = closesList ? nil : ViewAction(key, isReplay: control != nil)
    guard closesList || action != nil else { return }
    if action == .quit {
      state.withLock { $0.hasQuit = true }
      return quit()
    }
    if case .control(let command) = action, let control { handle(command, by: control) }
    let now = clock.now
    edit { state in
      state.handle(action, at: sourceTime(state, at: now))
      // The response to a key is drawn at once.
      state.drawn = nil
    }
    change.signal()
  }

  private func handle(_ command: Playback.Command, by control: ReplayClock) {
    let now = clock.now
    // The picture stays while the replay seeks another moment.
    state.withLock { $0.freeze(at: sourceTime($0, at: now)) }
    control.handle(command)
    if !control.status.isSeeking { state.withLock { $0.frozen = nil } }
    if control.needsPass { rewinding.signal() }
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
      // After a change of size, the terminal may show anything, even if it has its old size again.
      state.canvas = nil
      // Another process may have drawn on the terminal in the meantime, and changed its mode.
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
    // A replay is paused in the meantime.
    let control = control?.status.isPaused == false ? control : nil
    control?.handle(.pause)
    screen.stop()
    control?.handle(.pause)
  }
}
