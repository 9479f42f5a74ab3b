import Glibc
import LocationCore
import LocwatchTestSupport
import Testing

@testable import LocwatchSystem

/// Fault 106.
@Suite struct MachineTests {
  @Test func `Paths are relative to the root`() throws {
    let fake = try FakeMachine()
    try fake.write("a\nb\n", to: "etc/x")
    try fake.link("etc/y", to: "x")
    let machine = fake.machine
    #expect(machine.text(of: "/etc/x") == "a\nb\n")
    #expect(machine.text(of: "etc/x") == "a\nb\n")
    #expect(machine.text(of: "/etc") == nil)
    #expect(machine.text(of: "/etc/z") == nil)
    #expect(machine.exists("/etc") && machine.exists("/etc/y") && !machine.exists("/etc/z"))
    #expect(machine.isFile("/etc/x") && machine.isFile("/etc/y") && !machine.isFile("/etc"))
    #expect(machine.names(in: "/etc") == ["x", "y"])
    #expect(machine.names(in: "/nothing") == [])
    #expect(machine.realPath(of: "/etc/y") == "/etc/x")
    #expect(machine.realPath(of: "/etc/z") == nil)
  }

  /// Fault 135.
  @Test func `A device that was unplugged is not one that a process reads`() async throws {
    var (master, terminal): (CInt, CInt) = (-1, -1)
    try #require(openpty(&master, &terminal, nil, nil, nil) == 0)
    defer { close(terminal) }
    for end in [master, terminal] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let link = "/proc/self/fd/\(terminal)"
    let path = try #require(Machine.this.destination(of: link))
    #expect(Machine.this.device(openedAs: link) == Machine.this.device(at: path))
    #expect(!Machine.this.unpluggedDevices(of: getpid()).contains(path))
    close(master)
    // Another test that starts a process may have a copy of it for a moment.
    #expect(await comes { Machine.this.unpluggedDevices(of: getpid()).contains(path) })
    #expect(Machine.this.device(openedAs: link) == nil)
  }

  @Test func `This machine is the one that the program runs on`() {
    #expect(Machine.this.isFile("/proc/self/status"))
    #expect(Machine.this.text(of: "/proc/self/comm")?.isEmpty == false)
    #expect(Machine.this.realPath(of: "/dev/../dev/null") == "/dev/null")
  }

  @Test func `A long text is read to its end`() throws {
    let fake = try FakeMachine()
    let text = String(repeating: "0123456789", count: 5000)
    try fake.write(text, to: "x")
    #expect(fake.machine.text(of: "/x") == text)
  }

  @Test func `The number of a device determines its subsystem`() throws {
    let fake = try FakeMachine()
    try fake.link("sys/dev/char/1:3/subsystem", to: "../../../../class/mem")
    try fake.link("sys/dev/char/4660:1048575/subsystem", to: "../../../../class/tty")
    #expect(fake.machine.subsystem(ofDevice: 1 << 8 | 3) == "mem")
    #expect(fake.machine.subsystem(ofDevice: 1 << 8 | 4) == nil)
    // 4660 is 0x1234, and 1048575 is 0xfffff.
    #expect(
      fake.machine.subsystem(ofDevice: 0x1000 << 32 | 0xfff << 20 | 0x234 << 8 | 0xff) == "tty")
  }

  @Test func `Serial devices are listed once, by what they are`() throws {
    let fake = try FakeMachine()
    #expect(fake.machine.serialPorts == [])
    try fake.plug("ttyUSB1")
    try fake.plug("ttyUSB0", as: "usb-FTDI_FT232R-if00-port0")
    try fake.plug("ttyACM0", as: "usb-u-blox_7-if00")
    try fake.link("dev/serial/by-id/usb-u-blox_7-if01", to: "../../ttyACM0")
    try fake.link("dev/serial/by-id/usb-gone", to: "../../ttyACM7")
    for other in ["ttyS0", "tty1", "null", "xttyUSB0"] { try fake.plug(other) }
    #expect(
      fake.machine.serialPorts.map(\.description) == [
        "/dev/ttyUSB0 (usb-FTDI_FT232R-if00-port0)", "/dev/ttyACM0 (usb-u-blox_7-if00)",
        "/dev/ttyUSB1",
      ])
  }
}

@Suite struct SerialDeviceTests {
  private func message(_ path: String, on machine: Machine) -> String? {
    do throws(Failure) {
      _ = try SerialDevice(path: path, on: machine)
      return nil
    } catch {
      #expect(error.status == .noInput)
      return error.message.text
    }
  }

  @Test(arguments: ["mem", "misc", "input", "pps", "ptp", "rtc"])
  func `A device of a subsystem without receivers is refused`(subsystem: String) throws {
    let fake = try FakeMachine()
    try fake.link("sys/dev/char/1:3/subsystem", to: "../../../../class/\(subsystem)")
    #expect(message("/dev/null", on: fake.machine) == "/dev/null is not a serial device")
    #expect(message("/dev/zero", on: fake.machine) == nil)
  }

  @Test(arguments: ["tty", "gnss", "wwan"])
  func `A device of another subsystem can be a receiver`(subsystem: String) throws {
    let fake = try FakeMachine()
    try fake.link("sys/dev/char/1:3/subsystem", to: "../../../../class/\(subsystem)")
    #expect(message("/dev/null", on: fake.machine) == nil)
  }

  @Test func `A file or a folder could be a recording`() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("", to: "x.log")
    for path in [file, folder.path] {
      #expect(
        message(path, on: .empty) == """
          \(path) is not a serial device
          'locwatch --replay \(path)' replays a recording.
          """)
    }
    let pipe = folder.makePipe("pipe").description
    #expect(message(pipe, on: .empty) == "\(pipe) is not a serial device")
  }
}
