import DaemonHarness
import Glibc
import SimulatedReceiver

@main
enum SimulatedReceiverTool {
  static func main() async {
    let options: ToolOptions
    do { options = try ToolOptions(Array(CommandLine.arguments.dropFirst())) } catch {
      say("simulated-receiver: \(error.message)\nTry --help.\n", on: STDERR_FILENO)
      exit(64)
    }
    if options.showsHelp { return say(ToolOptions.usage, on: STDOUT_FILENO) }
    if options.showsList { return say(list, on: STDOUT_FILENO) }
    do { try await feed(options) } catch {
      say("simulated-receiver: \(error)\n", on: STDERR_FILENO)
      exit(1)
    }
  }

  private static var list: String {
    Scenario.named.map { scenario in
      let gap = String(repeating: " ", count: max(1, 14 - scenario.name.utf8.count))
      return "\(scenario.name)\(gap)\(scenario.summary)\n"
    }.joined()
  }

  private static func feed(_ options: ToolOptions) async throws {
    var scenario = options.chosen.scenario
    scenario.start = .now.roundedDown(toMilliseconds: scenario.intervalMilliseconds)
    if options.isNetworked { return try await serve(scenario) }
    let receiver = try SimulatedReceiver(scenario, link: options.chosen.link)
    let feeding = Task {
      do { try await receiver.run(epochs: options.epochs) } catch is CancellationError {}
    }
    let signals = cancelOnSignal(feeding)
    // Only now: who reads the path may send a signal at once.
    say("\(receiver.path)\n", on: STDOUT_FILENO)
    try await feeding.value
    // The link goes with the receiver, which has to live until here.
    withExtendedLifetime((receiver, signals)) {}
  }

  /// Sends the epochs, as they come, to whoever connects.
  private static func serve(_ scenario: Scenario) async throws {
    let start = ContinuousClock.now
    let server = try Impostor([
      .generate { _ in
        let index = Int((ContinuousClock.now - start) / scenario.interval) + 1
        let left = start + scenario.interval * index - .now
        usleep(useconds_t(max(0, left / .microseconds(1))))
        return scenario.bytes(at: index)
      }
    ])
    let serving = Task { while !Task.isCancelled { try? await Task.sleep(for: .seconds(3600)) } }
    let signals = cancelOnSignal(serving)
    say("tcp://127.0.0.1:\(server.port)\n", on: STDOUT_FILENO)
    await serving.value
    withExtendedLifetime((server, signals)) {}
  }
}
