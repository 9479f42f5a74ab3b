#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The threads of this process but the current one, as Linux's /proc knows them, and how long each has
/// computed since they were watched.
struct OtherThreads {
  /// A thread that has computed for as long is none that a test waits for.
  private static let patience: Int64 = 20_000_000

  /// The processor times of threads when they were first seen to run, in nanoseconds.
  private var times: [Int32: Int64] = [:]

  /// Forgets how long the threads have computed.
  mutating func watchAgain() { times = [:] }

  /// Returns whether one of them runs, or would run if a processor or the disk were free, and has computed
  /// for less than 20 ms since they were watched. On systems other than Linux, `false`.
  mutating func areRunning() -> Bool {
    #if os(Linux)
      guard let folder = unsafe opendir("/proc/self/task") else { return false }
      defer { unsafe closedir(folder) }
      let current = Self.current
      var areRunning = false
      while let entry = unsafe readdir(folder) {
        let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
          unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        guard let thread = Int32(name), thread != current, Self.isRunning(thread) else { continue }
        let time = Self.processorTime(of: thread)
        let start = times[thread] ?? time
        times[thread] = start
        if time - start < Self.patience { areRunning = true }
      }
      return areRunning
    #else
      return false
    #endif
  }

  #if os(Linux)
    /// The number of the current thread.
    private static var current: Int32? {
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

    /// Returns the processor time that a thread has used, in nanoseconds.
    private static func processorTime(of thread: Int32) -> Int64 {
      // The clock of a thread, as pthread_getcpuclockid(3) computes it.
      let clock = clockid_t(~thread << 3 | 6)
      var time = timespec()
      guard unsafe clock_gettime(clock, &time) == 0 else { return 0 }
      return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
  #endif
}
