import EventLoop
import GPSDLocation
import GPSDTestKit
import LocationCore
import LocwatchTerminal
import Testing

@testable import LocwatchCLI
@testable import LocwatchSystem

/// Whole runs in a view, on a terminal of the test's own.
@Suite(.timeLimit(.minutes(5))) struct `A run in a view` {
  private static let lines = [RunLines.version, RunLines.devices, RunLines.fix(1), RunLines.fix(2)]

  private let folder: TemporaryFolder
  private let screen: ScriptedScreen
  private let file: String

  init() throws {
    folder = try TemporaryFolder()
    screen = try ScriptedScreen(typed: ())
    file = try folder.write(RunLines.text(Self.lines), to: "drive.jsonl")
  }

  /// - Parameter name: The value of TERM.
  private func start(
    _ arguments: String..., terminal name: String = "xterm", gpsd: ScriptedGPSD? = nil
  ) throws -> StartedRun {
    try StartedRun(
      ["--view"] + arguments, environment: ["TERM": name, "LC_ALL": "C.UTF-8"], screen: screen,
      gpsd: gpsd)
  }

  private var live: ScriptedGPSD {
    ScriptedGPSD(clock: ManualClock(), scripts: [.lines(Self.lines)])
  }

  /// Waits for a text on the screen. Returns all that was written until then.
  private func shows(_ text: String) async -> String {
    var written = ""
    // What is written skips the cells that stay as they are, such as the blank between two words.
    var drawn = DrawnScreen()
    let isShown = await comes {
      let more = screen.takeText()
      written += more
      drawn.follow(more)
      return drawn.text.contains(text)
    }
    #expect(isShown, "\(drawn.text)")
    return written
  }

  @Test func `shows the end of a replay until its user leaves`() async throws {
    let run = try start("--replay", file)
    _ = await shows("q quits")
    #expect(run.status == nil)
    #expect(screen.takeCalls() == [.show])
    screen.type("q")
    #expect(await run.end() == .success)
    #expect(screen.takeCalls() == [.hide])
    #expect(run.said == "")
  }

  @Test func `is done when its user leaves, and interrupted by anything else`() async throws {
    let left = try start("host", gpsd: live)
    _ = await shows("48.5")
    screen.type("q")
    #expect(await left.end() == .success)
    #expect(screen.takeCalls() == [.show, .hide])
    let cancelled = try start("host", gpsd: live)
    _ = await shows("48.5")
    cancelled.cancel()
    #expect(await cancelled.end() == .interrupted)
    #expect(screen.takeCalls() == [.show, .hide])
  }

  @Test func `shows messages`() async throws {
    let simulated = RunLines.fix(1).replacing(#""mode":3"#, with: #""mode":3,"status":8"#)
    let gpsd = ScriptedGPSD(clock: ManualClock(), scripts: [.lines([RunLines.version, simulated])])
    let run = try start("host", gpsd: gpsd)
    // Its quality is shown elsewhere.
    _ = await shows("reports a simulated")
    screen.type("q")
    #expect(await run.end() == .success)
  }

  @Test func `has colours, and letters that the Linux console has, too`() async throws {
    for (terminal, isASCII) in [("xterm", false), ("linux", true)] {
      let run = try start("--replay", file, terminal: terminal)
      let text = await shows("q quits")
      #expect(text.unicodeScalars.allSatisfy(\.isASCII) == isASCII)
      #expect(text.contains("\u{1b}[3") || text.contains(";3"))
      screen.type("q")
      _ = await run.end()
    }
  }

  @Test func `is read again for an earlier moment, after its end or a timeout only`() async {
    let control = PlaybackControl(speed: .maximum, clock: .live)
    func moment(_ second: Int) -> Moment { Moment(uptime: .seconds(second)) }
    control.beginPass(at: moment(0))
    for second in [0, 10] {
      #expect(await control.wait(for: moment(second), before: moment(second)))
    }
    let display = RunDisplay(presenter: NoPresenter(), control: control)
    let endings: [RunResult] = [
      .ended, .timedOut("no fix"), .done, .cancelled,
      .failed(LocationError(.silent), "silent"), .output(.closed),
    ]
    #expect(endings.allSatisfy { !display.goesBack(after: $0) })
    control.handle(.skip(.seconds(-5)))
    #expect(
      endings.map { display.goesBack(after: $0) } == [true, true, false, false, false, false])
    #expect(!RunDisplay(presenter: NoPresenter()).goesBack(after: .ended))
    #expect(!display.isBehind)
    control.beginPass(at: moment(0))
    #expect(display.isBehind && !display.goesBack(after: .ended))
  }
}
