import Fuzzing
import Glibc

/// What to say at a crash, or where a round takes so long that something hangs: its target and seed,
/// with which it happens again.
enum LastWords {
  /// The seconds of processor time that a round may take: it takes a fraction of one.
  private static let maximumWork = 60
  /// The seconds that a round may take on a machine with other work to do.
  private static let maximumRound: UInt32 = 1800

  // Both are written by the one thread that runs the rounds, and read by a signal's handler, which can
  // take no lock.
  nonisolated(unsafe) private static var words: [UInt8] = []
  /// What the runtime does at each signal: it can print a backtrace.
  nonisolated(unsafe) private static var before: [Glibc.sigaction] = []

  static func prepare() {
    before = Array(repeating: Glibc.sigaction(), count: 65)
    for number in [SIGALRM, SIGPROF, SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGABRT] {
      var action = Glibc.sigaction()
      action.__sigaction_handler.sa_handler = { number in
        _ = write(STDERR_FILENO, LastWords.words, LastWords.words.count)
        sigaction(number, &LastWords.before[Int(number)], nil)
        // All others happen again where they happened.
        if [SIGALRM, SIGPROF].contains(number) { raise(number) }
      }
      sigaction(number, &action, &before[Int(number)])
    }
  }

  static func record(_ target: FuzzTargetName, seed: UInt64) {
    words = Array("fuzz: crashed or hung: \(command(for: target, seed: seed))\n".utf8)
    alarm(maximumRound)
    var limit = itimerval()
    limit.it_value.tv_sec = maximumWork
    setitimer(__itimer_which_t(ITIMER_PROF.rawValue), &limit, nil)
  }

  /// What repeats a round.
  static func command(for target: FuzzTargetName, seed: UInt64) -> String {
    "fuzz --target \(target.rawValue) --seed \(seed) --rounds 1"
  }
}
