import Glibc
import LocationCore

/// An open file to read a recording from. It is closed when it goes.
package final class RecordingFile: Sendable {
  /// Its path, for people.
  package let name: String
  private let descriptor: CInt
  private let isOwned: Bool
  /// Where it begins: what is left of a standard input of which somebody else has read a part.
  private let start: off_t
  /// How many bytes there are; `nil` where that is not known, as of a pipe.
  package let size: Int?

  /// Standard input, which stays open.
  package static let standardInput = RecordingFile(
    STDIN_FILENO, name: "standard input", isOwned: false)

  /// - Throws: ``GPSDError`` with the system's number where the file cannot be opened.
  package convenience init(path: String) throws(GPSDError) {
    // Without a writer, opening a named pipe would wait for one.
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { throw Self.failure(path, errno) }
    self.init(descriptor, name: path, isOwned: true)
    // It can be opened, and read(2) alone would tell.
    var status = stat()
    if unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
      throw Self.failure(path, EISDIR)
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
      .cannotRead, number: number, "\(path): \(unsafe String(cString: strerror(number)))")
  }

  deinit { if isOwned { _ = close(descriptor) } }

  /// Whether it begins like a gzip file. A pipe cannot be looked at.
  package var isCompressed: Bool {
    var head: InlineArray<2, UInt8> = [0, 0]
    var span = head.mutableSpan
    let count = unsafe span.withUnsafeMutableBufferPointer {
      unsafe pread(descriptor, $0.baseAddress, $0.count, start)
    }
    return count == 2 && head[0] == 0x1f && head[1] == 0x8b
  }

  /// Whether a read would find something, or the end, at once. A file on a disk always has one.
  func isReadable(within milliseconds: CInt = 0) -> Bool {
    if size != nil { return true }
    var waited = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&waited, 1, milliseconds) != 0
  }

  /// Goes back to the beginning, where that is possible.
  func rewind() { _ = lseek(descriptor, start, SEEK_SET) }

  /// All that is left to read. It waits for whoever writes into a pipe.
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

  /// Reads on into a framer.
  ///
  /// - Returns: How many bytes; 0 at the end, and `nil` where nothing has come yet.
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
