import LocationCore
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// An open file that contains a recording. It is closed when the object is deallocated.
package final class RecordingFile: Sendable {
  /// The path, for messages.
  package let name: String
  private let descriptor: CInt
  private let isOwned: Bool
  /// The offset of the recording, which is not 0 if another process has read part of standard input.
  private let start: off_t
  /// The size in bytes; `nil` if it is unknown, as for a pipe.
  package let size: Int?

  /// Standard input, which stays open.
  package static let standardInput = RecordingFile(
    STDIN_FILENO, name: "standard input", isOwned: false)

  /// Opens a file.
  ///
  /// - Throws: ``GPSDError`` with the system's error number if the file cannot be opened.
  package convenience init(path: FilePath) throws(GPSDError) {
    let name = path.description
    // O_NONBLOCK, because opening a named pipe would wait for a writer.
    let descriptor = unsafe path.withCString {
      unsafe open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    }
    guard descriptor >= 0 else { throw Self.failure(name, errno) }
    self.init(descriptor, name: name, isOwned: true)
    // A directory can be opened, and would fail only in read(2).
    var status = stat()
    if unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
      throw Self.failure(name, EISDIR)
    }
  }

  private init(_ descriptor: CInt, name: String, isOwned: Bool) {
    self.descriptor = descriptor
    self.name = name
    self.isOwned = isOwned
    var status = stat()
    let isFile = unsafe fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    start = isFile ? max(0, lseek(descriptor, 0, SEEK_CUR)) : 0
    size = isFile ? Int(max(0, status.st_size - start)) : nil
  }

  private static func failure(_ path: String, _ number: CInt) -> GPSDError {
    GPSDError(
      .cannotRead, systemError: .errno(number),
      "\(path): \(unsafe String(cString: strerror(number)))")
  }

  deinit { if isOwned { _ = close(descriptor) } }

  /// Takes the reading end of a pipe.
  package convenience init(pipe: CInt, name: String) {
    self.init(pipe, name: name, isOwned: true)
  }

  /// Returns the first bytes; none for a pipe, which cannot be inspected.
  package func head(upTo count: Int) -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, used in
      used = max(0, unsafe pread(descriptor, buffer.baseAddress, buffer.count, start))
    }
  }

  /// Whether the file begins like a gzip file; `false` for a pipe, which cannot be inspected.
  package var isCompressed: Bool { head(upTo: 2) == [0x1f, 0x8b] }

  /// Whether the file begins like a recording of several sources; `false` for a pipe.
  package var isOfFleet: Bool {
    guard let line = head(upTo: 1024)[...].firstLine else { return false }
    return RecordingTimestamp(line: line)?.source != nil
  }

  /// Returns whether a read would return at once. A regular file is always readable.
  func isReadable(within milliseconds: CInt = 0) -> Bool {
    if size != nil { return true }
    var waited = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&waited, 1, milliseconds) != 0
  }

  /// Returns to the beginning, if the file is not a pipe.
  func rewind() { _ = lseek(descriptor, start, SEEK_SET) }

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

  /// Returns the next bytes; none at the end. It waits for the writer of a pipe.
  package func nextBytes(upTo count: Int) throws(GPSDError) -> [UInt8] {
    var framer = LineFramer()
    while try read(upTo: count, into: &framer) == nil { _ = isReadable(within: -1) }
    return Array(framer.takeAll())
  }

  /// Reads the next bytes into a framer.
  ///
  /// - Returns: The number of bytes; 0 at the end, and `nil` if none are available yet.
  func read(upTo count: Int, into framer: inout LineFramer) throws(GPSDError) -> Int? {
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
