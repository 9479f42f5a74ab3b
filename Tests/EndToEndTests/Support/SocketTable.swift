import Foundation

/// The TCP sockets of the local machine, from /proc/net/tcp.
struct SocketTable {
  struct Entry {
    var local: Substring
    var remote: Substring
    var state: State?
    /// Bytes that wait to be sent, and to be read.
    var queued: Int
    /// The number by which the descriptors of processes name the socket.
    var inode: UInt64?

    /// The port of the socket itself.
    var port: Int? { local.split(separator: ":").last.flatMap { Int($0, radix: 16) } }
  }

  enum State: String {
    case established = "01"
    case listening = "0A"
  }

  let entries: [Entry]

  init() throws {
    // String(contentsOfFile:) takes no more than the first 4 KiB of what has no size.
    let table = try FileHandle(forReadingFrom: URL(filePath: "/proc/net/tcp")).readToEnd()
    let lines = String(decoding: table ?? Data(), as: UTF8.self).split(separator: "\n")
    entries = lines.dropFirst().compactMap { line in
      let fields = line.split(separator: " ")
      guard fields.count > 4 else { return nil }
      let queues = fields[4].split(separator: ":").compactMap { Int($0, radix: 16) }
      return Entry(
        local: fields[1], remote: fields[2], state: State(rawValue: String(fields[3])),
        queued: queues.reduce(0, +), inode: fields.count > 9 ? UInt64(fields[9]) : nil)
    }
  }

  /// How many bytes are on the way between a loopback port and its clients.
  static func queued(at port: Int) throws -> Int {
    let address = address(port)
    let ends = try SocketTable().entries.filter {
      $0.state == .established && ($0.local == address || $0.remote == address)
    }
    return ends.reduce(0) { $0 + $1.queued }
  }

  /// The ports at which a process listens.
  static func ports(of process: pid_t) throws -> [Int] {
    let folder = "/proc/\(process)/fd"
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    let links = Set(
      names.compactMap {
        try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")
      })
    return try SocketTable().entries.filter { entry in
      entry.state == .listening && entry.inode.map { links.contains("socket:[\($0)]") } == true
    }.compactMap(\.port)
  }

  private static func address(_ port: Int) -> String {
    let digits = String(port, radix: 16, uppercase: true)
    return "0100007F:" + String(repeating: "0", count: 4 - digits.count) + digits
  }
}
