import Glibc
import Testing

@testable import LocwatchSystem

@Suite struct `Signals that are held` {
  @Test func `are let through by number, except those that were blocked before`() {
    var (blocked, before) = (sigset_t(of: [SIGUSR2]), sigset_t())
    // The threads of the pool may block all of them.
    pthread_sigmask(SIG_SETMASK, &blocked, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    func held() -> [CInt] {
      var set = sigset_t()
      pthread_sigmask(SIG_BLOCK, nil, &set)
      return [SIGHUP, SIGUSR1, SIGUSR2].filter { sigismember(&set, $0) == 1 }
    }
    let signals = HeldSignals([SIGHUP, SIGUSR1, SIGUSR2])
    #expect(held() == [SIGHUP, SIGUSR1, SIGUSR2])
    signals.release([SIGUSR1])
    #expect(held() == [SIGHUP, SIGUSR2])
    signals.release([SIGHUP, SIGUSR2])
    #expect(held() == [SIGUSR2])
  }
}
