#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The text of the schedule that a thread runs, which a crash of the process writes to stderr.
///
/// A signal handler may neither allocate nor lock, so the text is always there. Only the thread of its world uses it.
@safe final class CrashNote: @unchecked Sendable {
  private static let capacity = 4000
  private static let headSize = MemoryLayout<Int>.size
  /// Where each thread keeps the note of the world whose job it runs.
  private static let key = newThreadKey()

  /// The number of bytes of the text, and then the text.
  private let memory: UnsafeMutableRawPointer

  init() {
    _ = CrashSignal.handlers
    unsafe memory = .allocate(byteCount: Self.headSize + Self.capacity, alignment: Self.headSize)
    unsafe memory.storeBytes(of: 0, as: Int.self)
  }

  deinit { unsafe memory.deallocate() }

  /// Makes a note that of the current thread.
  static func enter(_ note: CrashNote?) { unsafe pthread_setspecific(key, note?.memory) }

  /// Appends a choice. A schedule that does not fit ends in `…`.
  func append(_ place: Int) {
    let count = unsafe memory.load(as: Int.self)
    guard count < Self.capacity - 24 else {
      if count < Self.capacity - 3 { write("…", at: Self.capacity - 3) }
      return
    }
    write(count == 0 ? "\(place)" : ".\(place)", at: count)
  }

  private func write(_ text: String, at place: Int) {
    var end = place
    for byte in text.utf8 {
      unsafe memory.storeBytes(of: byte, toByteOffset: Self.headSize + end, as: UInt8.self)
      end += 1
    }
    unsafe memory.storeBytes(of: end, as: Int.self)
  }

  /// Writes the note of the current thread to stderr, in a signal handler.
  fileprivate static func report() {
    guard let memory = unsafe pthread_getspecific(key) else { return }
    write("\nvirtual time: this test crashed under schedule \"")
    unsafe write(memory + headSize, memory.load(as: Int.self))
    write("\": 'withVirtualTime(schedule:)' runs it again.\n")
  }

  private static func write(_ text: StaticString) {
    unsafe write(text.utf8Start, text.utf8CodeUnitCount)
  }

  private static func write(_ bytes: UnsafeRawPointer, _ count: Int) {
    #if canImport(Glibc)
      _ = unsafe Glibc.write(2, bytes, count)
    #elseif canImport(Musl)
      _ = unsafe Musl.write(2, bytes, count)
    #elseif canImport(Darwin)
      _ = unsafe Darwin.write(2, bytes, count)
    #endif
  }
}

/// The signals of a crash.
private enum CrashSignal {
  private static let numbers = [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV]
  /// The former action of each signal, by its number. It is written once, before the handler of a signal can run.
  nonisolated(unsafe) private static let former: UnsafeMutablePointer<sigaction> =
    .allocate(capacity: 32)

  /// Installs the handlers, once. They do their work and leave the signal to those that were there before.
  static let handlers: Void = {
    for number in numbers {
      var action = sigaction()
      let handle: @convention(c) (CInt) -> Void = { number in
        CrashNote.report()
        // A fault occurs again when the handler returns; another signal has to be raised again.
        unsafe sigaction(number, former + Int(number), nil)
        if number == SIGABRT { raise(number) }
      }
      #if canImport(Glibc)
        unsafe action.__sigaction_handler.sa_handler = handle
      #elseif canImport(Musl)
        unsafe action.__sa_handler.sa_handler = handle
      #elseif canImport(Darwin)
        unsafe action.__sigaction_u.__sa_handler = handle
      #endif
      action.sa_flags = CInt(bitPattern: UInt32(SA_ONSTACK))
      unsafe (former + Int(number)).initialize(to: sigaction())
      unsafe sigaction(number, &action, former + Int(number))
    }
  }()
}
