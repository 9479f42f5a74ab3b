import LocationCore
import TestSupport
import Testing

@testable import LocwatchReceivers

/// Fault 69.
@Suite struct `Corrections are` {
  private static let name = "ntrip://h:2101/M"
  private static let frame = RTCMFrame.numbered(1)
  private static let base = RTCMFrame.base(x: 6_378_137, y: 0, z: 0)
  private static let connected = Corrections(.connected, of: name)

  private static func at(_ seconds: Double) -> Moment {
    Moment(uptime: .milliseconds(Int(seconds * 1000)))
  }

  private static func lost(_ reason: String) -> Corrections {
    Corrections(.lost, of: name, reason: reason)
  }

  @Test func `connected with the first frame, once`() {
    var machine = CorrectionsMachine(of: Self.name)
    #expect(machine.handle(Self.frame, at: Self.at(1)) == Self.connected)
    #expect(machine.handle(Self.frame, at: Self.at(2)) == nil)
    #expect(machine.deadline == nil)
  }

  @Test func `lost at once if they never came, with the first reason`() {
    var machine = CorrectionsMachine(of: Self.name)
    #expect(machine.fail("a", at: Self.at(1)) == Self.lost("a"))
    #expect(machine.fail("b", at: Self.at(2)) == nil)
    #expect(machine.deadline == nil && machine.expire(at: Self.at(99)) == nil)
    #expect(machine.handle(Self.frame, at: Self.at(3)) == Self.connected)
  }

  @Test func `not lost while the last frame is younger than 5 s`() {
    var machine = CorrectionsMachine(of: Self.name)
    _ = machine.handle(Self.frame, at: Self.at(1))
    #expect(machine.fail("a", at: Self.at(2)) == nil)
    #expect(machine.deadline == Self.at(6))
    #expect(machine.expire(at: Self.at(5.999)) == nil)
    #expect(machine.handle(Self.frame, at: Self.at(5.999)) == nil)
    #expect(machine.deadline == nil)
    #expect(machine.fail("a", at: Self.at(6)) == nil)
    // The last reason counts, and the first deadline.
    #expect(machine.fail("b", at: Self.at(7)) == nil)
    #expect(machine.deadline == Self.at(10.999))
    #expect(machine.expire(at: Self.at(10.999)) == Self.lost("b"))
    #expect(machine.handle(Self.frame, at: Self.at(11)) == Self.connected)
    #expect(machine.fail("silent", at: Self.at(41)) == Self.lost("silent"))
  }

  @Test func `reported with the base's place when that becomes known or moves`() {
    var machine = CorrectionsMachine(of: Self.name)
    let there = Coordinate(latitude: 0, longitude: 0)
    let told = Corrections(.connected, of: Self.name, base: there)
    #expect(machine.handle(Self.frame, at: Self.at(1)) == Self.connected)
    #expect(machine.handle(Self.base, at: Self.at(2)) == told)
    #expect(machine.handle(Self.base, at: Self.at(3)) == nil)
    #expect(machine.handle(Self.frame, at: Self.at(3)) == nil)
    let moved = RTCMFrame.base(x: 0, y: 6_378_137, z: 0)
    #expect(machine.handle(moved, at: Self.at(4))?.base?.longitude == 90)
    #expect(machine.fail("a", at: Self.at(10)) == Self.lost("a"))
    #expect(machine.handle(Self.frame, at: Self.at(11)) == Self.connected)
    #expect(machine.handle(Self.base, at: Self.at(12)) == told)
  }
}
