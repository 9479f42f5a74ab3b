import LocationCore
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A file that contains a recording.
///
/// It is open at first, and is opened again for the first read after ``release()``, so that a recording
/// can have more files than a process can have open. It is closed when the object is deallocated.
package final class RecordingFile: Sendable {
  /// The path, for messages.
  package let name: String
  /// The path by which the file is opened again; `nil` if that is impossible, as for a pipe.
  private let path: FilePath?
  private let isOwned: Bool
  /// The offset of the recording, which is not 0 if another process has read part of standard input.
  private let start: off_t
  /// The size in bytes; `nil` if it is unknown, as for a pipe.
  package let size: Int?
  private let state: Mutex<State>

  private struct State {
    /// The number of the open file; `nil` while it is closed.
    var descriptor: CInt?
    /// What was read of a stream before its turn, for the next read; empty at its end, and `nil` if
    /// nothing was.
    var ahead: ArraySlice<UInt8>?

    mutating func takeAhead(upTo count: Int) -> ArraySlice<UInt8>? {
      guard let bytes = ahead else { return nil }
      ahead = bytes.count > count ? bytes.dropFirst(count) : nil
      return bytes.prefix(count)
    }
  }

  /// Standard input, which stays open.
  package static let standardInput = RecordingFile(
    STDIN_FILENO, name: "standard input", isOwned: false)

  /// Opens a file.
  ///
  /// - Throws: ``GPSDError`` with the system's error number if the file cannot be opened.
  package convenience init(path: FilePath) throws(GPSDError) {
    let name = path.description
    let descriptor = try Self.openFile(at: path)
    self.init(descriptor, name: name, isOwned: true, path: path)
    // A directory can be opened, and would fail only in read(2).
    var status = stat()
    if unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
      throw Self.failure(name, EISDIR)
    }
  }

  private init(_ descriptor: CInt, name: String, isOwned: Bool, path: FilePath? = nil) {
    self.name = name
    self.isOwned = isOwned
    var status = stat()
    let isFile = unsafe fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    start = isFile ? max(0, lseek(descriptor, 0, SEEK_CUR)) : 0
    size = isFile ? Int(max(0, status.st_size - start)) : nil
    self.path = isFile ? path : nil
    state = Mutex(State(descriptor: descriptor))
  }

  private static func openFile(at path: FilePath) throws(GPSDError) -> CInt {
    // O_NONBLOCK, because opening a named pipe would wait for a writer.
    let descriptor = unsafe path.withCString {
      unsafe open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    }
    guard descriptor >= 0 else { throw failure(path.description, errno) }
    return descriptor
  }

  private static func failure(_ path: String, _ number: CInt) -> GPSDError {
    GPSDError(
      .cannotRead, systemError: .errno(number),
      "\(path): \(unsafe String(cString: strerror(number)))")
  }

  deinit {
    if isOwned, let descriptor = state.withLock(\.descriptor) { _ = close(descriptor) }
  }

  /// Closes the file until the next read, which is from its beginning. Does nothing for what cannot be
  /// opened again.
  package func release() {
    guard path != nil else { return }
    if let descriptor = state.withLock({ $0.descriptor.take() }) { _ = close(descriptor) }
  }

  /// Returns the number of the open file.
  private func descriptor() throws(GPSDError) -> CInt {
    try state.withLock { state throws(GPSDError) in
      // Only a file with a path is ever closed.
      if state.descriptor == nil, let path { state.descriptor = try Self.openFile(at: path) }
      return state.descriptor ?? -1
    }
  }

  /// Takes the reading end of a pipe.
  package convenience init(pipe: CInt, name: String) {
    self.init(pipe, name: name, isOwned: true)
  }

  /// Returns the first bytes; of a stream, those of ``firstLines(until:)``.
  package func head(upTo count: Int) -> [UInt8] {
    if size == nil { return state.withLock { Array(($0.ahead ?? []).prefix(count)) } }
    return unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, used in
      guard let descriptor = try? descriptor() else { return }
      used = max(0, unsafe pread(descriptor, buffer.baseAddress, buffer.count, start))
    }
  }

  /// Whether the file begins like a gzip file; `false` for a stream of which nothing has been read.
  package var isCompressed: Bool { head(upTo: 2) == [0x1f, 0x8b] }

  /// Returns whether a read would return at once. A regular file is always readable.
  func isReadable(within milliseconds: CInt = 0) -> Bool {
    guard size == nil, state.withLock({ $0.ahead == nil }), let descriptor = try? descriptor()
    else { return true }
    var waited = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&waited, 1, milliseconds) != 0
  }

  /// Whether ``rewind()`` returns to the beginning.
  package var canBeReadAgain: Bool { size != nil }

  /// Returns to the beginning, if the file is not a pipe.
  func rewind() {
    if path != nil { return release() }
    if let descriptor = try? descriptor() { _ = lseek(descriptor, start, SEEK_SET) }
  }

  /// Returns the rest of the file. It waits for the writer of a pipe.
  package func contents() throws(GPSDError) -> [UInt8] {
    var framer = LineFramer()
    var bytes: [UInt8] = []
    while true {
      switch try read(upTo: 64 * 1024, into: &framer) {
      case nil: _ = isReadable(within: -1)
      case 0: return bytes
      case _: bytes += framer.takeAll()
      }
    }
  }

  /// Returns the next bytes; none at the end, and `nil` if none are available yet.
  package func nextBytes(upTo count: Int) throws(GPSDError) -> [UInt8]? {
    var framer = LineFramer()
    guard isReadable(), try read(upTo: count, into: &framer) != nil else { return nil }
    return Array(framer.takeAll())
  }

  /// What poll(2) waits for when no bytes are available yet; `nil` while the file is closed.
  package var input: CInt? { state.withLock(\.descriptor) }

  /// Reads the next bytes into a framer.
  ///
  /// - Returns: The number of bytes; 0 at the end, and `nil` if none are available yet.
  func read(upTo count: Int, into framer: inout LineFramer) throws(GPSDError) -> Int? {
    if let ahead = state.withLock({ $0.takeAhead(upTo: count) }) {
      framer.append(ahead)
      return ahead.count
    }
    let descriptor = try descriptor()
    while true {
      let count = unsafe framer.receive(upTo: count) {
        unsafe Glibc.read(descriptor, $0, $1)
      }
      if count >= 0 { return count }
      switch errno {
      case EINTR: continue
      case EAGAIN: return nil
      case let number:
        throw Self.failure(name, number)
      }
    }
  }
}

extension RecordingFile {
  /// Returns the first lines of a stream, which its next read returns again: all that are there when they
  /// are enough, but no more than a line may have. Returns none at the end, or if the task is cancelled.
  ///
  /// - Parameter isEnough: Whether no more lines are needed; by default, if there is one.
  @discardableResult
  package func firstLines(
    until isEnough: (ArraySlice<UInt8>) -> Bool = { $0.contains(0x0A) }
  ) async throws(GPSDError) -> ArraySlice<UInt8> {
    var framer = LineFramer()
    var lines: ArraySlice<UInt8> = []
    while !Task.isCancelled {
      guard let count = try read(upTo: LineFramer.maximumLineLength, into: &framer) else {
        await ReadableWait(for: self).run()
        continue
      }
      lines += framer.takeAll()
      if count == 0 || lines.count >= LineFramer.maximumLineLength || isEnough(lines) {
        state.withLock { $0.ahead = lines }
        return lines
      }
    }
    // What was read is not lost.
    if !lines.isEmpty { state.withLock { $0.ahead = lines } }
    return []
  }
}

/// Waits until a pipe is readable, on a separate thread because the caller may be on the main thread.
final class ReadableWait: Sendable {
  /// The time within which the thread notices that the wait has ended, in milliseconds.
  private static let slice: CInt = 100

  private let file: RecordingFile
  private let arrival = Mailbox<Void>()
  private let isOver = Mutex(false)

  init(for file: RecordingFile) { self.file = file }

  /// Returns when the file is readable or at its end, or when the task is cancelled.
  func run() async {
    let isStarted = BlockingThread.start { [self] in
      while !isOver.withLock(\.self), !file.isReadable(within: Self.slice) {}
      arrival.send(())
    }
    // If no thread can be started, the caller polls.
    let deadline = isStarted ? nil : LocationClock.live.now.advanced(by: .milliseconds(100))
    _ = await arrival.take(until: deadline, by: .live)
    isOver.withLock { $0 = true }
  }
}
