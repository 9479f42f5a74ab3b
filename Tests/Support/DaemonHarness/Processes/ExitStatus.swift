/// How a program ended.
package enum ExitStatus: Hashable, Sendable {
  case exited(CInt)
  case signalled(CInt)

  /// - Parameter status: What `waitpid` gives for a program that has ended.
  init(waitStatus status: CInt) {
    let signal = status & 0x7f
    self = signal == 0 ? .exited((status >> 8) & 0xff) : .signalled(signal)
  }
}
