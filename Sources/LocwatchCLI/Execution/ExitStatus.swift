/// What the command tells its caller at the end; the numbers of sysexits.h and of the shell.
package enum ExitStatus: Int32, Equatable, Sendable, CaseIterable {
  /// What was asked for was written, a replay ended, or nobody reads the output any more.
  case success = 0
  /// A fault of locwatch itself.
  case fault = 1
  case usage = 64
  /// The replay file is not gpsd JSON.
  case badData = 65
  /// The replay file or the serial device cannot be opened.
  case noInput = 66
  /// gpsd cannot be reached, never answered or went away, a private one could not be started, or there
  /// is no such receiver.
  case unavailable = 69
  case cannotCreate = 73
  case cannotWrite = 74
  /// The timeout passed without the wanted fix.
  case timedOut = 124
  case hangUp = 129
  case interrupted = 130
  case terminated = 143
}
