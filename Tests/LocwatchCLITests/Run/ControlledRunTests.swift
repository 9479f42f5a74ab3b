import EventLoop
import GPSDLocation
import Glibc
import LocationCore
import LocationTestKit
import Testing

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

  private static func fix(_ second: Int, mode: Int = 3) -> String {
    let time = Timestamp(secondsSince1970: 1_795_158_300).advanced(by: .seconds(second))
    return #"{"class":"TPV","device":"/dev/gps","mode":\#(mode),"time":"\#(time)","lat":48.5,"#
      + #""lon":11.5,"altHAE":1.0,"altMSL":1.0,"speed":1.0,"track":1.0,"climb":0.0,"eph":1.0}"#
  }

  private static func stamp(_ second: Int, of source: String? = nil) -> String {
    let start = second == 0 ? #","start":"2026-11-20T07:05:00.000Z""# : ""
    let source = source.map { #","source":"\#($0)""# } ?? ""
    return #"{"class":"LOCWATCH","t":\#(second).000\#(start)\#(source)}"#
  }

  private func start(_ arguments: String..., copyInterval: Int = 5) throws -> StartedRun {
    try StartedRun(
      ["--view"] + arguments, environment: ["TERM": "xterm", "LC_ALL": "C.UTF-8"], screen: screen,
      copyInterval: copyInterval)
  }

  /// Returns all that is drawn, after it is drawn again, and no other moment is sought.
  private func frame(of run: StartedRun) async -> String {
    repeat {
      await run.settle()
      screen.type("\u{c}")
      var text = ""
      #expect(
        await comes {
          text += screen.takeText()
          return text.contains("\u{1b}[2J")
        })
      await run.settle()
      drawn.follow(text + screen.takeText())
    } while drawn.text.contains("seeking")
    return drawn.text
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

  @Test(arguments: [[nil], ["bow", "stern"], ["bow", "stern", nil, "mast"]] as [[String?]])
  func `shows the same from a copy as from the beginning`(sources: [String?]) async throws {
    let lines = (0...300).flatMap { second in
      sources.enumerated().flatMap { number, source -> [String] in
        // Others appear and fall silent later, and have a fix at other times.
        guard second >= 40 * number, second < 280 - 20 * number else { return [] }
        let mode = second % (50 + 20 * number) < 30 ? 3 : 1
        return [Self.stamp(second, of: source), Self.fix(second + number, mode: mode)]
      }
    }
    let file = try folder.write(RunLines.text(lines), to: "sources.jsonl")
    var frames: [[String]] = []
    for interval in [.max, 7] {
      let run = try start("--speed", "max", "--replay", file, copyInterval: interval)
      await shows("End of the recording")
      screen.type(" ")
      await shows("paused")
      var seen: [String] = []
      for step in 1...12 {
        screen.type("\u{1b}[D\u{1b}[D")
        let second = 279 - 20 * step
        await shows("07:0\(5 + second / 60):\(second % 60 < 10 ? "0" : "")\(second % 60) UTC")
        seen.append(await frame(of: run))
      }
      frames.append(seen)
      await leaves(run)
      drawn = DrawnScreen()
    }
    for (index, (copied, read)) in zip(frames[1], frames[0]).enumerated() {
      #expect(copied == read, "step \(index)")
    }
    #expect(Set(frames[0]).count == 12)
  }

  @Test func `of a pipe does not go back, and says so`() async throws {
    let lines =
      [Self.stamp(0), RunLines.version]
      + (0...60).flatMap {
        [Self.stamp($0), Self.fix($0)]
      }
    let pipe = FedPipe("pipe", in: folder, lines)
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
    let lines = (0...60).flatMap { [Self.stamp($0), Self.fix($0)] }
    let file = try folder.write(RunLines.text(lines), to: "drive.jsonl")
    let run = try start("--speed", "max", "--report", report, "--replay", file, copyInterval: .max)
    await shows("End of the recording")
    // What is read again has nothing yet.
    #expect(unlink(file) == 0)
    let pipe = FedPipe("drive.jsonl", in: folder)
    screen.type("\u{1b}[D")
    #expect(
      await comes {
        drawn.follow(screen.takeText())
        return drawn.text.contains("seeking")
      })
    screen.type("q")
    #expect(await run.end() == .success)
    let text = try #require(folder.text(of: "report.json"))
    #expect(text.contains(#""to":"2026-11-20T07:06:00"#) && text.contains(#""fixes":61,"#))
    withExtendedLifetime(pipe) {}
  }

  @Test func `has colours`() async throws {
    let file = try folder.write(
      RunLines.text([Self.stamp(0), RunLines.version, Self.fix(0)]), to: "drive.jsonl")
    let run = try start("--replay", file)
    var text = ""
    #expect(
      await comes {
        text += screen.takeText()
        return text.contains(";32m")
      })
    await leaves(run)
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
