import Glibc

/// What to say at a crash, or where a round takes so long that something hangs: its seed, with which
/// it happens again.
enum LastWords {
  /// A round takes a fraction of a second.
  private static let maximumRound: UInt32 = 60

  // Written before each round, by the one thread that runs them, and read by a signal's handler,
  // which can take no lock.
  nonisolated(unsafe) private static var words: [UInt8] = []

  static func prepare() {
    for number in [SIGALRM, SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGABRT] {
      signal(number) { number in
        _ = write(STDERR_FILENO, LastWords.words, LastWords.words.count)
        signal(number, SIG_DFL)
        raise(number)
      }
    }
  }

  static func note(seed: UInt64) {
    words = Array("fuzz: crashed or hung in round \(seed): fuzz --seed \(seed)\n".utf8)
    alarm(maximumRound)
  }
}
