import Glibc

/// The limit of the stack, as `ulimit -s` sets it. It applies to the first thread, and as the size of a stack to
/// all others. Beyond it, the system ends the process without a word.
package enum StackLimit {
  /// In bytes, with which everything has been tried.
  static let minimum = 256 * 1024

  /// Returns why the program cannot run with a limit, in bytes; `nil` if it can.
  package static func obstacle(_ limit: UInt) -> String? {
    guard limit < minimum else { return nil }
    return "the stack is limited to \(limit / 1024) KiB, and locwatch needs \(minimum / 1024): "
      + "'ulimit -s \(minimum / 1024)'"
  }

  /// The limit of this process, in bytes.
  package static var current: UInt {
    var limit = rlimit()
    let code = unsafe getrlimit(__rlimit_resource_t(RLIMIT_STACK.rawValue), &limit)
    return code == 0 ? UInt(limit.rlim_cur) : .max
  }
}
