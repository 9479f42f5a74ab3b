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

/// The dump of this process's memory that the system writes after a crash.
package enum CoreDump {
  /// Has the system write none, neither to a file nor to a program such as systemd-coredump.
  ///
  /// A limit of 0 would only prevent a file. With 1, the kernel runs no program either, and a file
  /// would be too short. See core(5) and `do_coredump` in Linux.
  package static func forbid() {
    let resource = __rlimit_resource_t(RLIMIT_CORE.rawValue)
    var limit = rlimit()
    guard unsafe getrlimit(resource, &limit) == 0 else { return }
    limit.rlim_cur = min(1, limit.rlim_max)
    _ = unsafe setrlimit(resource, &limit)
  }
}
