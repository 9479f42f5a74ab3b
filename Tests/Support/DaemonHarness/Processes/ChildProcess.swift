package import Glibc
package import SimulatedReceiver
import Synchronization

/// A program that a test runs. It is killed when the last reference to it goes.
package final class ChildProcess: Sendable {
  /// Where a standard stream of the program's leads to.
  package enum Stream: Hashable, Sendable {
    /// To the test: ``output`` and ``errors`` collect it, ``write(_:)`` feeds it.
    case pipe
    /// To a file or device: `/dev/null`, `/dev/full`.
    case file(String)
    case closed
  }

  package let identifier: pid_t
  /// What the program wrote on its standard output; on a terminal, all that it wrote there.
  package let output = CollectedOutput()
  /// What the program wrote on its standard error; empty on a terminal.
  package let errors = CollectedOutput()
  /// The terminal that the program runs on.
  let terminal: PseudoTerminal?
  private let watch: ProcessWatch
  private let input: Mutex<OwnedDescriptor?>

  /// Starts a program with its streams on pipes.
  ///
  /// - Parameters:
  ///   - program: A path, or a name to be found in PATH; see ``builtProduct(_:)``.
  ///   - environment: What differs from the test's own; `nil` takes a variable away.
  package init(
    _ program: String, _ arguments: [String] = [], environment: [String: String?] = [:],
    input: Stream = .file("/dev/null"), output: Stream = .pipe, errors: Stream = .pipe
  ) throws(SystemError) {
    var launch = Launch(program, arguments, environment: environment)
    let inputEnd = try launch.connect(STDIN_FILENO, to: input)
    let outputEnd = try launch.connect(STDOUT_FILENO, to: output)
    let errorsEnd = try launch.connect(STDERR_FILENO, to: errors)
    identifier = try launch.start()
    watch = ProcessWatch(identifier)
    terminal = nil
    self.input = Mutex(inputEnd)
    if let outputEnd { self.output.collect(from: outputEnd.number, of: outputEnd) }
    if let errorsEnd { self.errors.collect(from: errorsEnd.number, of: errorsEnd) }
  }

  /// Starts a program in its own session, on a terminal with this many rows and columns.
  package init(
    _ program: String, _ arguments: [String] = [], environment: [String: String?] = [:],
    rows: Int, columns: Int
  ) throws(SystemError) {
    let terminal = try PseudoTerminal(isRaw: false)
    terminal.resize(rows: rows, columns: columns)
    var launch = Launch(program, arguments, environment: environment)
    launch.connectAll(toTerminal: terminal.path)
    identifier = try launch.start()
    watch = ProcessWatch(identifier)
    self.terminal = terminal
    input = Mutex(nil)
    output.collect(from: terminal.descriptor, of: terminal)
  }

  deinit { watch.signal(SIGKILL) }

  /// How the program ended; `nil` while it runs.
  package var status: ExitStatus? { watch.status }

  /// Sends a signal. It does nothing once the program has ended.
  package func signal(_ number: CInt) { watch.signal(number) }

  /// Waits until the program has ended and all that it wrote has been read.
  package func waitForExit(timeout: Duration = .seconds(30)) async throws -> ExitStatus {
    try await waitFor("exit", timeout: timeout) {
      output.hasEnded && errors.hasEnded ? watch.status : nil
    }
  }

  /// Writes to the program's standard input, or types on its terminal.
  package func write(_ text: String) async throws { try await write(Array(text.utf8)) }

  /// Writes to the program's standard input, or types on its terminal.
  package func write(_ bytes: [UInt8]) async throws {
    if let terminal {
      try await BackgroundThread.run { _ = terminal.write(bytes) }
    } else if let input = input.withLock(\.self) {
      try await BackgroundThread.run { try input.write(bytes) }
    }
  }

  /// Ends the program's standard input.
  package func closeInput() {
    input.withLock { $0 = nil }
  }

  /// Changes the size of the program's terminal, and sends the program SIGWINCH.
  package func resize(rows: Int, columns: Int) {
    terminal?.resize(rows: rows, columns: columns)
  }

  /// The path of a program that this package builds.
  package static func builtProduct(_ name: String) -> String {
    // Tests run from the folder that the package's programs are built to.
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = max(0, readlink("/proc/self/exe", &buffer, buffer.count))
    let own = buffer[..<count].split(separator: CChar(47)).dropLast()
    let folder = own.map { String(decoding: $0.map(UInt8.init(bitPattern:)), as: UTF8.self) }
    return "/" + (folder + [name]).joined(separator: "/")
  }
}

extension OwnedDescriptor {
  fileprivate func write(_ bytes: [UInt8]) throws(SystemError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(number, $0.baseAddress, $0.count) }
      guard count >= 0 || errno == EINTR else { throw SystemError("write") }
      rest = rest.dropFirst(max(0, count))
    }
  }
}

extension PseudoTerminal {
  fileprivate func resize(rows: Int, columns: Int) {
    var size = winsize(
      ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(descriptor, UInt(TIOCSWINSZ), &size)
  }
}
