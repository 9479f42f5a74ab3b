import EventLoop
import GPSDLocation
import LocationCore
import LocationFormats
import LocwatchRecordings
import LocwatchSystem
import LocwatchTerminal

extension Run {
  /// Opens the recording.
  func recorder() async throws(Failure) -> Recorder? {
    let report: @Sendable (String) -> Void = { [log] in log.error("\($0)") }
    let work = startThread.map { RecorderWork(startedBy: $0, report: report) }
    do throws(OutputError) {
      guard let path = options.record else { return nil }
      if path.isStandardStream {
        return Recorder(standardOutput, isClockSynchronized: isClockSynchronized)
      }
      guard path.isFolder else {
        return try await open { () throws(OutputError) in
          try Recorder(
            appendingTo: path, clock: loop.clock, isClockSynchronized: isClockSynchronized,
            work: work, report: report)
        }
      }
      let folder = try RecordingFolder(
        path, rotation: options.rotation ?? .daily, limit: options.keep)
      let recorder = Recorder(
        folder, clock: loop.clock, isClockSynchronized: isClockSynchronized, work: work,
        report: report)
      recorder.begin(at: loop.clock.now)
      return recorder
    } catch {
      throw Failure(error.exitStatus, "\(error)")
    }
  }

  /// Returns whether something keeps the machine's clock right, according to the kernel.
  private var isClockSynchronized: @Sendable () -> Bool? {
    { [clock = loop.clock] in clock.wallError() != nil }
  }

  /// Opens an output. If it is a named pipe, it waits for a reader, as a shell does.
  private func open<Output>(
    _ make: () throws(OutputError) -> Output
  ) async throws(OutputError) -> Output {
    let limit = options.goal.limit.map(start.advanced)
    while true {
      do throws(OutputError) {
        return try make()
      } catch {
        let now = loop.clock.now
        let isOver = limit.map { $0 <= now } ?? false
        let retry = now.advanced(by: .milliseconds(50)).earlier(of: limit)
        guard case .noReader = error, !isOver, (try? await loop.clock.sleep(until: retry)) != nil
        else { throw error }
      }
    }
  }

  /// Returns the view, which fills the terminal.
  ///
  /// - Parameter control: Controls the replay that it shows; `nil` for live use.
  func makeView(_ control: ReplayClock?) -> View {
    let screen = makeScreen()
    var style = TerminalStyle(options.terminal, environment: environment, isTerminal: true)
    // The fonts of the Linux console have neither braille nor all blocks.
    if environment["TERM"] == "linux" { style.showsUTF8 = false }
    return View(
      on: screen, style: style, colors: FrameWriter.Colors(style, environment),
      control: control, loop: loop, clock: loop.clock
    ) { [cancellation] in cancellation.cancel() }
  }

  /// Returns the presenter of the records.
  ///
  /// - Parameter isOfSeveral: Whether there are several sources, or can be.
  func presenter(isOfSeveral: Bool) async throws(OutputError) -> any Presenter {
    let file: FilePath?
    switch options.display {
    case .none, .view: return NoPresenter()
    case .snapshot(let path):
      return SnapshotPresenter(to: path, statistics: statistics, isReplay: options.isReplay)
    case .legs(let path):
      return LegPresenter(to: try LegFolder(path, ending: options.format.name)) { [log] in
        log.advise($0)
      }
    case .records(let path): file = path
    }
    if isOfSeveral, options.alternatesTracks {
      log.advise("\(UnnamedReceiverWarning.alternation(of: "several sources"))")
    }
    let output = try await output(to: file)
    let style = TerminalStyle(
      options.terminal, environment: environment, isTerminal: isTerminal(output))
    guard let redrawn = redrawnLines(on: output) else {
      return StreamPresenter(
        to: OutputSink(output, waitsForReader: options.isReplay), usesColor: style.usesColor,
        reopening: output.kind == .file ? reopening : nil)
    }
    let lines = LiveLines(output, style: style, isReplay: options.isReplay, size: terminalSize)
    // A message of any source replaces the lines.
    log.show { _ in
      lines.clear()
      return false
    }
    return isOfSeveral
      ? SourceTable(on: lines, style: style, redrawn)
      : ScreenPresenter(on: lines, style: style, redrawn)
  }

  /// Ends the run when the reader of a socket is gone. The next record would also fail. Without a gpsd or a
  /// fix, however, there may be no record for hours, while readers connect and leave.
  ///
  /// - Returns: `nil` unless records are written to a connection.
  func watchReader() -> Task<Void, Never>? {
    guard options.display.file == nil, let connection = standardOutput.connectionCopy else {
      return nil
    }
    return Task(executorPreference: loop) { [loop, cancellation] in
      _ = await WaitPoint(on: loop, descriptor: connection.number, for: .hangUp).wait()
      if !Task.isCancelled { cancellation.cancel() }
    }
  }

  /// The lines that are redrawn in place on an output; `nil` if it is not a terminal that supports this.
  func redrawnLines(on output: Descriptor) -> LinesPlan? {
    guard case .records = options.display, isTerminal(output),
      environment["TERM", default: "dumb"] != "dumb"
    else { return nil }
    return options.lines
  }

  private func isTerminal(_ output: Descriptor) -> Bool {
    terminalSize != nil || output.kind == .terminal
  }

  /// Opens the output.
  private func output(to path: FilePath?) async throws(OutputError) -> Descriptor {
    guard let path else { return standardOutput }
    return try await open { () throws(OutputError) in try Descriptor(replacing: path) }
  }
}
