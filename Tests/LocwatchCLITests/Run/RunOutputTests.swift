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
      options, log: Log(options), environment: environment,
      loop: try #require(EventLoop.shared)
    ) { RecordedSession(lines: []) }
    run.standardOutput = name == nil ? pipe.descriptor : terminal.terminal
    return run
  }

  @Test(arguments: [([], UnitSystem.metric), (["--units", "nautical"], .nautical)])
  func `on a page has the units of its report, not those of terminals`(
    arguments: [String], units: UnitSystem
  ) throws {
    let run = try run(["--serve", "0"] + arguments, on: nil, units: "imperial")
    #expect(run.pageStyle.units == units)
    #expect(run.options.reportUnits == units)
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

  /// Adds what the terminal shows by now, and returns whether a text is in all of it.
  private func shows(_ text: String, in written: Collector<String>) -> Bool {
    written.add(terminal.takeText())
    return written.values.joined().contains(text)
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
}
