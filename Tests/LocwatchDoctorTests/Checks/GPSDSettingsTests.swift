import Testing

@testable import LocwatchDoctor
@testable import LocwatchSystem

/// The files by which Debian starts gpsd.
@Suite struct GPSDSettingsTests {
  private func settings(_ text: String, on fake: FakeMachine) throws -> GPSDSettings {
    try fake.write(text, to: "etc/default/gpsd")
    return try #require(GPSDSettings(on: fake.machine))
  }

  @Test func `gpsd's options are those of the last lines, and its devices`() throws {
    let fake = try FakeMachine()
    #expect(GPSDSettings(on: fake.machine) == nil)
    let settings = try settings(
      """
      GPSD_OPTIONS="-G"
      #DEVICES=/dev/x
      \t GPSD_OPTIONS='-n -D 5'
      OPTIONS=-b
      DEVICES="/dev/a\t/dev/b=c"
      START_DAEMON
      """, on: fake)
    #expect(settings.arguments == GPSDArguments(["-n", "-D", "5", "-b", "/dev/a", "/dev/b=c"]))
  }

  @Test(
    arguments: [
      ("-n -s 4800 -b", "-n -b"), ("-s4800 -n", "-n"), ("-n -s", "-n"), ("-n -s 4800", "-n"),
      ("-n", nil), ("-n -s $x", "-n"), ("-s 4800 $x", nil),
    ] as [(String, String?)])
  func `An option is removed with its value`(options: String, rest: String?) throws {
    let fake = try FakeMachine()
    let settings = try settings("GPSD_OPTIONS=\"\(options)\"\n", on: fake)
    let value = rest.map { #"GPSD_OPTIONS="\#($0)""# }
    #expect(
      settings.command(removing: "s", on: fake.machine)?.text
        == value.map { "sudo sed -i 's|^GPSD_OPTIONS=.*|\($0)|' /etc/default/gpsd" })
  }

  @Test func `systemd listens where the unit and its drop-ins say`() throws {
    let fake = try FakeMachine()
    func addresses() -> [String]? { GPSDSocketUnit(on: fake.machine)?.addresses }
    #expect(addresses() == nil)
    try fake.write("[Socket]\nListenStream=a\n", to: "usr/lib/systemd/system/gpsd.socket")
    try fake.write("ListenStream = b=c \nX=y\n", to: "lib/systemd/system/gpsd.socket")
    #expect(addresses() == ["b=c"])
    try fake.write("ListenStream=d\n", to: "lib/systemd/system/gpsd.socket.d/a.conf")
    try fake.write("ListenStream=e\n", to: "lib/systemd/system/gpsd.socket.d/b.conf.old")
    #expect(addresses() == ["b=c", "d"])
    let last = "usr/lib/systemd/system/gpsd.socket.d/c.conf"
    try fake.write("ListenStream=\nListenStream=f\n", to: last)
    #expect(addresses() == ["f"])
    try fake.write("ListenStream=g\n", to: "etc/systemd/system/gpsd.socket")
    #expect(addresses() == ["f"])
    try fake.remove(last)
    #expect(addresses() == ["g", "d"])
  }
}
