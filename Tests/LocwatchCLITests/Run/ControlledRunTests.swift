import EventLoop
import GPSDLocation
import Glibc
import LocationCore
import LocationTestKit
import Testing

@testable import LocwatchCLI
@testable import LocwatchSystem

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

  private static func fix(_ second: Int, of device: String = "/dev/gps", mode: Int = 3) -> String {
    let time = Timestamp(secondsSince1970: 1_795_158_300).advanced(by: .seconds(second))
    return #"{"class":"TPV","device":"\#(device)","mode":\#(mode),"time":"\#(time)","lat":48.5,"#
      + #""lon":11.5,"altHAE":1.0,"altMSL":1.0,"speed":1.0,"track":1.0,"climb":0.0,"eph":1.0}"#
  }

  /// - Parameter minute: When the file was begun, after 07:05.
  private static func stamp(
    _ second: Int, of source: String? = nil, minute: Int = 0
  ) -> String {
    let start = second == 0 ? #","start":"2026-11-20T07:0\#(5 + minute):00.000Z""# : ""
    let source = source.map { #","source":"\#($0)""# } ?? ""
    return #"{"class":"LOCWATCH","t":\#(second).000\#(start)\#(source)}"#
  }

  /// A fix each second, from 07:05:00 to 07:06:40, that is lost at 07:06:01, and an hour later another.
  private func drive(named name: String = "drive.jsonl") throws -> String {
    let seconds = Array(0...100) + [3700, 3701]
    let lines = seconds.flatMap {
      [Self.stamp($0)] + ($0 == 0 ? [RunLines.version] : [])
        + [Self.fix($0, mode: (61...70).contains($0) ? 1 : 3)]
    }
    return try folder.write(RunLines.text(lines), to: name)
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

  @Test func `goes forward and back`() async throws {
    let run = try start("--speed", "0.001", "--replay", try drive())
    await shows("REPLAY", "2026-11-20 07:05:00 UTC", "x0.001")
    screen.type("\u{1b}[C\u{1b}[C\u{1b}[C")
    await shows("07:05:30 UTC", "fix-3d for 3")
    screen.type("\u{1b}[D")
    // The positions of the pass before are forgotten.
    await shows("07:05:20 UTC", "fix-3d for 20 s", "Scatter, 20 s")
    screen.type("n")
    await shows("07:06:01 UTC", "lost for")
    screen.type("n")
    await shows("07:06:11 UTC", "fix-3d for")
    screen.type(" \u{1b}[D")
    await shows("07:06:01 UTC", "paused")
    await leaves(run)
  }

  @Test func `skips an hour without reports, and goes back over it`() async throws {
    let run = try start("--speed", "0.001", "--replay", try drive())
    await shows("07:05:00 UTC")
    screen.type("\u{1b}[6~")
    await shows("08:06:40 UTC")
    screen.type("\u{1b}[D")
    await shows("07:06:30 UTC")
    screen.type("\u{1b}[5~")
    await shows("07:05:00 UTC")
    await leaves(run)
  }

  @Test func `stays at its end, and can go back from there`() async throws {
    let run = try start("--speed", "max", "--replay", try drive())
    await shows("End of the recording: Left goes back, q quits", "08:06:41 UTC", "max")
    screen.type("- ")
    await shows("End of the recording", "x1000", "paused")
    screen.type("\u{1b}[D")
    await shows("07:06:31 UTC", "paused")
    screen.type("n")
    await shows("07:06:45", "lost for")
    screen.type("n")
    await shows("08:06:40", "paused")
    screen.type("n")
    await shows("End of the recording", "paused")
    await leaves(run)
  }

  @Test func `keeps the receiver that was chosen`() async throws {
    let lines =
      [Self.stamp(0), RunLines.version]
      + (0...60).flatMap {
        [Self.stamp($0), Self.fix($0, of: "/dev/one"), Self.fix($0, of: "/dev/two", mode: 1)]
      }
    let file = try folder.write(RunLines.text(lines), to: "two.jsonl")
    let run = try start("--speed", "0.001", "--replay", file)
    await shows("07:05:00 UTC", "/dev/two")
    screen.type("\u{1b}[C\u{1b}[C")
    // The first one with a position.
    await shows("07:05:20 UTC", "/dev/one", "2 one fix-3d")
    screen.type("1\u{1b}[D")
    await shows("07:05:10 UTC", "/dev/two", "2 one fix-3d")
    await leaves(run)
  }

  @Test func `of several files and sources goes back to the first`() async throws {
    let sources = ["bow", "stern"]
    let files = try [0, 1].map { minute in
      let lines = (0..<60).flatMap { second in
        sources.flatMap { source in
          [
            Self.stamp(second, of: source, minute: minute),
            Self.fix(60 * minute + second, mode: second < 30 ? 3 : 1),
          ]
        }
      }
      return try folder.write(RunLines.text(lines), to: "\(minute).jsonl")
    }
    let run = try start("--speed", "0.001", "--replay", files[0], "--replay", files[1])
    await shows("07:05:00 UTC", "2 stern")
    screen.type("\u{1b}[C")
    await shows("07:05:10 UTC", "2 stern fix-3d")
    for _ in 0..<6 { screen.type("\u{1b}[C") }
    await shows("07:06:10 UTC")
    for _ in 0..<6 { screen.type("\u{1b}[D") }
    await shows("07:05:10 UTC", "1 bow fix-3d", "07:05:00Z connecting")
    screen.type("n")
    await shows("07:05:30 UTC", "bow lost")
    await leaves(run)
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

  @Test func `without receive times follows the times of the reports`() async throws {
    let lines = [RunLines.version] + (0...60).map { Self.fix($0) }
    let file = try folder.write(RunLines.text(lines), to: "gpspipe.jsonl")
    let run = try start("--speed", "0.001", "--replay", file)
    await shows("REPLAY", "0:00:00")
    screen.type("\u{1b}[C\u{1b}[C")
    await shows("0:00:20")
    screen.type("\u{1b}[D")
    await shows("0:00:10")
    await leaves(run)
  }

  @Test func `of a part begins there, and goes back no further`() async throws {
    let run = try start(
      "--speed", "0.001", "--from", "07:05:30", "--to", "07:06:30", "--replay", try drive())
    await shows("07:05:30 UTC", "fix-3d for 0.")
    screen.type("\u{1b}[C")
    await shows("07:05:40 UTC", "fix-3d for 10 s")
    screen.type("\u{1b}[5~")
    await shows("07:05:30 UTC", "fix-3d for 0.")
    screen.type("\u{1b}[6~")
    await shows("End of the recording", "07:06:30 UTC", "fix-3d for")
    await leaves(run)
  }

  @Test func `is reported as it was seen if its user leaves while an earlier moment is sought`()
    async throws
  {
    let report = folder.path("report.json").description
    let file = try drive()
    let run = try start(
      "--speed", "max", "--report", report, "--replay", file, copyInterval: .max)
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
    #expect(text.contains(#""to":"2026-11-20T08:06:41"#) && text.contains(#""fixes":93,"#))
    withExtendedLifetime(pipe) {}
  }

  @Test func `is reported up to the moment at which its user leaves`() async throws {
    let report = folder.path("report.json").description
    let run = try start("--speed", "0.001", "--report", report, "-v", "--replay", try drive())
    await shows("07:05:00 UTC")
    screen.type("\u{1b}[6~")
    await shows("08:06:40 UTC")
    screen.type("\u{1b}[6~")
    await shows("End of the recording")
    #expect(folder.text(of: "report.json")?.contains(#""to":"2026-11-20T08:06:41"#) == true)
    screen.type(" \u{1b}[D")
    await shows("07:06:31 UTC")
    screen.type("q")
    #expect(await run.end() == .success)
    let text = try #require(folder.text(of: "report.json"))
    #expect(text.contains(#""from":"2026-11-20T07:05:00"#))
    #expect(text.contains(#""to":"2026-11-20T07:06:31"#) && text.contains(#""fixes":82,"#))
    // Of one pass, and once.
    #expect(run.said.contains("TPV reports: 92\n"))
  }
}
