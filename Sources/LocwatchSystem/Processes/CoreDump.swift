import Glibc

/// The dump of this process's memory that the system writes after a crash.
package enum CoreDump {
  /// Has the system write none, neither to a file nor to a program such as systemd-coredump.
  ///
  /// A limit of 0 would keep it from a file alone. With 1, the kernel runs no program either, and a file
  /// would be too short. See core(5) and `do_coredump` in Linux.
  package static func forbid() {
    let resource = __rlimit_resource_t(RLIMIT_CORE.rawValue)
    var limit = rlimit()
    guard unsafe getrlimit(resource, &limit) == 0 else { return }
    limit.rlim_cur = min(1, limit.rlim_max)
    _ = unsafe setrlimit(resource, &limit)
  }
}
