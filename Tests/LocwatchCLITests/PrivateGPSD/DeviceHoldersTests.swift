import Foundation
import Testing

@testable import LocwatchCLI

@Suite struct `Who else has a device open` {
  /// A folder like /proc, whose processes have links to these files open.
  private final class Folder {
    let path = NSTemporaryDirectory() + "locwatch-\(UUID())"

    init(_ processes: [Int: (name: String?, links: [String])]) throws {
      for (process, (name, links)) in processes {
        let own = "\(path)/\(process)"
        try FileManager.default.createDirectory(
          atPath: own + "/fd", withIntermediateDirectories: true)
        for (number, link) in links.enumerated() {
          try FileManager.default.createSymbolicLink(
            atPath: "\(own)/fd/\(number)", withDestinationPath: link)
        }
        if let name { try Data((name + "\n").utf8).write(to: URL(filePath: own + "/comm")) }
      }
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
  }

  @Test func `is named, with the number of the process`() throws {
    let folder = try Folder([
      12: ("gpsd", ["/dev/zero", "/dev/full"]), 7: ("screen", ["/dev/null", "/dev/full"]),
      8: ("cat", ["/dev/null", "socket:[5]", "/nowhere"]), 9: (nil, ["/dev/full"]),
      Int(getpid()): ("me", ["/dev/full"]),
    ])
    let holders = DeviceHolders(of: "/dev/full", in: folder.path)
    #expect(
      holders.holders == [
        .init(process: 7, name: "screen"), .init(process: 9, name: "?"),
        .init(process: 12, name: "gpsd"),
      ])
    #expect(
      holders.warning(for: "/dev/ttyS0")
        == "/dev/ttyS0 is already open in screen (process 7), ? (process 9), gpsd (process 12): "
        + "each reader gets only a part of what is sent")
  }

  @Test func `is nobody, where there is none, or nothing can be seen`() throws {
    let folder = try Folder([8: ("cat", ["/dev/null"])])
    for (path, folder) in [
      ("/dev/full", folder.path), ("/nowhere", folder.path), ("/tmp", folder.path),
      ("/dev/null", "/nowhere"),
    ] {
      let holders = DeviceHolders(of: path, in: folder)
      #expect(holders.holders == [] && holders.warning(for: path) == nil)
    }
  }

  @Test func `is found by the device, not by the name of its file`() throws {
    let link = NSTemporaryDirectory() + "locwatch-\(UUID())"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "/dev/full")
    defer { try? FileManager.default.removeItem(atPath: link) }
    let folder = try Folder([8: ("cat", ["/dev/full"])])
    #expect(DeviceHolders(of: link, in: folder.path).holders.map(\.process) == [8])
  }
}
