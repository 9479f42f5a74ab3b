import Glibc

/// Does something on this thread without the signal that a write to a closed pipe sends. The command
/// ignores it, but to ignore it here would change the whole process of the tests.
func withoutPipeSignal<Result>(_ body: () -> Result) -> Result {
  var (signals, before) = (sigset_t(), sigset_t())
  sigemptyset(&signals)
  sigaddset(&signals, SIGPIPE)
  pthread_sigmask(SIG_BLOCK, &signals, &before)
  defer {
    // One that was sent meanwhile would arrive when it is no longer blocked.
    var instant = timespec()
    _ = sigtimedwait(&signals, nil, &instant)
    pthread_sigmask(SIG_SETMASK, &before, nil)
  }
  return body()
}
