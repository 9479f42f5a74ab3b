import Foundation
import Testing

@testable import LocwatchReceivers

@Suite struct `The other users of a device` {
  @Test func `is named, with the number of the process`() throws {
    let fake = try FakeMachine()
    for name in ["full", "zero", "null"] { try fake.plug(name) }
    try fake.run("gpsd", as: 12, opening: "/dev/zero", "/dev/full")
    try fake.run("screen", as: 7, opening: "/dev/null", "/dev/full")
    try fake.run("cat", as: 8, opening: "/dev/null", "socket:[5]", "/nowhere")
    try fake.link("proc/9/fd/3", to: "/dev/full")
    try fake.run("locwatch", as: 11)
    try fake.write("12 (gpsd) S 10 12\n", to: "proc/12/stat")
    try fake.write("10 (sh) S 11 10\n", to: "proc/10/stat")
    try fake.run("me", as: getpid(), opening: "/dev/full")
    let holders = DeviceHolders(of: "/dev/full", on: fake.machine)
    #expect(
      holders.holders == [
        .init(process: 7, name: "screen"), .init(process: 9, name: "?"),
        .init(process: 12, name: "gpsd", locwatch: 11),
      ])
    #expect(holders.isComplete)
    #expect(
      holders.warning(for: "/dev/ttyS0")
        == "/dev/ttyS0 is already open in screen (process 7), ? (process 9), gpsd (process 12) "
        + "of locwatch (process 11): each reader gets only part of the data")
  }

  @Test func `is nobody if there is none, or nothing can be read`() throws {
    let fake = try FakeMachine()
    for name in ["full", "null"] { try fake.plug(name) }
    try fake.run("cat", as: 8, opening: "/dev/null")
    for path in ["/dev/full", "/nowhere", "/proc"] {
      let holders = DeviceHolders(of: path, on: fake.machine)
      #expect(holders.holders == [] && holders.isComplete && holders.warning(for: path) == nil)
    }
    let empty = DeviceHolders(of: "/dev/null", on: .empty)
    #expect(empty.holders == [] && empty.warning(for: "/dev/null") == nil)
  }

  @Test func `is not all known where a process shows nothing`() throws {
    let fake = try FakeMachine()
    try fake.plug("full")
    #expect(!DeviceHolders(of: "/dev/full", on: fake.machine).isComplete)
    try fake.run("cat", as: 8)
    #expect(DeviceHolders(of: "/dev/full", on: fake.machine).isComplete)
    // It ended in between.
    try fake.write("gone\n", to: "proc/9/comm")
    #expect(DeviceHolders(of: "/dev/full", on: fake.machine).isComplete)
    // A file instead of a folder cannot be listed, even by root.
    try fake.write("", to: "proc/10/fd")
    #expect(!DeviceHolders(of: "/dev/full", on: fake.machine).isComplete)
  }

  @Test func `is found by the device, not by the name of its file`() throws {
    let fake = try FakeMachine()
    // Devices of the machine that the tests run on
    try fake.link("dev/full", to: "/dev/full")
    try fake.link("dev/gps0", to: "full")
    try fake.run("cat", as: 8, opening: "/dev/full")
    #expect(DeviceHolders(of: "/dev/gps0", on: fake.machine).holders.map(\.process) == [8])
  }
}
