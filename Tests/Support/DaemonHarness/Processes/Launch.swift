import CLinux
import Glibc
import SimulatedReceiver

/// A program about to be started: its arguments, environment and streams.
struct Launch {
  private let program: String
  private let arguments: [String]
  private var variables: [String: String]
  private var isOnTerminal = false
  private var actions: [Action] = []

  private enum Action {
    case open(CInt, path: String)
    case duplicate(OwnedDescriptor, CInt)
    case close(CInt)
  }

  init(_ program: String, _ arguments: [String], environment: [String: String?]) {
    self.program = program
    self.arguments = arguments
    variables = Self.ownVariables
    for (name, value) in environment { variables[name] = value }
  }

  /// Gives the program one of its three streams.
  ///
  /// - Returns: The test's end, of a pipe.
  mutating func connect(
    _ number: CInt, to stream: ChildProcess.Stream
  ) throws(SystemError) -> OwnedDescriptor? {
    switch stream {
    case .file(let path):
      actions.append(.open(number, path: path))
      return nil
    case .closed:
      actions.append(.close(number))
      return nil
    case .pipe:
      let (reading, writing) = try Self.pipe()
      let isInput = number == STDIN_FILENO
      actions.append(.duplicate(isInput ? reading : writing, number))
      return isInput ? writing : reading
    }
  }

  mutating func connectAll(toTerminal path: String) {
    isOnTerminal = true
    // The first terminal that the leader of a session opens becomes the session's.
    actions = [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO].map { .open($0, path: path) }
  }

  func start() throws(SystemError) -> pid_t {
    var files = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&files)
    defer { posix_spawn_file_actions_destroy(&files) }
    for action in actions {
      switch action {
      case .open(let number, let path):
        let flags = number == STDIN_FILENO ? O_RDONLY : O_WRONLY | O_CREAT | O_TRUNC
        posix_spawn_file_actions_addopen(&files, number, path, flags, 0o644)
      case .duplicate(let descriptor, let number):
        posix_spawn_file_actions_adddup2(&files, descriptor.number, number)
      case .close(let number):
        posix_spawn_file_actions_addclose(&files, number)
      }
    }
    // Foundation opens files so that each program that is started meanwhile inherits them.
    lw_spawn_close_from(&files, STDERR_FILENO + 1)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // A thread's blocked signals, and a process' ignored ones, would be the program's too.
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    var flags = Int(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK)
    if isOnTerminal { flags |= spawnInSession }
    posix_spawnattr_setflags(&attributes, Int16(flags))

    var pid: pid_t = 0
    let status = withCStrings([program] + arguments) { argv in
      withCStrings(variables.map { "\($0)=\($1)" }) { envp in
        posix_spawnp(&pid, program, &files, &attributes, argv, envp)
      }
    }
    guard status == 0 else { throw SystemError("start \(program)", code: status) }
    return pid
  }

  /// - Returns: The reading and the writing end. A program that is started at the same time inherits neither:
  ///   the pipe would not end with the one that it is for.
  private static func pipe() throws(SystemError) -> (OwnedDescriptor, OwnedDescriptor) {
    var ends: [CInt] = [-1, -1]
    guard lw_pipe(&ends, O_CLOEXEC) == 0 else { throw SystemError("pipe") }
    return (OwnedDescriptor(owning: ends[0]), OwnedDescriptor(owning: ends[1]))
  }

  private static var ownVariables: [String: String] {
    var variables: [String: String] = [:]
    var entry = environ
    while let text = entry.pointee {
      let parts = String(cString: text).split(
        separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2 { variables[String(parts[0])] = String(parts[1]) }
      entry += 1
    }
    return variables
  }
}

/// POSIX_SPAWN_SETSID, which the header hides from Swift.
private let spawnInSession = 0x80

private func withCStrings<Value>(
  _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Value
) -> Value {
  let copies = strings.map { strdup($0) }
  defer { for copy in copies { free(copy) } }
  return body(copies + [nil])
}
