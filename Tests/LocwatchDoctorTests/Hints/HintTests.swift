import Foundation
import Glibc
import LocationCore
import Testing

@testable import LocwatchDoctor
@testable import LocwatchSystem

@Suite struct AppArmorProfileTests {
  @Test(arguments: [
    ("/dev/ttyS0", true), ("/dev/ttyUSB12", true), ("/dev/tty1", true), ("/dev/ttyACM0", true),
    ("/dev/rfcomm0", true), ("/dev/gpsd0", true), ("/var/run/gpsd.sock", true),
    ("/dev/ttySC0", false), ("/dev/gnss0", false), ("/dev/gnss8", false), ("/dev/gnss9", false),
    ("/dev/ttyTHS1", false), ("/dev/ttymxc0", false), ("/dev/pts/0", false), ("/dev/ttyS", false),
    ("/dev/gpsd10", false), ("/dev/ttyS0/x", false), ("/dev/", false),
  ])
  func `Devices are those that a rule lists for reading and writing`(path: String, isAllowed: Bool)
    throws
  {
    let fake = try FakeMachine()
    try fake.enforce()
    #expect(AppArmorProfile(on: fake.machine)?.allows(path) == isAllowed)
  }

  @Test func `The rules of the machine's owner count as well`() throws {
    let fake = try FakeMachine()
    try fake.enforce()
    try fake.write("/dev/ttySC0 rw,\n/dev/x/** wr,", to: "etc/apparmor.d/local/usr.sbin.gpsd")
    let profile = try #require(AppArmorProfile(on: fake.machine))
    #expect(profile.allows("/dev/ttySC0") && profile.allows("/dev/x/y/z"))
    #expect(profile.allows("/dev/ttyS0") && !profile.allows("/dev/ttySC1"))
  }

  @Test(arguments: [
    ("audit /dev/ttySC0 rw,", true), ("quiet allow owner /dev/ttySC0 rw,", true),
    ("file rw /dev/ttySC0,", true), ("\trw  \"/dev/ttySC0\", # mine", true),
    ("/dev/ttySC0 r,\naudit /dev/ttySC* w,", true), ("/dev/ttySC0 r,\n/dev/ttySC1 w,", false),
    ("# /dev/ttySC0 rw,", false), ("priority=1 /dev/ttySC0 rw,", false),
    ("mount /dev/ttySC0 rw,", false), ("/dev/ttySC0", false), ("/dev/ttySC0 rw-,", false),
    ("/dev/ttySC{0,1} rw,", true), ("rw /dev/ttySC{1,0},", true),
  ])
  func `Permissions of all rules count, whatever qualifies them`(rules: String, isAllowed: Bool)
    throws
  {
    let fake = try FakeMachine()
    try fake.enforce()
    try fake.write(rules, to: "etc/apparmor.d/local/usr.sbin.gpsd")
    let profile = try #require(AppArmorProfile(on: fake.machine))
    #expect(profile.allows("/dev/ttySC0") == isAllowed)
    #expect(!profile.denies("/dev/ttySC0"))
  }

  @Test(arguments: [
    ("deny /dev/ttyUSB0 rw,", true), ("audit deny owner /dev/ttyUSB* w,", true),
    ("deny r /dev/ttyUSB0,\n/dev/ttyUSB0 rw,", true), ("quiet deny file /dev/** rwk,", true),
    ("deny /dev/ttyUSB1 rw,", false), ("deny /dev/ttyUSB0 x,", false),
  ])
  func `A rule that denies a device wins`(rules: String, isDenied: Bool) throws {
    let fake = try FakeMachine()
    try fake.enforce()
    try fake.write(rules, to: "etc/apparmor.d/local/usr.sbin.gpsd")
    let profile = try #require(AppArmorProfile(on: fake.machine))
    #expect(profile.denies("/dev/ttyUSB0") == isDenied)
    #expect(profile.allows("/dev/ttyUSB0") == !isDenied)
  }

  @Test func `A profile that is not listed as enforced is not`() throws {
    let fake = try FakeMachine()
    #expect(AppArmorProfile(on: fake.machine) == nil)
    try fake.write(FakeMachine.profile, to: "etc/apparmor.d/usr.sbin.gpsd")
    #expect(AppArmorProfile.isEnforced(on: fake.machine) == false)
    try fake.write(
      "/usr/sbin/gpsd (complain)\nx/usr/sbin/gpsd (enforce)\n",
      to: "sys/kernel/security/apparmor/profiles")
    #expect(AppArmorProfile.isEnforced(on: fake.machine) == false)
  }

  /// The list of profiles is for root only.
  @Test(arguments: [
    ("77", "gpsd\n", "/usr/sbin/gpsd (enforce)\n", true),
    ("77", "gpsd\n", "/usr/sbin/gpsd (complain)\n", false),
    ("77", "gpsd\n", "unconfined\n", false),
    ("77", "gpsdctl\n", "/usr/sbin/gpsd (enforce)\n", false),
    ("self", "gpsd\n", "/usr/sbin/gpsd (enforce)\n", false),
  ])
  func `A running gpsd shows whether its profile is enforced`(
    process: String, name: String, profile: String, isEnforced: Bool
  ) throws {
    let fake = try FakeMachine()
    try fake.write(FakeMachine.profile, to: "etc/apparmor.d/usr.sbin.gpsd")
    try fake.write("systemd\n", to: "proc/1/comm")
    try fake.write(name, to: "proc/\(process)/comm")
    try fake.write(SickMachine.status(user: 0, groups: 0), to: "proc/\(process)/status")
    try fake.write(profile, to: "proc/\(process)/attr/current")
    #expect(AppArmorProfile.isEnforced(on: fake.machine) == isEnforced)
  }

  @Test func `A profile can have the name of the program`() throws {
    let fake = try FakeMachine()
    try fake.enforce()
    try fake.write("gpsd (enforce)\n", to: "sys/kernel/security/apparmor/profiles")
    #expect(AppArmorProfile.isEnforced(on: fake.machine) == true)
  }
}

/// What is advised depends on what is plugged in.
@Suite struct HintTests {
  private static let none = [LocationUpdate.answer, .event(.receivers([]))]

  private func message(
    _ target: String = "localhost", updates: [LocationUpdate] = none, on machine: Machine
  ) -> [String] {
    var diagnosis = Diagnosis(Question(target), on: machine)
    for update in updates { diagnosis.record(update) }
    return diagnosis.noFix(within: nil).lines.map(String.init)
  }

  private static let appArmor = [
    "no fix: AppArmor does not let gpsd open /dev/ttySC0", "Allow it:",
    "echo '/dev/ttySC0 rw,' | sudo tee -a /etc/apparmor.d/local/usr.sbin.gpsd",
    "sudo apparmor_parser -r /etc/apparmor.d/usr.sbin.gpsd",
  ]

  @Test func `AppArmor is named if it refuses the device`() throws {
    let fake = try FakeMachine()
    try fake.plug("ttySC0")
    try fake.link("dev/gps0", to: "ttySC0")
    func unopened(_ path: String) -> [String] {
      [
        "no fix: gpsd does not open \(path)",
        "Can gpsd's user open it, and is another program using it? 'ls -lL \(path)' shows who can.",
      ]
    }
    #expect(message("/dev/ttySC0", on: fake.machine) == unopened("/dev/ttySC0"))
    try fake.enforce()
    #expect(message("/dev/ttySC0", on: fake.machine) == Self.appArmor)
    #expect(message("/dev/gps0", on: fake.machine) == Self.appArmor)
    // One that is allowed, or that is not there
    try fake.plug("ttyS0")
    #expect(message("/dev/ttyS0", on: fake.machine) == unopened("/dev/ttyS0"))
    #expect(
      message("/dev/ttySC1", on: fake.machine)
        == ["no fix: /dev/ttySC1 is not there", "Plug the receiver in."])
  }

  @Test func `A container without a gpsd is named as by the doctor`() throws {
    let machine = try SickMachine()
    try machine.fake.write(to: ".dockerenv")
    try machine.fake.remove("usr/sbin/gpsd")
    let diagnosis = Diagnosis(Question(), on: machine.fake.machine)
    #expect(
      diagnosis.message(for: SickMachine.refused).lines.dropFirst().first
        == "this is a container (docker), without a gpsd; its localhost is not the host's")
  }

  @Test func `A host with the name of a file is a recording`() throws {
    let fake = try FakeMachine()
    try fake.write(to: "drive.jsonl")
    let error = LocationError(.unknownHost, "drive.jsonl: Name or service not known")
    let diagnosis = Diagnosis(Question("drive.jsonl"), on: fake.machine)
    #expect(
      diagnosis.message(for: error) == """
        drive.jsonl: Name or service not known
        'locwatch --replay drive.jsonl' replays a recording.
        """)
    let other = Diagnosis(Question("drive.json"), on: fake.machine)
    #expect(other.message(for: error).text.hasSuffix("Is the name right, and is the network up?"))
  }
}
