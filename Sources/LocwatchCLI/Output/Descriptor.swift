import Glibc

/// An open descriptor, and the one place that writes to any.
@safe final class Descriptor: Sendable {
  enum Kind: Sendable { case file, terminal, stream }

  static let standardOutput =
    nonBlockingStandardOutput ?? Descriptor(STDOUT_FILENO, path: "standard output")
  static let standardError = Descriptor(STDERR_FILENO, path: "standard error")

  let number: CInt
  let path: String
  let kind: Kind
  private let isOwned: Bool
  private let isNonBlocking: Bool
  /// A pipe that is ready takes so many without blocking: PIPE_BUF.
  private static let piece = 4096

  private init(
    _ number: CInt, path: String, isOwned: Bool = false, isNonBlocking: Bool = false
  ) {
    self.number = number
    self.path = path
    self.isOwned = isOwned
    self.isNonBlocking = isNonBlocking
    var status = stat()
    if isatty(number) == 1 {
      kind = .terminal
    } else if unsafe fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFREG {
      kind = .file
    } else {
      kind = .stream
    }
  }

  /// Makes sure that no file or connection opened later gets the number of a standard stream that
  /// the caller closed: gpsd would be sent our output. Using such a stream stays an error, EBADF.
  static func reserveStandardStreams() {
    for number in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(number, F_GETFD) < 0 {
      _ = unsafe open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }

  /// The terminal or the pipe that standard output is, opened anew: a write to it then never blocks,
  /// and nothing changes for the others that have it open. `nil` where it is neither, or is somebody
  /// else's.
  private static var nonBlockingStandardOutput: Descriptor? {
    guard isatty(STDOUT_FILENO) == 1 || isPipe(STDOUT_FILENO) else { return nil }
    let flags = O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC
    let number = unsafe open("/proc/self/fd/\(STDOUT_FILENO)", flags)
    guard number >= 0 else { return nil }
    return Descriptor(number, path: "standard output", isOwned: true, isNonBlocking: true)
  }

  private static func isPipe(_ number: CInt) -> Bool {
    var status = stat()
    return unsafe fstat(number, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
  }

  /// Opens a file to append to; it is created where it does not exist.
  convenience init(appendingTo path: String) throws(OutputError) {
    let number = unsafe open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
    guard number >= 0 else { throw .cannotCreate(path: path, reason: systemText(errno)) }
    self.init(number, path: path, isOwned: true)
  }

  deinit { if isOwned { _ = close(number) } }

  /// Where the next write goes in a file that can be written anywhere; `nil` for anything else.
  var positionInFile: Int? {
    guard kind == .file, fcntl(number, F_GETFL) & O_APPEND == 0 else { return nil }
    let offset = lseek(number, 0, SEEK_CUR)
    return offset >= 0 ? Int(offset) : nil
  }

  /// How large a terminal is; 80 by 24 where it does not say.
  var size: (columns: Int, rows: Int) {
    var size = winsize()
    guard unsafe ioctl(number, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0
    else { return (80, 24) }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// Whether the shell has given the terminal to this process.
  var isInForeground: Bool { tcgetpgrp(number) == getpgrp() }

  /// Whether a terminal is used line by line, not by a program that has the whole screen.
  var isInLineMode: Bool {
    var mode = termios()
    return unsafe tcgetattr(number, &mode) == 0 && mode.c_lflag & tcflag_t(ICANON) != 0
  }

  /// Says where the next one who writes to the file goes on.
  func move(to offset: Int) { _ = lseek(number, offset, SEEK_SET) }

  /// Cuts a file off.
  func truncate(to length: Int) { _ = ftruncate(number, length) }

  /// Cuts a record off of which a full disk took but a part: it is not to spoil the file.
  ///
  /// - Parameter written: What went into the file at its end.
  func cutTornRecord(of written: ArraySlice<UInt8>) {
    guard kind == .file else { return }
    truncate(to: length - written.reversed().prefix { $0 != UInt8(ascii: "\n") }.count)
  }

  /// How long a file is.
  var length: Int {
    var status = stat()
    return unsafe fstat(number, &status) == 0 ? Int(status.st_size) : 0
  }

  /// What a file begins with.
  func head(upTo count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(addingCapacity: count) { buffer in
      unsafe buffer.withUnsafeMutableBufferPointer { bytes, used in
        used = max(0, unsafe pread(number, bytes.baseAddress, bytes.count, 0))
      }
    }
    return bytes
  }

  /// The byte at a place of a file.
  func byte(at offset: Int) -> UInt8? {
    var byte: UInt8 = 0
    return unsafe pread(number, &byte, 1, offset) == 1 ? byte : nil
  }

  /// How a write went.
  enum Outcome { case wrote(Int), notNow, failed(OutputError) }

  /// Writes as much as goes at once.
  func write(_ bytes: ArraySlice<UInt8>) -> Outcome {
    let count = unsafe bytes.withUnsafeBytes {
      unsafe Glibc.write(number, $0.baseAddress, $0.count)
    }
    return outcome(count)
  }

  /// Writes as much as goes without waiting for a reader.
  func writeNow(_ bytes: ArraySlice<UInt8>) -> Outcome {
    if isNonBlocking || kind == .file { return write(bytes) }
    return isWritable() ? write(bytes.prefix(Self.piece)) : .notNow
  }

  /// Writes at a place of a file, without moving on.
  func write(_ bytes: ArraySlice<UInt8>, at offset: Int) -> Outcome {
    let count = unsafe bytes.withUnsafeBytes {
      unsafe pwrite(number, $0.baseAddress, $0.count, offset)
    }
    return outcome(count)
  }

  private func outcome(_ count: Int) -> Outcome {
    if count >= 0 { return .wrote(count) }
    switch errno {
    case EINTR, EAGAIN: return .notNow
    case EPIPE: return .failed(.closed)
    case let number: return .failed(.cannotWrite(path: path, reason: systemText(number)))
    }
  }

  /// Whether something can be written without waiting.
  ///
  /// - Parameter milliseconds: How long to wait for that.
  func isWritable(within milliseconds: CInt = 0) -> Bool {
    var waited = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
    return unsafe poll(&waited, 1, milliseconds) != 0
  }
}

/// What the system says of an error number.
func systemText(_ number: CInt) -> String { unsafe String(cString: strerror(number)) }
