#if os(Linux)
  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  /// The threads of this process but the current one, as /proc knows them.
  struct OtherThreads {
    private let current = Self.current

    /// Returns those that run, or would run if a processor or the disk were free, with the processor time that each
    /// has used, in nanoseconds.
    func running() -> [Int32: Int64] {
      guard let folder = unsafe opendir("/proc/self/task") else { return [:] }
      defer { unsafe closedir(folder) }
      var running: [Int32: Int64] = [:]
      while let entry = unsafe readdir(folder) {
        let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
          unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        guard let thread = Int32(name), thread != current, Self.isRunning(thread) else { continue }
        running[thread] = Self.processorTime(of: thread)
      }
      return running
    }

    /// How often they have stopped to run.
    var switches: Int {
      var (all, own) = (rusage(), rusage())
      // RUSAGE_SELF and RUSAGE_THREAD: Swift does not import both.
      unsafe getrusage(0, &all)
      unsafe getrusage(1, &own)
      return Self.switches(all) - Self.switches(own)
    }

    /// Returns how often something stopped to run, of its own accord or because its time was over.
    static func switches(_ usage: rusage) -> Int { usage.ru_nvcsw + usage.ru_nivcsw }

    /// The number of the current thread.
    static var current: Int32? {
      // Such as 4711/task/4712.
      let path = unsafe [UInt8](unsafeUninitializedCapacity: 64) { buffer, count in
        let size = unsafe buffer.withMemoryRebound(to: CChar.self) { text in
          unsafe text.baseAddress.map { unsafe readlink("/proc/thread-self", $0, text.count) } ?? 0
        }
        count = max(0, size)
      }
      return path.split(separator: UInt8(ascii: "/")).last
        .flatMap { Int32(String(decoding: $0, as: UTF8.self)) }
    }

    private static func isRunning(_ thread: Int32) -> Bool {
      let file = unsafe open("/proc/self/task/\(thread)/stat", O_RDONLY | O_CLOEXEC)
      guard file >= 0 else { return false }
      defer { close(file) }
      // The state follows the name, which is in parentheses and has 15 bytes at the most.
      let line = unsafe [UInt8](unsafeUninitializedCapacity: 64) { buffer, count in
        unsafe count = max(0, read(file, buffer.baseAddress, buffer.count))
      }
      guard let end = line.lastIndex(of: UInt8(ascii: ")")) else { return false }
      let state = line.dropFirst(end + 2).first
      // D: it waits for the disk, such as for a page of the program.
      return state == UInt8(ascii: "R") || state == UInt8(ascii: "D")
    }

    private static func processorTime(of thread: Int32) -> Int64 {
      // The clock of a thread, as pthread_getcpuclockid(3) computes it.
      let clock = clockid_t(~thread << 3 | 6)
      var time = timespec()
      guard unsafe clock_gettime(clock, &time) == 0 else { return 0 }
      return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
  }
#endif
