import Glibc

/// The number of descriptors that the process may have.
enum DescriptorLimit {
  /// Raises the soft limit, often 1,024, to the hard one. Each source takes one descriptor.
  static func raise() {
    var limit = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    limit.rlim_cur = limit.rlim_max
    _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }
}
