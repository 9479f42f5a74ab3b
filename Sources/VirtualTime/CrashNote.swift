#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// How to repeat the schedule of a world, which a crash of the process in one of its jobs writes to stderr.
///
/// A signal handler may neither allocate nor lock, so the text is always there. Only the thread of the world that runs
/// a job uses it.
@safe final class CrashNote: @unchecked Sendable {
  private static let capacity = 4000

  /// The text up to the schedule, and what follows it. Both end in a zero.
  private let text: UnsafeMutablePointer<CChar>
  private let end: UnsafeMutablePointer<CChar>
  private var count = 0
  /// The number of usual choices since the last unusual one.
  private var zeros = 0
  private var point = 0
  /// How long the text is before the schedule.
  private var start = 0
  private var isFull = false

  init(_ repetition: Repetition) {
    _ = CrashSignal.handlers
    unsafe text = .allocate(capacity: Self.capacity)
    unsafe end = strdup("\(repetition.after)\n")
    add(" To run it again: \(repetition.before.prefix(900))")
    start = count
  }

  deinit {
    unsafe text.deallocate()
    unsafe free(end)
  }

  /// Appends a choice.
  func append(_ place: Int) {
    guard place != 0 else {
      zeros += 1
      return
    }
    append((count == start ? "" : ".") + ScheduleText.words(of: place, after: zeros))
    zeros = 0
  }

  /// Appends what ran where a job could be interrupted.
  func appendInterruption(_ place: Int) {
    point += 1
    if place != 0 { append(ScheduleText.interruption(at: point, place: place)) }
  }

  /// Appends words. A schedule that does not fit ends in `…`.
  private func append(_ words: String) {
    guard !isFull else { return }
    isFull = count > Self.capacity - 64
    add(isFull ? "…" : words)
  }

  private func add(_ words: String) {
    unsafe strcpy(text + count, words)
    count += words.utf8.count
  }

  /// Writes what has happened, and the note, to stderr. A signal handler can do this.
  func report(_ event: StaticString) {
    _ = unsafe write(2, event.utf8Start, event.utf8CodeUnitCount)
    unsafe Self.put(text)
    unsafe Self.put(end)
  }

  private static func put(_ text: UnsafePointer<CChar>) { _ = unsafe write(2, text, strlen(text)) }
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
        World.current?.note.report("\nvirtual time: this test crashed.")
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
