import EventLoop
import Foundation
import GPSDLocation
import GPSDTestKit
import Glibc
import LocationCore
import LocationText
import Testing

@testable import LocwatchCLI
@testable import LocwatchSystem
@testable import LocwatchTerminal

/// Where a run writes, and what.
@Suite(.timeLimit(.minutes(5))) struct `The output of a run` {
  private static let lines = [RunLines.version, RunLines.devices, RunLines.fix(1), RunLines.fix(2)]

  private let folder: TemporaryFolder
  private let terminal: PseudoTerminalEnds
  private let pipe: PipeEnds

  init() throws {
    folder = try TemporaryFolder()
    terminal = try PseudoTerminalEnds()
    pipe = try PipeEnds()
  }

  private func gpsd(_ lines: [String] = lines) -> ScriptedGPSD {
    ScriptedGPSD(clock: ManualClock(), scripts: [.lines(lines)])
  }

  /// - Parameter name: The value of TERM; `nil` for a pipe instead of a terminal.
  private func run(_ arguments: [String], on name: String?, units: String? = nil) throws -> Run {
    let environment = Environment(["TERM": name ?? "xterm", "GPSD_UNITS": units ?? ""])
    let options = try Options(arguments: arguments, environment: environment)
    var run = Run(
      try options.plan(), log: Log(options), environment: environment,
      loop: try #require(EventLoop.shared)
    ) { RecordedSession(lines: []) }
    run.standardOutput = name == nil ? pipe.descriptor : terminal.terminal
    return run
  }

  @Test(
    arguments: [
      ([], "xterm", "ScreenPresenter", "SourceTable"),
      ([], "dumb", "StreamPresenter", "StreamPresenter"),
      ([], nil, "StreamPresenter", "StreamPresenter"),
      (["-j"], "xterm", "StreamPresenter", "StreamPresenter"),
      (["-n", "3"], "xterm", "StreamPresenter", "StreamPresenter"),
      (["--record", "-"], "xterm", "NoPresenter", "NoPresenter"),
      (["--report", "-"], "xterm", "NoPresenter", "NoPresenter"),
    ] as [([String], String?, String, String)])
  func `is redrawn on a capable terminal, with a table for several sources`(
    arguments: [String], terminal: String?, one: String, several: String
  ) async throws {
    let run = try run(arguments, on: terminal)
    #expect("\(type(of: try await run.presenter(isOfSeveral: false)))" == one)
    #expect("\(type(of: try await run.presenter(isOfSeveral: true)))" == several)
  }

  @Test(arguments: [([], UnitSystem.metric), (["--units", "nautical"], .nautical)])
  func `on a page has the units of its report, not those of terminals`(
    arguments: [String], units: UnitSystem
  ) throws {
    let run = try run(["--serve", "0"] + arguments, on: nil, units: "imperial")
    #expect(run.pageStyle.units == units)
    #expect(run.plan.report?.units == units)
  }

  @Test func `is replaced atomically in a file of metrics, and never redrawn in a file`()
    async throws
  {
    let path = "\(folder.path)/out"
    for (format, type) in [("prometheus", "SnapshotPresenter"), ("text", "StreamPresenter")] {
      let presenter = try await run(["-f", format, "-o", path], on: "xterm")
        .presenter(isOfSeveral: false)
      #expect("\(Swift.type(of: presenter))" == type)
    }
  }

  @Test func `is a file for each leg in a folder`() async throws {
    let run = try run(["-f", "gpx", "-o", "\(folder.path)/legs/"], on: "xterm")
    #expect("\(type(of: try await run.presenter(isOfSeveral: true)))" == "LegPresenter")
    #expect(folder.names == ["legs"])
  }

  @Test(
    arguments: [
      ("gpx", "a.gpx", [], true), ("kml", "a.kml", [], true), ("gpx", "legs/", [], false),
      ("geojson", "a.json", [], false), ("gpx", "a.gpx", ["--replay", "b"], false),
      ("gpx", "a.gpx", ["--quiet"], false),
    ] as [(String, String, [String], Bool)])
  func `has a warning if the tracks of several sources alternate in a document`(
    format: String, file: String, arguments: [String], isSaid: Bool
  ) async throws {
    var run = try run(["-f", format, "-o", "\(folder.path)/\(file)"] + arguments, on: nil)
    run.log = Log(try Options(arguments: arguments), to: pipe.descriptor)
    _ = try await run.presenter(isOfSeveral: false)
    #expect(pipe.takeText() == "")
    _ = try await run.presenter(isOfSeveral: true)
    #expect(
      pipe.takeText()
        == (isSaid
          ? "locwatch: the tracks of several sources alternate, about 60 points of each at a time: "
            + "--output DIR/ writes a file for each leg\n" : ""))
  }

  @Test(
    arguments: [
      ([], "xterm", true), ([], "dumb", false), ([], nil, false), (["-j"], "xterm", false),
      (["-o", "/tmp/none/out"], "xterm", false), (["--record", "-"], "xterm", false),
    ] as [([String], String?, Bool)])
  func `needs the satellites of each source only for a table`(
    arguments: [String], terminal: String?, needs: Bool
  ) throws {
    let run = try run(arguments + ["a=h1", "b=h2"], on: terminal)
    guard case .fleet(let fleet) = run.plan.mode else {
      Issue.record("\(run.plan.mode)")
      return
    }
    #expect(run.member(fleet.targets[0], of: fleet).reading.satellites == needs)
  }

  @Test func `lets a message be written on the terminal on which it is redrawn`() async throws {
    for isOfSeveral in [false, true] {
      var run = try run(["host"], on: "xterm")
      run.log = Log(isVerbose: false, isQuiet: false, to: terminal.terminal)
      _ = try await run.presenter(isOfSeveral: isOfSeveral)
      run.log.error("news")
      #expect(terminal.takeWrittenText() == "locwatch: news\r\n")
    }
  }

  @Test func `has colours only on a terminal`() async throws {
    let run = try StartedRun(
      ["-n", "2", "host"], environment: ["TERM": "xterm"], on: terminal.terminal, gpsd: gpsd())
    #expect(await run.end() == .success)
    // A busy system passes it on after the run has ended.
    let coloured = Collector<String>()
    #expect(await comes { shows("48.5", in: coloured) })
    #expect(coloured.values.joined().contains("\u{1b}["))
    let plain = try StartedRun(
      ["-n", "2", "host"], environment: ["TERM": "xterm"], on: pipe.descriptor, gpsd: gpsd())
    #expect(await plain.end() == .success)
    let text = pipe.takeText()
    #expect(text.contains("48.5") && !text.contains("\u{1b}"))
  }

  @Test func `is the recording if that is requested`() async throws {
    let run = try StartedRun(
      ["-n", "2", "--record", "-", "host"], on: pipe.descriptor, gpsd: gpsd())
    #expect(await run.end() == .success)
    let lines = pipe.takeText().split(whereSeparator: \.isNewline).map(String.init)
    #expect(lines.first?.hasPrefix(#"{"class":"LOCWATCH","t":0.000,"start":""#) == true)
    #expect(lines.filter { !$0.contains("LOCWATCH") } == Self.lines)
    #expect(run.said == "")
  }

  @Test(arguments: [
    (["host"], ["fix-3d /dev/"]), (["a=h1", "b=h2"], ["fix-3d a /dev/", "fix-3d b /dev/"]),
  ])
  func `has transitions, which scroll, with the name of one of several sources`(
    targets: [String], transitions: [String]
  ) async throws {
    let run = try StartedRun(
      ["-v", "--color", "never"] + targets, environment: ["TERM": "xterm"],
      on: terminal.terminal, gpsd: gpsd())
    let answers = { run.said.components(separatedBy: "gpsd 3.22 answers").count - 1 }
    #expect(await comes { answers() == targets.count })
    // Records are written after the messages.
    let written = Collector<String>()
    for transition in transitions { #expect(await comes { shows(transition, in: written) }) }
    run.cancel()
    #expect(await run.end() == .interrupted)
  }

  /// Adds what the terminal shows by now, and returns whether a text is in all of it.
  private func shows(_ text: String, in written: Collector<String>) -> Bool {
    written.add(terminal.takeText())
    return written.values.joined().contains(text)
  }

  @Test func `is of the best source, with messages about the others`() async throws {
    let run = try StartedRun(
      ["-j", "--best", "a=h1", "b=h2"], on: pipe.descriptor,
      gpsd: ScriptedGPSD(
        clock: ManualClock(),
        scripts: [.lines([RunLines.version, #"{"class":"DEVICES","devices":[]}"#])]))
    #expect(
      await comes { run.said.contains("b: no-device\n") && run.said.contains("a: no-device\n") })
    run.cancel()
    _ = await run.end()
    // That they connect, and that one of them searches, is not said.
    #expect(!run.said.contains("connecting"))
    let refused = try StartedRun(["-j", "--best", "a=h1", "b=h2"], on: pipe.descriptor)
    #expect(
      await comes {
        refused.said.contains("a: no-daemon: ") && refused.said.contains("b: no-daemon: ")
      })
    refused.cancel()
    _ = await refused.end()
    let quiet = try StartedRun(["-j", "--best", "--quiet", "a=h1", "b=h2"], on: pipe.descriptor)
    await quiet.settle()
    quiet.cancel()
    _ = await quiet.end()
    #expect(quiet.said == "")
  }

  // A pipe with a name

  @Test(arguments: [["-t", "100ms", "--duration", "1h"], ["-t", "1h", "--duration", "100ms"]])
  func `waits for the reader of a pipe as long as the run may last`(limits: [String]) async throws {
    let path = folder.makePipe("pipe")
    let start = ContinuousClock.now
    let run = try StartedRun(["-1", "-o", path] + limits + ["host"], gpsd: gpsd())
    #expect(await run.end() == .cannotCreate)
    #expect(ContinuousClock.now - start >= .milliseconds(100))
    #expect(run.said == "locwatch: cannot write to \(path): nobody reads it\n")
  }

  @Test func `begins when a pipe has a reader`() async throws {
    let path = folder.makePipe("pipe")
    let run = try StartedRun(
      ["-v", "-n", "1", "-t", "1h", "-f", "%lat", "-o", path, "host"], gpsd: gpsd())
    #expect(await comes { run.said.contains("connecting to gpsd at host:2947") })
    // It has tried to open the pipe.
    await run.settle()
    let reader = open(path, O_RDONLY | O_NONBLOCK)
    defer { close(reader) }
    #expect(await run.end() == .success)
    var bytes = [UInt8](repeating: 0, count: 100)
    #expect(read(reader, &bytes, bytes.count) == 5)
    #expect(String(decoding: bytes.prefix(5), as: UTF8.self) == "48.5\n")
  }

  // Where it cannot be written

  @Test func `is checked before anything is read`() async throws {
    let run = try StartedRun(
      ["--replay", "\(folder.path)/none.jsonl", "-o", "\(folder.path)/none/out"])
    #expect(await run.end() == .cannotCreate)
    #expect(
      run.said == "locwatch: cannot create \(folder.path)/none/out: No such file or directory\n")
  }

  // Files that are asked for while locwatch runs

  /// Asks when a test says so.
  private func request() -> (signal: RequestSignal, ask: @Sendable () -> Void) {
    let semaphore = DispatchSemaphore(value: 0)
    return (RequestSignal(waiting: { semaphore.wait() }), { _ = semaphore.signal() })
  }

  @Test func `has a report on request, and one at the end`() async throws {
    let (signal, ask) = request()
    let path = "\(folder.path)/report.txt"
    let run = try StartedRun(
      ["-j", "--report", path, "host"], on: pipe.descriptor, gpsd: gpsd(), report: signal)
    #expect(await comes { pipe.takeText().contains(#""lat":48.5"#) })
    for _ in 1...2 {
      unlink(path)
      ask()
      #expect(await comes { folder.text(of: "report.txt")?.contains("1") == true })
    }
    unlink(path)
    run.cancel()
    #expect(await run.end() == .interrupted)
    #expect(folder.text(of: "report.txt") != nil)
    // No report follows the last one.
    unlink(path)
    ask()
    await run.settle()
    #expect(folder.text(of: "report.txt") == nil)
  }

  @Test func `has a report after ten minutes, which is replaced after twenty`() async throws {
    let clock = ManualClock()
    let path = "\(folder.path)/report.json"
    let run = try StartedRun(
      ["-j", "--report", path, "host"], on: pipe.descriptor, gpsd: gpsd(),
      reportClock: clock.locationClock)
    #expect(await comes { pipe.takeText().contains(#""lat":48.5"#) })
    for _ in 1...2 {
      #expect(await comes { clock.sleeperCount == 1 })
      clock.jump(by: .seconds(599))
      await run.settle()
      #expect(folder.text(of: "report.json") == nil)
      clock.jump(by: .seconds(1))
      #expect(await comes { folder.text(of: "report.json")?.hasSuffix("}\n") == true })
      unlink(path)
    }
    run.cancel()
    #expect(await run.end() == .interrupted)
    #expect(folder.text(of: "report.json")?.hasPrefix(#"{"class":"REPORT""#) == true)
  }

  @Test func `of a replay has no report before its end`() async throws {
    let clock = ManualClock()
    let fed = FedPipe("fed.jsonl", in: folder, [RunLines.version, RunLines.fix(1)])
    let run = try StartedRun(
      ["-j", "--report", "\(folder.path)/report.json", "--replay", fed.path], on: pipe.descriptor,
      reportClock: clock.locationClock)
    #expect(await comes { pipe.takeText().contains(#""lat":48.5"#) })
    #expect(clock.sleeperCount == 0)
    clock.jump(by: .seconds(600))
    await run.settle()
    #expect(folder.text(of: "report.json") == nil)
    await fed.end()
    #expect(await run.end() == .success)
    #expect(folder.text(of: "report.json")?.contains(#""fixes":1,"#) == true)
  }

  @Test func `says why a requested report cannot be written, and continues`() async throws {
    let (signal, ask) = request()
    let place = try folder.makeFolder("reports")
    let run = try StartedRun(
      ["-j", "--report", "\(place)/report.txt", "host"], on: pipe.descriptor, gpsd: gpsd(),
      report: signal)
    #expect(await comes { pipe.takeText().contains(#""lat":48.5"#) })
    rmdir(place)
    ask()
    #expect(await comes { run.said.contains("\(place)/report.txt: No such file or directory") })
    #expect(run.status == nil)
    run.cancel()
    _ = await run.end()
  }

  @Test(arguments: [["host"], ["a=h1", "b=h2"], ["--best", "a=h1", "b=h2"]])
  func `begins a new file on request`(targets: [String]) async throws {
    let (signal, ask) = request()
    let path = "\(folder.path)/out"
    let clock = ManualClock()
    var script: [ScriptedGPSD.Step] = [.lines(RunLines.version, RunLines.devices)]
    for _ in 1...100 { script += [.lines(RunLines.fix(1)), .wait(.seconds(1))] }
    let gpsd = ScriptedGPSD(clock: clock, scripts: script)
    let run = try StartedRun(
      ["-v", "-j", "-o", path] + targets, gpsd: gpsd, hangUp: signal)
    #expect(await comes { folder.text(of: "out")?.contains(#""lat":48.5"#) == true })
    rename(path, "\(path).1")
    ask()
    #expect(
      await comes {
        clock.jump(by: .seconds(1))
        return folder.text(of: "out")?.contains(#""lat":48.5"#) == true
      })
    run.cancel()
    #expect(await run.end() == .interrupted)
  }
}
