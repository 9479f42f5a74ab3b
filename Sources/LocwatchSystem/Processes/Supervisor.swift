import CLinux
import Glibc
package import LocationCore

/// A child process that ends when its standard input is closed, which also happens at the end of this process.
///
/// It has its own process group, so that ^C reaches only this process, and so that its descendants
/// can be killed even if it has been killed. Its standard error is a pipe that never blocks: what
/// does not fit is lost.
package struct Supervisor: Sendable {
  /// How long to wait for the end of the child, and how often to check it.
  private static let patience = Duration.milliseconds(800)
  private static let interval = Duration.milliseconds(10)

  private let process: pid_t
  /// The other end of its standard input; `nil` if that is a socket of somebody else.
  private let input: CInt?
  private let errors: CInt

  /// - Parameter descriptors: The child's descriptors 3, 4 and so on.
  package init(
    _ arguments: [String], environment: [String], descriptors: [CInt]
  ) throws(LocationError) {
    guard let pipe = PipeDescriptors() else { throw .system(errno) }
    let null = unsafe open("/dev/null", O_WRONLY | O_CLOEXEC)
    defer { for end in [pipe.reading, null] { _ = close(end) } }
    do throws(LocationError) {
      (process, errors) = try Self.start(
        arguments, environment: environment, [pipe.reading, null], others: descriptors)
      input = pipe.writing
    } catch {
      _ = close(pipe.writing)
      throw error
    }
  }

  /// - Parameter stream: The child's standard input and output. The child has to end when the other end is closed.
  package init(
    _ arguments: [String], environment: [String], stream: Socket
  ) throws(LocationError) {
    let ends = [stream.descriptor, stream.descriptor]
    (process, errors) = try Self.start(arguments, environment: environment, ends, others: [])
    input = nil
  }

  /// - Parameters:
  ///   - standard: The child's standard input and output.
  ///   - others: Its descriptors 3, 4 and so on.
  /// - Returns: The child, and where its standard error is read.
  private static func start(
    _ arguments: [String], environment: [String], _ standard: [CInt], others: [CInt]
  ) throws(LocationError) -> (process: pid_t, errors: CInt) {
    guard let errors = PipeDescriptors(O_NONBLOCK) else { throw .system(errno) }
    defer { _ = close(errors.writing) }
    do throws(LocationError) {
      let descriptors = standard + [errors.writing] + others
      let process = try start(arguments, environment: environment, with: descriptors)
      return (process, errors.reading)
    } catch {
      _ = close(errors.reading)
      throw error
    }
  }

  /// - Parameter descriptors: Those of the child, from 0 on.
  private static func start(
    _ arguments: [String], environment: [String], with descriptors: [CInt]
  ) throws(LocationError) -> pid_t {
    // Copies with high numbers avoid overwriting one descriptor with another.
    let copies = descriptors.map { fcntl($0, F_DUPFD_CLOEXEC, 16) }
    defer { for copy in copies where copy >= 0 { _ = close(copy) } }
    guard copies.allSatisfy({ $0 >= 0 }) else { throw .system(EMFILE) }
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    for (index, copy) in copies.enumerated() {
      unsafe posix_spawn_file_actions_adddup2(&actions, copy, CInt(index))
    }
    // Nor what this process was given by who started it.
    _ = unsafe lw_spawn_close_from(&actions, CInt(copies.count))

    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    // The child must not inherit the signals that this process blocks and ignores.
    var (blocked, reset) = (sigset_t(of: []), sigset_t(of: [SIGPIPE, SIGXFSZ]))
    unsafe posix_spawnattr_setsigmask(&attributes, &blocked)
    unsafe posix_spawnattr_setsigdefault(&attributes, &reset)
    unsafe posix_spawnattr_setpgroup(&attributes, 0)
    unsafe posix_spawnattr_setflags(
      &attributes,
      Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))

    var process: pid_t = 0
    let code = unsafe withCStrings(arguments) { arguments in
      unsafe withCStrings(environment) { environment in
        unsafe posix_spawn(&process, arguments[0]!, &actions, &attributes, arguments, environment)
      }
    }
    guard code == 0 else { throw .system(code) }
    return process
  }

  /// The child and its descendants.
  package var group: ProcessGroup { ProcessGroup(process) }

  /// Whether the child has ended. It stays a zombie until ``end()``, so that its process and group IDs
  /// are not reused.
  package var hasEnded: Bool {
    var status = unsafe siginfo_t()
    let code = unsafe waitid(P_PID, id_t(process), &status, WEXITED | WNOHANG | WNOWAIT)
    return unsafe code != 0 || status.si_signo == SIGCHLD
  }

  /// Closes the child's input, waits for its end for up to 0.8 s, and kills what is left of its
  /// group.
  package func end() {
    closeInput()
    finish()
  }

  /// Kills the child and its descendants.
  package func kill() {
    closeInput()
    killRest()
  }

  /// Like ``end()``, but waits by a clock, so that other tasks can run meanwhile.
  package func end(by clock: LocationClock) async {
    closeInput()
    let limit = clock.now.advanced(by: Self.patience)
    while !Task.isCancelled, !hasEnded, clock.now < limit {
      try? await clock.sleep(until: clock.now.advanced(by: Self.interval))
    }
    if Task.isCancelled { finish() } else { killRest() }
  }

  private func closeInput() { if let input { _ = close(input) } }

  private func finish() {
    for _ in 0..<Int(Self.patience / Self.interval) where !hasEnded {
      usleep(useconds_t(Self.interval / .microseconds(1)))
    }
    killRest()
  }

  private func killRest() {
    _ = Glibc.kill(-process, SIGKILL)
    // A shell that was killed ends at once.
    _ = waitpid(process, nil, 0)
    // The pipe stays open until the child has ended, because writing to a closed pipe would kill
    // it.
    _ = close(errors)
  }

  /// Returns the last line that the child wrote to standard error since the last call; `nil` if
  /// there is none.
  package func takeLastError() -> String? { takeErrors().last }

  /// Returns the lines that the child wrote to standard error since the last call, as far as they are in its last
  /// 4 KiB.
  package func takeErrors() -> [String] {
    var tail: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 4096)
    // No more reads than a full pipe takes.
    for _ in 0..<16 {
      let count = unsafe read(errors, &piece, piece.count)
      guard count > 0 else { break }
      tail = Array((tail + piece[..<count]).suffix(piece.count))
    }
    return tail.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Calls `body` with a null-terminated array of C strings.
  private static func withCStrings<Result>(
    _ strings: [String],
    _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
  ) -> Result {
    var pointers = unsafe strings.map { unsafe strdup($0) }
    defer { unsafe pointers.forEach { unsafe free($0) } }
    unsafe pointers.append(nil)
    return unsafe pointers.withUnsafeBufferPointer { unsafe body($0.baseAddress!) }
  }
}
