import Testing

@testable import LocwatchDoctor
@testable import LocwatchSystem

@Suite struct ChronySettingsTests {
  @Test(
    arguments: [
      ("refclock shm unit 0", "ntpd"), ("\trefclock\tshm", "ntpd"), ("refclock pps", nil),
      ("refclock", nil), ("shm refclock", nil), ("# refclock shm", nil), ("restrict shm", nil),
      ("server 127.127.28.0 minpoll 4", "ntpd"), ("server 127.127.28.3", "ntpd"),
      ("server 127.127.20.0", nil), ("server 127.127.28", nil), ("fudge 127.127.28.0", nil),
      ("server", nil), ("server shm", nil), ("refclock 127.127.28.0", nil), ("", nil),
    ] as [(String, String?)])
  func `ntpd reads gpsd by a line of either form`(line: String, service: String?) throws {
    for path in ["etc/ntpsec/ntp.conf", "etc/ntp.conf"] {
      let fake = try FakeMachine()
      try fake.write("driftfile x\n\(line)", to: path)
      #expect(fake.machine.timeService(ofGPSD: true) == service)
    }
  }

  @Test(arguments: [
    ("SHM 1", true, true), ("SOCK /run/x", true, true), ("PPS /dev/pps0", false, true),
    ("PHC /dev/ptp0", false, false), ("SHM", false, false),
  ])
  func `chrony takes its time from gpsd, from pulses of the kernel, or from neither`(
    clock: String, isOfGPSD: Bool, isRead: Bool
  ) throws {
    let fake = try FakeMachine()
    try fake.write("refclock \(clock)\n", to: "etc/chrony.conf")
    #expect(fake.machine.timeService(ofGPSD: true) == (isOfGPSD ? "chrony" : nil))
    #expect(fake.machine.timeService(ofGPSD: false) == (isRead ? "chrony" : nil))
  }

  @Test func `chrony's clocks are in several files, of which the first one is named`() throws {
    let fake = try FakeMachine()
    #expect(ChronySettings(on: fake.machine) == nil)
    try fake.write("refclock SHM 0\n", to: "etc/chrony/conf.d/a.conf.old")
    try fake.write("pool x iburst\n", to: "etc/chrony/chrony.conf")
    #expect(ChronySettings(on: fake.machine) == nil)
    try fake.write(
      "refclock SHM 3 offset 0.5\nrefclock SHM x\nrefclock  SHM\t2:perm=0644 poll 4 offset 0.25 trust\n",
      to: "etc/chrony/conf.d/b.conf")
    try fake.write("refclock SHM 4 offset\nserver SHM 6\n", to: "etc/chrony/conf.d/c.conf")
    let settings = try #require(ChronySettings(on: fake.machine))
    #expect(settings.path == "/etc/chrony/conf.d/b.conf")
    #expect(settings.clocks.map(\.parameter) == ["3", "x", "2", "4"])
    #expect(settings.clocks.map(\.offset) == [0.5, 0, 0.25, 0])
    #expect(settings.sharedMemory?.number == 2)
    #expect(
      settings.sharedMemory?.clock.line == "refclock SHM 2:perm=0644 poll 4 offset 0.25 trust")
    try fake.write("refclock PPS /dev/pps0\n", to: "etc/chrony/conf.d/b.conf")
    try fake.remove("etc/chrony/conf.d/c.conf")
    #expect(ChronySettings(on: fake.machine)?.sharedMemory == nil)
  }
}
