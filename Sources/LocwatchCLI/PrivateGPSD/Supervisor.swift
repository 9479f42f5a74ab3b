import GPSDLocation
import Glibc

/// A child process that ends by itself when its standard input does.
///
/// It has a process group of its own, so that a ^C is for us alone, and no output.
struct Supervisor: Sendable {
  private let process: pid_t
  private let pipe: CInt

  /// - Parameter descriptors: What the child gets as its descriptors 3, 4 and so on.
  init(
    _ arguments: [String], environment: [String], descriptors: [CInt]
  ) throws(GPSDError) {
    // Each may have a number that another one is to get.
    let copies = descriptors.map { fcntl($0, F_DUPFD_CLOEXEC, 16) }
    defer { for copy in copies where copy >= 0 { _ = close(copy) } }
    guard copies.allSatisfy({ $0 >= 0 }) else { throw .cannotStart(EMFILE) }
    var ends: [CInt] = [-1, -1]
    guard unsafe Glibc.pipe(&ends) == 0 else { throw .cannotStart(errno) }
    defer { _ = close(ends[0]) }
    _ = fcntl(ends[0], F_SETFD, FD_CLOEXEC)
    _ = fcntl(ends[1], F_SETFD, FD_CLOEXEC)
    pipe = ends[1]

    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO)
    for output in [STDOUT_FILENO, STDERR_FILENO] {
      unsafe posix_spawn_file_actions_addopen(&actions, output, "/dev/null", O_WRONLY, 0)
    }

    for (index, copy) in copies.enumerated() {
      unsafe posix_spawn_file_actions_adddup2(&actions, copy, CInt(3 + index))
    }

    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    // We block and ignore signals that a child expects.
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe posix_spawnattr_setsigmask(&attributes, &signals)
    for number in [SIGPIPE, SIGXFSZ] { unsafe sigaddset(&signals, number) }
    unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
    unsafe posix_spawnattr_setpgroup(&attributes, 0)
    unsafe posix_spawnattr_setflags(
      &attributes,
      Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))

    var process: pid_t = 0
    let code = unsafe Self.withCStrings(arguments) { arguments in
      unsafe Self.withCStrings(environment) { environment in
        unsafe posix_spawn(&process, arguments[0]!, &actions, &attributes, arguments, environment)
      }
    }
    self.process = process
    guard code == 0 else {
      _ = close(pipe)
      throw .cannotStart(code)
    }
  }

  /// Ends the child's input, and waits for its end as long as a person does not notice.
  func end() {
    _ = close(pipe)
    for _ in 0..<80 where waitpid(process, nil, WNOHANG) == 0 { usleep(10_000) }
  }

  /// Calls `body` with the strings as C wants a list of them: null-terminated, each and all.
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
