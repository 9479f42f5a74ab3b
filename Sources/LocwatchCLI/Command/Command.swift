package import EventLoop
package import GPSDLocation
import Glibc
import LocationCore
import LocationText
package import LocwatchSystem
import LocwatchTerminal
import Synchronization

/// The command, from its arguments to its exit status.
package enum Command {
  /// Runs the command.
  ///
  /// - Parameters:
  ///   - arguments: The arguments after the command's own name.
  ///   - makeSession: Returns a new session with gpsd, on the loop that the command runs on.
  package static func run(
    arguments: [Argument], environment: Environment,
    makeSession: @escaping @Sendable (EventLoop) -> any GPSDSession
  ) -> ExitStatus {
    let early = [SIGHUP, SIGINT, SIGTERM, SIGUSR1]
    let held = HeldSignals(early)
    let (options, log): (Options, Log)
    switch request(arguments, environment) {
    case .run(let wanted, let messages): (options, log) = (wanted, messages)
    // The write may wait for its reader, and a signal must be able to end it.
    case .print(let text):
      held.release(early)
      return print(text)
    case .fail(let status, let reason, let log):
      held.release(early)
      log.error(reason)
      return status
    }
    if options.view, let obstacle = FullScreen.obstacle(environment) {
      held.release(early)
      log.error(obstacle.text)
      return .usage
    }
    // With a terminal, SIGHUP means that the terminal is gone.
    let opensFileAgain = options.reopenedOutput != nil && !Descriptor.hasTerminal
    let signals = TerminationSignals(
      endsAtHangUp: !opensFileAgain, blocking: options.view ? FullScreen.signals : [])
    // Without a report, SIGUSR1 stays blocked: it asks for nothing, and must not end the run.
    let reportSignal = options.report == nil ? nil : RequestSignal(SIGUSR1)
    let hangUpSignal = opensFileAgain ? RequestSignal(SIGHUP) : nil
    guard let loop = EventLoop() else {
      log.error("cannot create the event loop: no file descriptor is left")
      return .fault
    }
    let run = Run(
      options, log: log, environment: environment, loop: loop, reportSignal: reportSignal,
      hangUpSignal: hangUpSignal,
      makeSession: { makeSession(loop) })
    let result = Mutex(ExitStatus.fault)
    let task = RunTask(run).start { status in
      result.withLock { $0 = status }
      loop.finish()
    }
    run.cancellation.attach(task)
    signals.observe { task.cancel() }
    loop.run()
    let status = result.withLock { $0 }
    // Something that could not be written matters more than the signal that ended the run.
    if status == .cannotCreate || status == .cannotWrite { return status }
    return signals.status ?? status
  }

  /// What a command line requests.
  enum Request {
    case run(Options, Log)
    case print(String)
    case fail(ExitStatus, Message, Log)
  }

  /// Returns what a command line requests.
  ///
  /// - Parameter output: Where messages for people go.
  static func request(
    _ arguments: [Argument], _ environment: Environment,
    messagesTo output: Descriptor = .standardError
  ) -> Request {
    let log = Log(isVerbose: false, isQuiet: false, to: output)
    Descriptor.reserveStandardStreams()
    if let obstacle = StackLimit.obstacle(StackLimit.current) {
      return .fail(.fault, "\(obstacle)", log)
    }
    do throws(UsageError) {
      let options = try Options(arguments: arguments, environment: environment)
      switch options.action {
      case .help: return .print(HelpPage.text)
      case .version: return .print("locwatch \(version)\n")
      case .generate(let file): return .print(file.text(version: version))
      case .run: break
      }
      try options.refuseSharedFiles()
      return .run(options, Log(options, to: output))
    } catch {
      return .fail(.usage, error.text, log)
    }
  }

  private static func print(_ text: String) -> ExitStatus {
    var buffer = TextBuffer()
    buffer.append(text: text)
    do throws(OutputError) {
      try Descriptor.standardOutput.writeText(buffer)
      return .success
    } catch {
      return error.exitStatus
    }
  }
}
