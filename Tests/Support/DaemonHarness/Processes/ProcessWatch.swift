import Glibc
import Synchronization

/// Waits for a program's end, and sends it signals until then.
final class ProcessWatch: Sendable {
  private let identifier: pid_t
  private let ending = Mutex<ExitStatus?>(nil)

  init(_ identifier: pid_t) {
    self.identifier = identifier
    BackgroundThread.start { [self] in
      // It stays a zombie, so that no other process gets its number while a signal is sent.
      var information = siginfo_t()
      while waitid(P_PID, id_t(identifier), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
      ending.withLock { ending in
        var status: CInt = 0
        waitpid(identifier, &status, 0)
        ending = ExitStatus(waitStatus: status)
      }
    }
  }

  /// `nil` while the program runs.
  var status: ExitStatus? { ending.withLock(\.self) }

  /// Does nothing after the program's end.
  func signal(_ number: CInt) {
    ending.withLock { ending in
      if ending == nil { kill(identifier, number) }
    }
  }
}
