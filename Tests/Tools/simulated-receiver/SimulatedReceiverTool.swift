import Dispatch
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
    var scenario = options.scenario
    scenario.start = .now.roundedDown(toMilliseconds: scenario.intervalMilliseconds)
    let receiver = try SimulatedReceiver(scenario, link: options.link)
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

  private static func say(_ text: String, on descriptor: CInt) {
    let bytes = Array(text.utf8)
    _ = write(descriptor, bytes, bytes.count)
  }
}

/// Ends `task` at SIGINT and SIGTERM, as long as what is returned lives. Outside of the main actor,
/// where a handler would trap.
private func cancelOnSignal(_ task: Task<Void, any Error>) -> [any DispatchSourceSignal] {
  [SIGINT, SIGTERM].map { number in
    signal(number, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
    source.setEventHandler { @Sendable in task.cancel() }
    source.resume()
    return source
  }
}
