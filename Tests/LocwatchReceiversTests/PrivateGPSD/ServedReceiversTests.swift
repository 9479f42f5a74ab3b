import GPSDLocation
import Glibc
import Testing

@testable import LocwatchReceivers
@testable import LocwatchSystem

@Suite struct ServedReceiversTests {
  private let folder: TemporaryFolder
  private let null: SerialDevice
  private let link: SerialDevice
  private let served = ServedReceivers()

  init() throws {
    folder = try TemporaryFolder()
    null = try SerialDevice(path: "/dev/null", on: .empty)
    link = try SerialDevice(path: folder.link("gps", to: "/dev/null"), on: .empty)
  }

  private func warning(_ path: String, _ other: String) -> String {
    "\(path) is the receiver of \(other): each gets only part of the data"
  }

  @Test func `A receiver with two names is noticed, whichever comes first`() throws {
    #expect(served.add(null) == nil)
    #expect(served.add(try SerialDevice(path: "/dev/zero", on: .empty)) == nil)
    #expect(served.add(link) == warning(link.path, "/dev/null"))
    #expect(served.add(null) == warning("/dev/null", "another target"))
  }

  @Test func `One that was removed does not count any more`() {
    _ = (served.add(null), served.add(link))
    served.remove(null)
    #expect(served.add(null) == warning("/dev/null", link.path))
    served.remove(link)
    served.remove(null)
    #expect(served.add(link) == nil)
    served.remove(null)
    #expect(served.add(null) == warning("/dev/null", link.path))
  }
}

@Suite struct SerialDevicePathTests {
  @Test func `A path through a file is an error without a hint`() {
    do throws(Failure) {
      _ = try SerialDevice(path: "/dev/null/x", on: .empty)
      Issue.record("It cannot be there.")
    } catch {
      #expect(error.message == "/dev/null/x: Not a directory")
    }
  }

  @Test func `A link is known by both paths, and by the device that is there now`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.link("gps", to: "/dev/null")
    let device = try SerialDevice(path: path, on: .empty)
    let null = DeviceNode(path: "/dev/null")
    #expect(device.path == path && device.realPath == "/dev/null")
    #expect(device.lineSettings() == [])
    #expect(device.node != nil && device.node == null)
    #expect(device.receiver().path == path && device.receiver().options == [])
    #expect(device.receiver().node() == null)
    #expect(unlink(path) == 0 && device.node == nil && device.receiver().node() == nil)
    withExtendedLifetime(folder) {}
  }

  @Test func `A pseudo-terminal has a fixed speed`() throws {
    let ends = try PseudoTerminalEnds()
    let path = try #require(SymbolicLink.destination(of: "/proc/self/fd/\(ends.terminal.number)"))
    let device = try SerialDevice(path: path, on: .empty)
    #expect(device.receiver().options == ["-b", "-s", "38400", "-f", "8N1"])
    #expect(device.receiver().corrections == nil)
    // gpsd has to write what it is given.
    let corrected = device.receiver(corrections: "tcp://127.0.0.1:1")
    #expect(corrected.options == ["-s", "38400", "-f", "8N1"])
    #expect(corrected.corrections == "tcp://127.0.0.1:1")
  }
}
