#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The threads of this process but the current one, as Linux's /proc knows them.
enum OtherThreads {
  /// Whether one of them runs, or would run if a processor were free. On other systems, `false`.
  static var areRunning: Bool {
    #if os(Linux)
      guard let folder = unsafe opendir("/proc/self/task") else { return false }
      defer { unsafe closedir(folder) }
      // The current one is the first.
      var count = 0
      while let entry = unsafe readdir(folder) {
        let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
          unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        if isRunning(name) { count += 1 }
        if count > 1 { return true }
      }
    #endif
    return false
  }

  #if os(Linux)
    private static func isRunning(_ thread: String) -> Bool {
      let file = unsafe open("/proc/self/task/\(thread)/stat", O_RDONLY | O_CLOEXEC)
      guard file >= 0 else { return false }
      defer { close(file) }
      // The state follows the name, which is in parentheses and has 15 bytes at the most.
      let line = unsafe [UInt8](unsafeUninitializedCapacity: 64) { buffer, count in
        unsafe count = max(0, read(file, buffer.baseAddress, buffer.count))
      }
      guard let end = line.lastIndex(of: UInt8(ascii: ")")) else { return false }
      return line.dropFirst(end + 2).first == UInt8(ascii: "R")
    }
  #endif
}
