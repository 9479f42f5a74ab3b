import Foundation
import Glibc
import LocwatchTestSupport
import Synchronization
import Testing

@testable import LocwatchSystem

/// Fault 83.
@Suite struct `The sockets of a group of processes` {
  /// A folder like /proc.
  private final class Folder {
    let path = NSTemporaryDirectory() + "locwatch-\(UUID())"

    /// - Parameter processes: The links of the descriptors of each process; `nil` if they cannot be read.
    init(_ processes: [Int: [String]?]) throws {
      for (process, links) in processes {
        let descriptors = "\(path)/\(process)\(links == nil ? "" : "/fd")"
        try FileManager.default.createDirectory(
          atPath: descriptors, withIntermediateDirectories: true)
        for (number, link) in (links ?? []).enumerated() {
          try FileManager.default.createSymbolicLink(
            atPath: "\(descriptors)/\(number)", withDestinationPath: link)
        }
      }
      try Data().write(to: URL(filePath: path + "/uptime"))
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The group of the processes from 100 to 199 is 100.
    var group: ProcessGroup { ProcessGroup(100, in: path) { $0 / 100 * 100 } }
  }

  @Test func `are those of any of them, and of nobody else`() throws {
    let folder = try Folder([
      100: ["/dev/null", "socket:[5]"], 101: ["socket:[6]"], 200: ["socket:[7]", "socket:[55]"],
    ])
    #expect(folder.group.hasSocket(5) == true)
    #expect(folder.group.hasSocket(6) == true)
    #expect(folder.group.hasSocket(7) == false)
    #expect(folder.group.hasSocket(55) == false)
    #expect(folder.group.users == [geteuid()])
  }

  @Test func `are unknown where one cannot be looked at, unless another has it`() throws {
    let folder = try Folder([100: ["socket:[5]"], 101: nil, 102: ["socket:[6]"]])
    #expect(folder.group.hasSocket(5) == true)
    #expect(folder.group.hasSocket(6) == true)
    #expect(folder.group.hasSocket(7) == nil)
  }

  @Test func `are known without one that ends meanwhile`() throws {
    let folder = try Folder([100: ["socket:[5]"], 101: nil])
    let looks = Mutex(0)
    let group = ProcessGroup(100, in: folder.path) { process in
      guard process == 101 else { return process }
      return looks.withLock { looks in
        looks += 1
        return looks == 1 ? 100 : -1
      }
    }
    #expect(group.hasSocket(7) == false)
  }

  @Test func `are unknown where there are no processes`() throws {
    let folder = try Folder([200: ["socket:[5]"]])
    #expect(folder.group.hasSocket(5) == nil)
    #expect(folder.group.users == [])
    #expect(ProcessGroup(100, in: "/nowhere").hasSocket(5) == nil)
  }

  @Test func `of this process are found in /proc`() throws {
    let socket = try Socket(AF_INET)
    var status = stat()
    #expect(fstat(socket.descriptor, &status) == 0)
    #expect(ProcessGroup(getpgrp()).hasSocket(UInt64(status.st_ino)) == true)
    #expect(ProcessGroup(getpgrp()).users.contains(geteuid()))
  }
}
