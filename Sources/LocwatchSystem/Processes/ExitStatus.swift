/// The exit status of the command, with the numbers of sysexits.h and of the shell.
package enum ExitStatus: Int32, Equatable, Sendable, CaseIterable {
  /// The requested output was written, a replay ended, or the reader of the output closed it.
  case success = 0
  /// An internal error in locwatch; or ``wrong``.
  case fault = 1
  /// Something may be wrong, by `--doctor`.
  case doubt = 2
  case usage = 64
  /// The replay file is not gpsd JSON, or has nothing of a receiver.
  case badData = 65
  /// The replay file or the serial device cannot be opened.
  case noInput = 66
  /// gpsd cannot be reached or started, never answered or went away, or it does not serve the
  /// receiver. What it reported of a log may be incomplete.
  case unavailable = 69
  case cannotCreate = 73
  case cannotWrite = 74
  /// The timeout passed without a suitable fix.
  case timedOut = 124
  case hangUp = 129
  case interrupted = 130
  case terminated = 143

  /// Something is wrong, by `--doctor`.
  package static let wrong = fault
}
