import EventLoop
import GPSDLocation
import GPSDTestKit
import Glibc
import LocationCore
import Testing

@testable import LocwatchCLI
@testable import LocwatchRecordings
@testable import LocwatchSystem

@Suite(.timeLimit(.minutes(5))) struct `A live run` {
  private static let lines = [
    #"{"class":"LOCWATCH","t":0.000,"start":"2026-11-20T07:05:00.000Z"}"#, RunLines.version,
    RunLines.devices, RunLines.fix(1), RunLines.fix(2),
  ]
  private static let form = ["-f", "%source %device %lat", "--no-events"]

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func `keeps its folder in order before anything is recorded`() async throws {
    let days = try folder.makeFolder("days")
    let name = "000001-2026-11-19T000000.000Z.jsonl"
    try folder.write(RunLines.text(Self.lines), to: "days/\(name)")
    let run = try StartedRun(["--record", "\(days)/", "host"])
    #expect(await comes { access("\(days)/\(name).gz", F_OK) == 0 })
    run.cancel()
    #expect(await run.end() == .interrupted)
  }

  @Test func `has as many descriptors for its sources as it may`() async throws {
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    for option in [[], ["--best"]] {
      var limit = rlimit()
      try #require(getrlimit(resource, &limit) == 0)
      limit.rlim_cur = limit.rlim_max - 1
      try #require(setrlimit(resource, &limit) == 0)
      let run = try await CommandRun(
        Self.form + ["-1"] + option + ["a=h1", "b=h2"], in: folder, live: Self.lines)
      #expect(run.status == .success)
      try #require(getrlimit(resource, &limit) == 0)
      #expect(limit.rlim_cur == limit.rlim_max)
    }
  }

  @Test func `follows sources that were made elsewhere`() async throws {
    let path = "\(folder.path)/out"
    let options = try Options(
      arguments: ["-1", "-f", "%source %lat", "--no-events", "-o", path, "a=h1", "b=h2"],
      environment: [:])
    let loop = try #require(EventLoop.shared)
    let run = Run(options, log: Log(options), environment: [:], loop: loop) {
      RecordedSession(lines: [])
    }
    let clock = ManualClock()
    let sources = options.fleet.map { target in
      let provider = ScriptedLocationSource(
        clock: clock, scripts: [.event(.fix(.scripted(1)))])
      return RunSource(
        options.member(target), updates: provider.updates(), clock: provider.clock)
    }
    let status = await Task(executorPreference: loop) {
      await run.follow(sources, clock: clock.locationClock)
    }.value
    #expect(status == .success)
    #expect(
      Set((folder.text(of: "out") ?? "").split(separator: "\n")) == ["a 48.0", "b 48.0"])
  }
}
