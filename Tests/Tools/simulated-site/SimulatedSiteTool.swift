import DaemonHarness
import Glibc
import SimulatedReceiver

@main
enum SimulatedSiteTool {
  static func main() async {
    let options: SiteOptions
    do { options = try SiteOptions(Array(CommandLine.arguments.dropFirst())) } catch {
      say("simulated-site: \(error.message)\nTry --help.\n", on: STDERR_FILENO)
      exit(64)
    }
    if options.showsHelp { return say(SiteOptions.usage, on: STDOUT_FILENO) }
    do { try await run(options) } catch is CancellationError {} catch {
      say("simulated-site: \(error)\n", on: STDERR_FILENO)
      exit(1)
    }
  }

  private static func run(_ options: SiteOptions) async throws {
    let parent = getppid()
    let serving = Task { try await serve(options) }
    let signals = cancelOnSignal(serving)
    let watching = Task {
      while getppid() == parent { try await Task.sleep(for: .milliseconds(200)) }
      serving.cancel()
    }
    defer { watching.cancel() }
    try await serving.value
    withExtendedLifetime(signals) {}
  }

  private static func serve(_ options: SiteOptions) async throws {
    var scenario = options.chosen.scenario
    scenario.start = .now.roundedDown(toMilliseconds: scenario.intervalMilliseconds)
    let site = try await Site(
      scenario, receivers: options.receivers, link: options.chosen.link, program: options.gpsd,
      port: options.port)
    // Ends gpsd when this program is killed: its input ends then.
    let guardian = try ChildProcess(
      "sh",
      ["-c", #"read -r line; kill -9 "$0"; ipcrm -M "$1""#]
        + ["\(site.gpsd.identifier)", "\(site.gpsd.sharedMemoryKey)"], input: .pipe)
    defer { withExtendedLifetime(guardian) {} }
    do {
      try await site.waitForPositions()
      let devices = site.receivers.map(\.path).joined(separator: " ")
      say("\(site.gpsd.port) \(devices)\n", on: STDOUT_FILENO)
      while true {
        try site.gpsd.checkRunning()
        try await Task.sleep(for: .milliseconds(200))
      }
    } catch is CancellationError {
      // In a task that is not cancelled: gpsd has ended before this program does.
      return try await Task { try await site.gpsd.terminate() }.value
    }
  }
}
