import DaemonHarness
import SimulatedReceiver

/// The built command, run as a user runs it.
enum Locwatch {
  /// A shell's settings are not to change what a test sees.
  private static let environment: [String: String?] = [
    "LC_ALL": "C", "GPSD_UNITS": nil, "NO_COLOR": nil, "TERM": "xterm-256color",
  ]

  static let program = ChildProcess.builtProduct("locwatch")

  /// Starts it with its streams on pipes.
  static func start(
    _ arguments: [String], environment: [String: String?] = [:],
    input: ChildProcess.Stream = .file("/dev/null"), output: ChildProcess.Stream = .pipe
  ) throws(SystemError) -> ChildProcess {
    try ChildProcess(
      program, arguments, environment: Self.environment.merging(environment) { $1 }, input: input,
      output: output)
  }

  static func start(_ arguments: String...) throws(SystemError) -> ChildProcess {
    try start(arguments)
  }

  /// Starts it on a terminal.
  static func startOnTerminal(
    _ arguments: String..., rows: Int = 24, columns: Int = 100
  ) throws(SystemError) -> ChildProcess {
    try ChildProcess(
      program, arguments, environment: environment, rows: rows, columns: columns)
  }

  /// Runs it to its end.
  static func run(
    _ arguments: [String], environment: [String: String?] = [:], timeout: Duration = .seconds(20)
  ) async throws -> Result {
    let process = try start(arguments, environment: environment)
    let status = try await process.waitForExit(timeout: timeout)
    return Result(status: status, output: process.output.text, errors: process.errors.text)
  }

  static func run(_ arguments: String...) async throws -> Result { try await run(arguments) }

  struct Result: Equatable {
    var status: ExitStatus
    var output: String
    var errors: String

    /// The counts at the end of `--verbose`, such as `fixes: 5`.
    var counts: [Substring: Int] {
      let counts = errors.matches(of: /locwatch: ([^:\n]+): (\d+)\n/)
      return Dictionary(counts.map { ($0.1, Int($0.2) ?? 0) }, uniquingKeysWith: { $1 })
    }
  }
}
