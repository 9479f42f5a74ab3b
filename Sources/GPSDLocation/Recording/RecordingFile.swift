import GPSDProtocol
package import LocationCore
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The function read(2). ``RecordingFile`` has a method of the same name.
private func systemRead(
  _ descriptor: CInt, _ bytes: UnsafeMutableRawPointer?, _ count: Int
) -> Int {
  unsafe read(descriptor, bytes, count)
}

/// A file that contains a recording. If it is compressed by gzip, reads decompress it.
///
/// It is open at first, and is opened again for the first read after ``release()``, so that a recording
/// can have more files than a process can have open. It is closed when the object is deallocated.
package final class RecordingFile: Sendable {
  /// The path, for messages.
  package let name: String
  /// The path by which the file is opened again; `nil` if that is impossible, as for a pipe.
  private let path: FilePath?
  /// The offset of the recording, which is not 0 if another process has read part of standard input.
  private let start: off_t
  /// The size in bytes, before decompression; `nil` if it is unknown, as for a pipe.
  package let size: Int?
  private let isPipe: Bool
  private let state: Mutex<State>

  private struct State: ~Copyable {
    /// The number of the open file; `nil` while it is closed.
    var descriptor: CInt?
    /// Whether it is known if the file is compressed.
    var isJudged = false
    /// Whether the first half of the mark of a compressed file was read, and nothing else.
    var isHalfMarked = false
    /// `nil` for a file that is not compressed.
    var inflater: Inflater?
    /// The number of bytes that were read since it was opened, before decompression.
    var bytesRead = 0
    /// Whether the compressed data turned out to be damaged.
    var isDamaged = false
    /// Bytes of a stream that were read before its turn, for the next read; empty at its end, and `nil` if
    /// nothing was read.
    var ahead: ArraySlice<UInt8>?

    init(_ descriptor: CInt) { self.descriptor = descriptor }

    mutating func takeAhead(upTo count: Int) -> ArraySlice<UInt8>? {
      guard let bytes = ahead else { return nil }
      ahead = bytes.count > count ? bytes.dropFirst(count) : nil
      return bytes.prefix(count)
    }

    /// Resets the state after the file was opened, closed or moved to its beginning.
    mutating func restart() {
      isJudged = false
      isHalfMarked = false
      inflater = nil
      bytesRead = 0
    }
  }

  /// Standard input, which stays open, because this object is never deallocated.
  package static let standardInput = RecordingFile(STDIN_FILENO, name: "standard input")

  /// Opens a file.
  ///
  /// - Parameter staysOpen: Whether ``release()`` leaves it open, because it may get another name.
  /// - Throws: `LocationError` with the system's error number if the file cannot be opened.
  package convenience init(path: FilePath, staysOpen: Bool = false) throws(LocationError) {
    let name = path.description
    let descriptor = try Self.openFile(at: path)
    self.init(descriptor, name: name, path: staysOpen ? nil : path)
    // A directory can be opened, and would fail only in read(2).
    var status = stat()
    if unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
      throw Self.failure(name, EISDIR)
    }
  }

  private init(_ descriptor: CInt, name: String, path: FilePath? = nil) {
    self.name = name
    var status = stat()
    let kind = unsafe fstat(descriptor, &status) == 0 ? status.st_mode & S_IFMT : 0
    let isFile = kind == S_IFREG
    isPipe = kind == S_IFIFO
    start = isFile ? max(0, lseek(descriptor, 0, SEEK_CUR)) : 0
    size = isFile ? Int(max(0, status.st_size - start)) : nil
    self.path = isFile ? path : nil
    state = Mutex(State(descriptor))
  }

  private static func openFile(at path: FilePath) throws(LocationError) -> CInt {
    // O_NONBLOCK, because opening a named pipe would wait for a writer.
    let descriptor = unsafe path.withCString {
      unsafe open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    }
    guard descriptor >= 0 else { throw failure(path.description, errno) }
    return descriptor
  }

  private static func failure(_ path: String, _ number: CInt) -> LocationError {
    LocationError(
      .disconnected, systemError: .errno(number),
      "\(path): \(unsafe String(cString: strerror(number)))")
  }

  deinit {
    if let descriptor = state.withLock({ $0.descriptor }) { _ = close(descriptor) }
  }

  /// Closes the file until the next read, which is from its beginning. Does nothing if the file cannot be
  /// opened again.
  package func release() {
    guard path != nil else { return }
    let descriptor = state.withLock { state in
      state.restart()
      return state.descriptor.take()
    }
    if let descriptor { _ = close(descriptor) }
  }

  /// Returns the number of the open file.
  private func descriptor() throws(LocationError) -> CInt {
    try state.withLock { state throws(LocationError) in try openFile(of: &state) }
  }

  private func openFile(of state: inout State) throws(LocationError) -> CInt {
    // Only a file with a path is ever closed.
    if state.descriptor == nil, let path { state.descriptor = try Self.openFile(at: path) }
    return state.descriptor ?? -1
  }

  /// Takes the reading end of a pipe.
  package convenience init(pipe: CInt, name: String) {
    self.init(pipe, name: name)
  }

  /// Returns the first bytes; for a stream, those of ``firstLines(until:)``.
  package func head(upTo count: Int) -> [UInt8] {
    if size == nil { return state.withLock { Array(($0.ahead ?? []).prefix(count)) } }
    let head = storedHead(upTo: count)
    guard head.starts(with: Inflater.mark) else { return head }
    var inflater = Inflater(beginning: storedHead(upTo: Inflater.capacity))
    var used = 0
    return unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      while used < count, let output = buffer.baseAddress {
        let more = unsafe inflater.read(into: output + used, upTo: count - used) { _, _ in 0 }
        guard more > 0 else { break }
        used += more
      }
      initialized = used
    }
  }

  /// Returns the first bytes of a file as it is stored.
  package func storedHead(upTo count: Int) -> [UInt8] { stored(count, from: start) }

  /// Returns the first and the last bytes of a file as it is stored.
  func storedEnds(upTo count: Int) -> (head: [UInt8], tail: [UInt8]) {
    let end = start + off_t(size ?? 0)
    return (storedHead(upTo: count), stored(count, from: max(start, end - off_t(count))))
  }

  private func stored(_ count: Int, from offset: off_t) -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, used in
      guard let descriptor = try? descriptor() else { return }
      used = max(0, unsafe pread(descriptor, buffer.baseAddress, buffer.count, offset))
    }
  }

  /// Whether the file begins like a gzip file; `false` for a stream of which nothing has been read.
  package var isCompressed: Bool {
    size == nil
      ? state.withLock { $0.inflater != nil } : storedHead(upTo: 2) == Inflater.mark
  }

  /// Whether the compressed data read so far is damaged, or ends too soon. As much of it as possible is
  /// read.
  package var isDamaged: Bool { state.withLock { $0.isDamaged } }

  /// The number of bytes that were read since the file was opened, before decompression.
  var bytesRead: Int { state.withLock { $0.bytesRead } }

  /// Returns whether a read would return at once. A regular file is always readable.
  func isReadable(within milliseconds: CInt = 0) -> Bool {
    let isWaiting =
      size == nil && state.withLock { $0.ahead == nil && $0.inflater?.hasInput != true }
    guard isWaiting, let descriptor = try? descriptor() else { return true }
    return Readiness.isReady(descriptor, for: CInt(POLLIN), within: milliseconds)
  }

  /// Whether ``rewind()`` returns to the beginning.
  package var canBeReadAgain: Bool { size != nil }

  /// Returns to the beginning, if the file is not a pipe.
  func rewind() {
    if path != nil { return release() }
    guard let descriptor = try? descriptor(), lseek(descriptor, start, SEEK_SET) >= 0 else {
      return
    }
    state.withLock { $0.restart() }
  }

  /// Returns the rest of the file. It waits for the writer of a pipe.
  package func contents() throws(LocationError) -> [UInt8] {
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
  package func nextBytes(upTo count: Int) throws(LocationError) -> [UInt8]? {
    var framer = LineFramer()
    guard isReadable(), try read(upTo: count, into: &framer) != nil else { return nil }
    return Array(framer.takeAll())
  }

  /// What to wait for when no bytes are available yet; `nil` while the file is closed.
  package var input: CInt? { state.withLock { $0.descriptor } }

  /// Reads the next bytes into a framer.
  ///
  /// - Returns: The number of bytes; 0 at the end, and `nil` if none are available yet.
  func read(upTo count: Int, into framer: inout LineFramer) throws(LocationError) -> Int? {
    try state.withLock { state throws(LocationError) in
      if let ahead = state.takeAhead(upTo: count) {
        framer.append(ahead)
        return ahead.count
      }
      let descriptor = try openFile(of: &state)
      while true {
        let count = unsafe framer.receive(upTo: count) {
          unsafe read(descriptor, &state, into: $0, upTo: $1)
        }
        // A named pipe is not at its end as long as nobody has written to it. An event has come only at its end.
        if count == 0, isPipe, !Readiness.isReady(descriptor, for: CInt(POLLIN)) { return nil }
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

  /// Reads as read(2) does, and decompresses compressed data.
  private func read(
    _ descriptor: CInt, _ state: inout State, into bytes: UnsafeMutablePointer<UInt8>,
    upTo count: Int
  ) -> Int {
    if !state.isJudged {
      let result = unsafe judge(descriptor, &state, into: bytes, upTo: count)
      if result != 0 || state.inflater == nil { return result }
    }
    guard state.inflater != nil else {
      let count = unsafe systemRead(descriptor, bytes, count)
      state.bytesRead += max(0, count)
      return count
    }
    let result =
      unsafe state.inflater?.read(into: bytes, upTo: count) {
        unsafe systemRead(descriptor, $0, $1)
      } ?? 0
    state.bytesRead = state.inflater?.bytesRead ?? 0
    if state.inflater?.isDamaged == true { state.isDamaged = true }
    return result
  }

  /// Reads the first bytes, and creates the inflater if they are compressed.
  ///
  /// - Returns: The last result of read(2); 0 if there is an inflater, which has the bytes.
  private func judge(
    _ descriptor: CInt, _ state: inout State, into bytes: UnsafeMutablePointer<UInt8>,
    upTo count: Int
  ) -> Int {
    // The available part of a stream may have ended in the middle of the mark.
    if state.isHalfMarked { unsafe bytes.pointee = Inflater.mark[0] }
    while true {
      let held = state.isHalfMarked ? 1 : 0
      let more = unsafe systemRead(descriptor, bytes + held, count - held)
      if more < 0 { return more }
      let read = unsafe UnsafeMutableBufferPointer(start: bytes, count: held + more)
      if more > 0, count > 1, read.count == 1, unsafe read[0] == Inflater.mark[0] {
        state.isHalfMarked = true
        continue
      }
      state.isJudged = true
      state.isHalfMarked = false
      if unsafe read.starts(with: Inflater.mark) {
        state.inflater = unsafe Inflater(beginning: read)
        return 0
      }
      state.bytesRead = read.count
      return read.count
    }
  }
}

extension RecordingFile {
  /// Returns the first lines of a stream, which its next read returns again: all lines that are available when they
  /// are enough, up to the maximum length of a line. Returns none at the end, or if the task is cancelled.
  ///
  /// - Parameter isEnough: Returns whether no more lines are needed; by default, one line is enough.
  @discardableResult
  package func firstLines(
    until isEnough: (ArraySlice<UInt8>) -> Bool = { $0.contains(0x0A) }
  ) async throws(LocationError) -> ArraySlice<UInt8> {
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

/// Waits until a pipe is readable: with the waiter of the task if it has one, or else on a separate thread, because
/// the caller may be on the main thread.
final class ReadableWait: Sendable {
  /// The time within which the thread notices that the wait has ended, in milliseconds.
  private static let slice: CInt = 100

  private let file: RecordingFile
  private let arrival = Mailbox<Void>()
  private let isOver = Mutex(false)

  init(for file: RecordingFile) { self.file = file }

  /// Returns when the file is readable or at its end, or when the task is cancelled.
  func run() async {
    if let waiter = Readiness.waiter, let input = file.input {
      // Several tasks can wait for the same pipe.
      let copy = fcntl(input, F_DUPFD_CLOEXEC, 0)
      if copy >= 0 {
        await waiter.waitUntilReadable(copy)
        _ = close(copy)
        return
      }
    }
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
