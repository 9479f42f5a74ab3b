import EventLoop
import GPSDLocation
import Glibc
import Testing

@testable import LocwatchCLI
@testable import LocwatchSystem

@Suite struct `The command` {
  /// It writes one line, where the tests write theirs.
  @Test(arguments: [("--version", LocwatchSystem.ExitStatus.success), ("--no-such-option", .usage)])
  func `holds no signal when it has ended without a run`(
    argument: String, status: LocwatchSystem.ExitStatus
  ) {
    // The threads of the pool may block all signals.
    var (none, before, after) = (sigset_t(of: []), sigset_t(), sigset_t())
    pthread_sigmask(SIG_SETMASK, &none, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    let ended = Command.run(arguments: [Argument(argument)], environment: [:]) { _ in
      RecordedSession(lines: [])
    }
    pthread_sigmask(SIG_BLOCK, nil, &after)
    #expect(ended == status)
    let held = [SIGHUP, SIGINT, SIGTERM, SIGUSR1].filter {
      sigismember(&after, $0) == 1
    }
    #expect(held == [])
  }
}
