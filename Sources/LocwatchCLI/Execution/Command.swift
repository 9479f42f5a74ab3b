package import GPSDLocation
import Glibc
import LocationCore
import Synchronization

/// The command, from its words to its exit status.
package enum Command {
  /// - Parameters:
  ///   - arguments: The words after the command's own name.
  ///   - makeSession: Makes a session with gpsd on the executor that the command runs on.
  package static func run<Session: GPSDSession>(
    arguments: [String], environment: Environment,
    makeSession: @escaping @Sendable (any SerialExecutor) -> Session
  ) -> ExitStatus {
    Descriptor.reserveStandardStreams()
    let options: Options
    do throws(UsageError) {
      options = try Options(arguments: arguments, environment: environment)
    } catch {
      Log(Options()).complain(error.description)
      return .usage
    }
    switch options.action {
    case .help: return print(HelpPage.text)
    case .version: return print("locwatch \(version)\n")
    case .generate(let file): return print(file.text(version: version))
    case .run: break
    }
    TerminationSignals.block()
    let executor = MainThreadExecutor()
    let signals = TerminationSignals()
    let run = Run(
      options: options, environment: environment, executor: executor,
      makeSession: { makeSession(executor) })
    let result = Mutex(ExitStatus.fault)
    let task = RunTask(run).start { status in
      result.withLock { $0 = status }
      executor.finish()
    }
    signals.watch { task.cancel() }
    executor.run()
    return signals.status ?? result.withLock { $0 }
  }

  private static func print(_ text: String) -> ExitStatus {
    var sink = OutputSink(.standardOutput, waitsForReader: true)
    sink.text.append(text: text)
    do throws(OutputError) {
      try sink.flush(trailer: "", isCancelled: { false })
      return .success
    } catch {
      return Ending.output(error).exitStatus
    }
  }
}
