import EventLoop
import Glibc
import LocationCore
import LocationTestKit
import Testing

@testable import GPSDLocation
@testable import LocwatchCLI
@testable import LocwatchSystem
@testable import LocwatchTerminal

/// Whole replays in a view that a person controls. They stand nearly still by themselves.
/// Fault 107.
@Suite(.timeLimit(.minutes(5))) final class `A replay in a view` {
  private let folder: TemporaryFolder
  private let screen: ScriptedScreen
  private var drawn = DrawnScreen()

  init() throws {
    folder = try TemporaryFolder()
    screen = try ScriptedScreen(typed: ())
  }

  private static func fix(_ second: Int) -> [String] {
    let time = Timestamp(secondsSince1970: 1_795_158_300).advanced(by: .seconds(second))
    let start = second == 0 ? #","start":"\#(time)""# : ""
    return [
      #"{"class":"LOCWATCH","t":\#(second).000\#(start)}"#,
      #"{"class":"TPV","device":"/dev/gps","mode":3,"time":"\#(time)","lat":48.5,"lon":11.5}"#,
    ]
  }

  private func start(_ arguments: String...) throws -> StartedRun {
    try StartedRun(
      ["--view"] + arguments, environment: ["TERM": "xterm", "LC_ALL": "C.UTF-8"], screen: screen)
  }

  /// Waits until texts are on the screen at the same time, and no other moment is sought.
  ///
  /// - Parameter keys: What is typed first, and again as long as they are not.
  private func shows(
    _ texts: String..., typing keys: String = "",
    sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    var looks = 0
    let isShown = await comes {
      if looks % 1000 == 0 { screen.type(keys) }
      looks += 1
      drawn.follow(screen.takeText())
      let text = drawn.text
      return !text.contains("seeking") && texts.allSatisfy { text.contains($0) }
    }
    #expect(isShown, "\(texts)\n\(drawn.text)", sourceLocation: sourceLocation)
  }

  private func leaves(_ run: StartedRun) async {
    screen.type("q")
    #expect(await run.end() == .success)
    #expect(run.said == "")
    #expect(screen.takeCalls() == [.show, .hide])
  }

  @Test func `of a pipe does not go back, and says so`() async throws {
    let pipe = FedPipe("pipe", in: folder, (0...60).flatMap(Self.fix))
    let run = try start("--speed", "0.001", "--replay", pipe.path)
    await shows("07:05:00 UTC")
    screen.type("\u{1b}[C")
    await shows("07:05:10 UTC")
    // This is shown for 8 s, in which a busy machine may not draw.
    await shows("07:05:10 UTC", "Cannot go back", typing: "\u{1b}[D")
    await pipe.end()
    screen.type("\u{1b}[6~")
    await shows("07:06:00 UTC")
    await leaves(run)
  }

  @Test func `is reported as it was seen if its user leaves while an earlier moment is sought`()
    async throws
  {
    let report = folder.path("report.json").description
    let file = try folder.write(RunLines.text((0...60).flatMap(Self.fix)), to: "drive.jsonl")
    let run = try start("--speed", "max", "--report", report, "--replay", file)
    await shows("End of the recording")
    // What is read again has nothing yet.
    #expect(unlink(file) == 0)
    let pipe = FedPipe("drive.jsonl", in: folder)
    screen.type("\u{1b}[D")
    #expect(
      await comes {
        drawn.follow(screen.takeText())
        return drawn.text.contains("seeking")
          && drawn.text.contains("Going back to 2026-11-20 07:05:50 UTC: 0 %")
      })
    screen.type("q")
    #expect(await run.end() == .success)
    let text = try #require(folder.text(of: "report.json"))
    #expect(text.contains(#""to":"2026-11-20T07:06:00"#) && text.contains(#""fixes":61,"#))
    withExtendedLifetime(pipe) {}
  }

  @Test func `has colours`() async throws {
    let file = try folder.write(RunLines.text(Self.fix(0)), to: "drive.jsonl")
    let run = try start("--replay", file)
    var text = ""
    #expect(
      await comes {
        text += screen.takeText()
        return text.contains(";32m")
      })
    await leaves(run)
  }

  @Test func `is read again for an earlier moment, after its end or a timeout only`() {
    let control = ReplayClock(speed: .maximum, isControlled: true, realClock: .live)
    func moment(_ second: Int) -> Moment { Moment(uptime: .seconds(second)) }
    control.beginPass(at: moment(0))
    for second in [0, 10] {
      let listener = Listener(at: LocationClock.live.semaphore)
      #expect(control.move(to: moment(second), before: moment(second), listener) == .advance)
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
