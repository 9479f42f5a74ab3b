import CLinux
import Foundation

/// What a program wrote until it ended.
///
/// Foundation's `Process` waits with select(2), which knows no descriptor from 1,024 on. In a run of all tests
/// there are more, and the end of a program would go unnoticed.
package struct ProgramOutput {
  /// What it wrote to its standard output.
  package var text: String
  /// What it wrote to its standard error.
  package var errors: String
  /// Its exit status; `nil` if a signal ended it.
  package var status: Int32?

  /// Runs a program, without input, until it ends.
  ///
  /// - Parameter program: A path, or a name in the `PATH`.
  package init(of program: String, _ arguments: [String]) throws {
    let (output, errors) = (try TemporaryFile([]), try TemporaryFile([]))
    var files = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&files)
    defer { posix_spawn_file_actions_destroy(&files) }
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, output.path, O_WRONLY, 0)
    posix_spawn_file_actions_addopen(&files, STDERR_FILENO, errors.path, O_WRONLY, 0)
    // Foundation opens files so that each program that is started meanwhile inherits them.
    lw_spawn_close_from(&files, STDERR_FILENO + 1)
    let words = ([program] + arguments).map { strdup($0) }
    defer { words.forEach { free($0) } }
    var process: pid_t = 0
    let failure = posix_spawnp(&process, program, &files, nil, words + [nil], environ)
    guard failure == 0 else {
      throw POSIXError(POSIXErrorCode(rawValue: failure) ?? .EINVAL)
    }
    var result: Int32 = 0
    while waitpid(process, &result, 0) < 0, errno == EINTR {}
    (text, self.errors) = (output.text, errors.text)
    status = result & 0x7F == 0 ? result >> 8 & 0xFF : nil
  }
}
