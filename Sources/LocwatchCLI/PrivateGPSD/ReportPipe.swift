import Glibc
import LocationFormats

/// Passes gpsd's reports on to a pipe line by line, and waits for its reader.
struct ReportPipe {
  private let socket: Socket
  private let output: CInt
  /// The receiver's path as it is in the reports, and what takes its place.
  private let path: [UInt8]
  private let name: [UInt8]
  /// The beginning of a line.
  private var rest: [UInt8] = []
  private(set) var isOpen = true
  private var isWatching = false

  init(from socket: Socket, to output: CInt, renaming path: String, to name: String) {
    self.socket = socket
    self.output = output
    self.path = Array("\"\(path)\"".utf8)
    var text = TextBuffer()
    text.append(json: name)
    self.name = Array(text.bytes)
  }

  /// Asks for reports. Returns whether gpsd answered, which it does when it has opened the receiver.
  ///
  /// - Parameter milliseconds: How long to wait for each line.
  mutating func watch(within milliseconds: CInt) -> Bool {
    guard socket.send("?WATCH={\"enable\":true,\"json\":true};\r\n") else { return false }
    while isOpen, !isWatching, pass(within: milliseconds) {}
    return isWatching
  }

  /// Passes on what gpsd has sent. Returns whether there was anything.
  ///
  /// - Parameter milliseconds: How long to wait for it.
  mutating func pass(within milliseconds: CInt) -> Bool {
    var request = pollfd(fd: socket.descriptor, events: Int16(POLLIN), revents: 0)
    guard unsafe poll(&request, 1, milliseconds) > 0 else { return false }
    var piece = [UInt8](repeating: 0, count: 64 * 1024)
    let count = unsafe recv(socket.descriptor, &piece, piece.count, 0)
    guard count > 0 else {
      isOpen = false
      return false
    }
    rest += piece[..<count]
    guard let end = rest.lastIndex(of: 0x0A) else { return true }
    write(rest[...end].replacing(path, with: name))
    rest.removeSubrange(...end)
    return true
  }

  private mutating func write(_ bytes: [UInt8]) {
    if !isWatching {
      isWatching = bytes.split(separator: 0x0A).contains {
        $0.starts(with: #"{"class":"WATCH""#.utf8)
      }
    }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes {
        unsafe Glibc.write(output, $0.baseAddress, $0.count)
      }
      guard count > 0 || errno == EINTR else {
        isOpen = false
        return
      }
      rest = rest.dropFirst(max(0, count))
    }
  }
}

extension ArraySlice<UInt8> {
  /// `Collection.replacing(_:with:)` would link the regular expression library, which takes 2 MB.
  fileprivate func replacing(_ text: [UInt8], with other: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var index = startIndex
    while index < endIndex {
      if self[index] == text.first, self[index...].starts(with: text) {
        result += other
        index += text.count
      } else {
        result.append(self[index])
        index += 1
      }
    }
    return result
  }
}
