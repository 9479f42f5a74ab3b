import Glibc

/// Signals that wait from the start of the process until it is known what a run does about them.
///
/// By default, each of them would end the process, and a supervisor may send one as soon as it has
/// started locwatch.
package struct HeldSignals {
  private let before: sigset_t

  /// Blocks the signals in this thread and in those it starts from now on.
  package init(_ numbers: [CInt]) {
    var (held, before) = (sigset_t(of: numbers), sigset_t())
    unsafe pthread_sigmask(SIG_BLOCK, &held, &before)
    self.before = before
  }

  /// Lets signals through that were not blocked before. Those that have come meanwhile arrive now.
  package func release(_ numbers: [CInt]) {
    var before = before
    var released = sigset_t(of: numbers.filter { unsafe sigismember(&before, $0) == 0 })
    unsafe pthread_sigmask(SIG_UNBLOCK, &released, nil)
  }
}
