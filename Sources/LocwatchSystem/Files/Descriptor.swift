package import Glibc
package import LocationCore

/// An open file descriptor. All output goes through this type.
@safe package final class Descriptor: Sendable {
  package enum Kind: Sendable { case file, terminal, stream }

  package static let standardOutput =
    nonBlockingStandardOutput ?? Descriptor(STDOUT_FILENO, path: "standard output")
  /// The mode of a new file, which only its owner can read: positions are private. An existing file keeps its mode.
  package static let ownMode: mode_t = 0o600

  package static let standardError = Descriptor(STDERR_FILENO, path: "standard error")

  package let number: CInt
  package let path: String
  package let kind: Kind
  /// Whether the file has old contents, which a ``RecordWriter`` replaces.
  let hasOldContents: Bool
  private let isOwned: Bool
  private let isNonBlocking: Bool
  /// Whether it is a file that had a name when it was opened.
  private let isNamed: Bool
  /// The number of /dev/null, which takes any number of bytes without blocking.
  private static let nullDevice: dev_t = 0x103
  /// PIPE_BUF: a pipe that is ready takes this many bytes without blocking.
  private static let maximumPiece = 4096

  /// - Parameter isNew: Whether locwatch created the file, which may be removed before this.
  package init(
    _ number: CInt, path: String, isOwned: Bool = false, isNonBlocking: Bool = false,
    isNew: Bool = false, hasOldContents: Bool = false
  ) {
    self.number = number
    self.path = path
    self.isOwned = isOwned
    self.hasOldContents = hasOldContents
    var status = stat()
    if isatty(number) == 1 {
      kind = .terminal
    } else if unsafe fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFREG {
      kind = .file
    } else {
      kind = .stream
    }
    isNamed = kind == .file && (isNew || status.st_nlink > 0)
    let isNullDevice = status.st_mode & S_IFMT == S_IFCHR && status.st_rdev == Self.nullDevice
    self.isNonBlocking = isNonBlocking || isNullDevice
  }

  /// Opens standard streams that the caller closed. Otherwise a connection could get such a number,
  /// and gpsd would receive the output. Using such a stream is still an error, EBADF.
  package static func reserveStandardStreams() {
    for number in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(number, F_GETFD) < 0 {
      _ = unsafe open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }

  /// Raises the soft limit of descriptors, often 1,024, to the hard one. Each source takes one.
  package static func raiseLimit() {
    var limit = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    limit.rlim_cur = limit.rlim_max
    _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }

  /// Standard output, opened again in non-blocking mode, which does not affect other processes that
  /// share it; `nil` if it is neither a terminal nor a pipe, or belongs to another user.
  private static var nonBlockingStandardOutput: Descriptor? {
    guard isatty(STDOUT_FILENO) == 1 || isPipe(STDOUT_FILENO) else { return nil }
    let flags = O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC
    let number = unsafe open("/proc/self/fd/1", flags)
    guard number >= 0 else { return nil }
    return Descriptor(number, path: "standard output", isOwned: true, isNonBlocking: true)
  }

  private static func isPipe(_ number: CInt) -> Bool {
    var status = stat()
    return unsafe fstat(number, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
  }

  /// Another descriptor of the same connection, so that it can be waited for in two ways; `nil` if it is none.
  /// A peer that refuses a datagram may take the next one.
  package var connectionCopy: Descriptor? {
    var type: CInt = 0
    var size = socklen_t(MemoryLayout<CInt>.size)
    guard unsafe getsockopt(number, SOL_SOCKET, SO_TYPE, &type, &size) == 0,
      type != CInt(SOCK_DGRAM.rawValue)
    else { return nil }
    let copy = fcntl(number, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
    return copy < 0 ? nil : Descriptor(copy, path: path, isOwned: true)
  }

  /// Opens a file for appending, creating it if it does not exist.
  ///
  /// - Throws: ``OutputError/noReader(path:)`` for a named pipe that nobody has opened for reading.
  package convenience init(appendingTo path: FilePath) throws(OutputError) {
    let name = path.description
    let kind = path.fileType
    let isStream = ![0, S_IFREG].contains(kind)
    var number: CInt = -1
    // A pipe is never opened for reading, because it would then always have a reader, and the end of
    // the others would go unnoticed.
    if kind == S_IFREG { number = Self.openFile(path, O_RDWR | O_APPEND) }
    if number < 0 {
      let wait = isStream ? O_NONBLOCK : 0
      number = Self.openFile(path, O_WRONLY | O_CREAT | O_APPEND | wait)
    }
    guard number >= 0 else {
      throw errno == ENXIO
        ? .noReader(path: name) : .cannotCreate(path: name, reason: systemText(errno))
    }
    self.init(number, path: name, isOwned: true, isNonBlocking: isStream)
  }

  /// Opens a file for writing from its beginning, creating it if it does not exist. Its contents remain until a
  /// ``RecordWriter`` has something to write, because the run may fail before.
  ///
  /// - Throws: ``OutputError/noReader(path:)`` for a named pipe that nobody has opened for reading;
  ///   ``OutputError/inUse(path:)`` for a file to which another run writes.
  package convenience init(replacing path: FilePath) throws(OutputError) {
    let isStream = ![0, S_IFREG].contains(path.fileType)
    let wait = isStream ? O_NONBLOCK : 0
    let number = Self.openFile(path, O_WRONLY | O_CREAT | wait)
    let name = path.description
    guard number >= 0 else {
      throw errno == ENXIO
        ? .noReader(path: name) : .cannotCreate(path: name, reason: systemText(errno))
    }
    self.init(
      number, path: name, isOwned: true, isNonBlocking: isStream, hasOldContents: !isStream)
    if kind == .file, !lock() { throw .inUse(path: name) }
  }

  /// Creates a file; `nil` if there is one of that name.
  ///
  /// - Parameter appends: Whether each write is at its end. A document in such a file cannot be kept closed.
  package convenience init?(creating path: FilePath, appends: Bool) throws(OutputError) {
    let number = Self.openFile(path, O_WRONLY | O_CREAT | O_EXCL | (appends ? O_APPEND : 0))
    let error = errno
    let name = path.description
    guard number >= 0 else {
      if error == EEXIST { return nil }
      throw .cannotCreate(path: name, reason: systemText(error))
    }
    self.init(number, path: name, isOwned: true, isNew: true)
  }

  /// Creates a file that replaces another one later. Until it has taken the mode of that file, nobody
  /// else can open it.
  ///
  /// - Parameters:
  ///   - name: The path of the other file in messages.
  ///   - mode: The mode of the new file if there is no other.
  /// - Returns: `nil` if there is a file of this name, which is left unchanged.
  package convenience init?(
    creating path: FilePath, inPlaceOf other: FilePath, named name: String,
    mode: mode_t = Descriptor.ownMode
  ) throws(OutputError) {
    let old = other.status
    let number = Self.openFile(
      path, O_WRONLY | O_CREAT | O_EXCL, mode: old == nil ? mode : Self.ownMode)
    guard number >= 0 else {
      if errno == EEXIST { return nil }
      throw .cannotCreate(path: name, reason: systemText(errno))
    }
    self.init(number, path: name, isOwned: true, isNew: true)
    guard let old else { return }
    // Only root may give a file away, and its owner only to a group of its own. The mode comes last,
    // because another owner clears part of it.
    if fchown(number, old.st_uid, old.st_gid) != 0 { _ = fchown(number, .max, old.st_gid) }
    _ = fchmod(number, old.st_mode & 0o7777)
  }

  /// Sets the mode of a new file to that of another one.
  package func takeMode(of other: Descriptor) {
    var status = stat()
    if unsafe fstat(other.number, &status) == 0 { _ = fchmod(number, status.st_mode & 0o7777) }
  }

  private static func openFile(_ path: FilePath, _ flags: CInt, mode: mode_t = ownMode) -> CInt {
    unsafe path.withCString { unsafe open($0, flags | O_CLOEXEC | O_NOCTTY, mode) }
  }

  deinit {
    guard isOwned else { return }
    // A process that is being started may have a copy of the descriptor, and with it the lock.
    if kind == .file { _ = number.setLock(F_UNLCK) }
    _ = close(number)
  }

  /// The position of the next write in a seekable file; `nil` for anything else.
  var positionInFile: Int? {
    guard kind == .file, fcntl(number, F_GETFL) & O_APPEND == 0 else { return nil }
    return currentPosition
  }

  /// The size of the terminal; 80 by 24 if it is unknown.
  package var size: (columns: Int, rows: Int) {
    var size = winsize()
    guard unsafe ioctl(number, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0
    else { return (80, 24) }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// Whether the process has a controlling terminal.
  package static var hasTerminal: Bool {
    let terminal = unsafe open("/dev/tty", O_RDONLY | O_CLOEXEC | O_NOCTTY)
    guard terminal >= 0 else { return false }
    _ = close(terminal)
    return true
  }

  /// Whether this process is in the terminal's foreground; `true` for anything else.
  package var isInForeground: Bool { kind != .terminal || tcgetpgrp(number) == getpgrp() }

  /// Whether the terminal is the one that controls this process.
  package var isOfThisSession: Bool { tcgetpgrp(number) >= 0 }

  /// Whether the terminal is in line mode, which a full-screen program turns off.
  package var isInLineMode: Bool {
    var mode = termios()
    return unsafe tcgetattr(number, &mode) == 0 && mode.c_lflag & tcflag_t(ICANON) != 0
  }

  /// The position of the next write, or the end of the last one in a file that is appended to; `nil`
  /// for anything that has none.
  var currentPosition: Int? {
    let offset = lseek(number, 0, SEEK_CUR)
    return offset >= 0 ? Int(offset) : nil
  }

  /// Sets the position of the next write, which other processes may share.
  package func move(to offset: Int) { _ = lseek(number, offset, SEEK_SET) }

  /// Ends the file at an offset, where the next write goes. Returns `false` if that is not permitted.
  package func end(at offset: Int) -> Bool {
    guard ftruncate(number, offset) == 0 else { return false }
    move(to: offset)
    return true
  }

  /// The length of the file.
  package var length: Int {
    var status = stat()
    return unsafe fstat(number, &status) == 0 ? Int(status.st_size) : 0
  }

  /// Whether writes are appended to what the file already holds.
  package var continuesFile: Bool {
    kind == .file && fcntl(number, F_GETFL) & O_APPEND != 0 && length > 0
  }

  /// Whether it is a file that was removed since it was opened, so that nobody can read what is written.
  package var isRemoved: Bool {
    guard isNamed else { return false }
    var status = stat()
    return unsafe fstat(number, &status) == 0 && status.st_nlink == 0
  }

  /// Returns the first bytes of the file; none if it may not be read.
  package func head(upTo count: Int) -> [UInt8] { bytes(from: 0, upTo: count) }

  /// Returns the last bytes of the file; none if it may not be read.
  package func tail(upTo count: Int) -> [UInt8] { bytes(from: max(0, length - count), upTo: count) }

  private func bytes(from offset: Int, upTo count: Int) -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, used in
      used = max(0, unsafe pread(number, buffer.baseAddress, buffer.count, offset))
    }
  }

  /// The outcome of a write.
  package enum Outcome { case wrote(Int), notNow, failed(OutputError) }

  /// Writes as many bytes as one call takes.
  package func write(_ bytes: ArraySlice<UInt8>) -> Outcome {
    let count = unsafe bytes.withUnsafeBytes {
      unsafe Glibc.write(number, $0.baseAddress, $0.count)
    }
    return outcome(count)
  }

  /// Writes as many bytes as possible without waiting for the reader.
  package func writeNow(_ bytes: ArraySlice<UInt8>) -> Outcome {
    if isNonBlocking || kind == .file { return write(bytes) }
    return isWritable() ? write(bytes.prefix(Self.maximumPiece)) : .notNow
  }

  /// Writes at a position in the file, without changing the current position.
  package func write(_ bytes: ArraySlice<UInt8>, at offset: Int) -> Outcome {
    let count = unsafe bytes.withUnsafeBytes {
      unsafe pwrite(number, $0.baseAddress, $0.count, offset)
    }
    return outcome(count)
  }

  /// Writes all bytes to a file. Returns `false` if that fails.
  func writeAll(_ bytes: [UInt8]) -> Bool { writeWhole(bytes[...]) == nil }

  /// Writes all bytes to a file. Returns the error; `nil` if there is none.
  package func writeWhole(_ bytes: ArraySlice<UInt8>) -> OutputError? {
    var rest = bytes
    while !rest.isEmpty {
      switch write(rest) {
      case .wrote(let count): rest = rest.dropFirst(count)
      case .notNow: continue
      case .failed(let error): return error
      }
    }
    return nil
  }

  private func outcome(_ count: Int) -> Outcome {
    if count >= 0 { return .wrote(count) }
    switch errno {
    case EINTR, EAGAIN: return .notNow
    // An earlier datagram had no receiver at its port. This one has not been sent yet.
    case ECONNREFUSED: return .notNow
    case let number: return .failed(error(number))
    }
  }

  /// Returns what an error of the system means for a write.
  package func error(_ number: CInt) -> OutputError {
    // A connection whose peer closes it with bytes unread is reset, and one whose peer vanishes times out. A disk
    // on the network can have the same errors.
    let isGone =
      kind == .stream && [ECONNRESET, ETIMEDOUT, EHOSTUNREACH].contains(number) || number == EPIPE
    return isGone ? .closed : .cannotWrite(path: path, reason: systemText(number))
  }

  /// Whether nobody can read what is written any more.
  package var isAbandoned: Bool {
    Readiness.isReady(number, for: 0)
  }

  /// Returns whether a write is possible without waiting.
  ///
  /// - Parameter milliseconds: How long to wait for this.
  package func isWritable(within milliseconds: CInt = 0) -> Bool {
    Readiness.isReady(number, for: POLLOUT, within: milliseconds)
  }
}

// Files that others have to see as being written, and that have to survive a power failure.
extension Descriptor {
  /// Marks the file as being written, until it is closed. Only a process that may write to it can do that.
  ///
  /// - Returns: `false` if another process writes to it, or is about to compress or to remove it.
  package func lock() -> Bool { number.setLock(F_WRLCK) || errno != EAGAIN }

  /// Marks the file as finished, and closes it. Nothing can be written any more.
  package func unlock() {
    _ = number.setLock(F_UNLCK)
    // The number stays valid until the last user of it is gone.
    let nothing = unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
    guard nothing >= 0 else { return }
    if dup2(nothing, number) >= 0 { _ = fcntl(number, F_SETFD, FD_CLOEXEC) }
    _ = close(nothing)
  }

  /// Waits until the disk has the contents of the file.
  package func synchronizeData() throws(OutputError) { try check(fdatasync(number)) }

  /// Waits until the disk has the file, with its size and times.
  package func synchronize() throws(OutputError) { try check(fsync(number)) }

  private func check(_ code: CInt) throws(OutputError) {
    // What has no disk cannot lose anything there.
    guard code == 0 || errno == EINVAL else {
      throw .cannotWrite(path: path, reason: systemText(errno))
    }
  }

  /// Sets the time of the last change.
  package func setModified(_ time: timespec) {
    _ = unsafe futimens(number, [time, time])
  }
}

extension FilePath {
  /// Waits until the disk has the names of the files in the folder.
  package func syncFolder() {
    let number = unsafe withCString { unsafe open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard number >= 0 else { return }
    _ = fsync(number)
    _ = close(number)
  }
}

extension CInt {
  /// `F_OFD_SETLK`, which Glibc declares for other standards than Swift's.
  private static let setOpenFileLock: CInt = 37

  /// Sets the lock of an open file, which lasts until the last of its descriptors is closed. Returns `false` if that is
  /// not possible.
  ///
  /// One that is to write needs a file that is open for writing, and one to read a file that is open for
  /// reading.
  package func setLock(_ kind: CInt) -> Bool {
    var lock = flock()
    lock.l_type = Int16(kind)
    lock.l_whence = Int16(SEEK_SET)
    return unsafe fcntl(self, Self.setOpenFileLock, &lock) == 0
  }
}
