import Glibc
import LocationCore

@testable import LocwatchDoctor
@testable import LocwatchSystem

extension CheckCase {
  /// A receiver without a gpsd, which the user of the doctor may not use.
  ///
  /// - Parameters:
  ///   - mode: The mode of the device, which says who may use it.
  ///   - account: What the kernel says of the user.
  ///   - members: The members of the receiver's group in /etc/group; `nil` for none.
  private static func forbidden(
    _ mode: mode_t = 0o660, to account: String = user, members: String? = nil, is finding: Finding
  ) -> CheckCase {
    CheckCase("permissions", SickMachine.port, is: finding) {
      try $0.fake.protect("dev/ttyACM0", mode, group: SickMachine.group)
      try $0.fake.write(account, to: "proc/self/status")
      $0.events = []
      if let members {
        try $0.fake.write("dialout:x:\(SickMachine.group):\(members)\n", to: "etc/group")
      }
    }
  }

  /// A pseudo-terminal that the user of the doctor may not use.
  private static func forbiddenTerminal(_ mode: mode_t, _ words: Message) -> CheckCase {
    CheckCase(
      "permissions", "/dev/pts/4",
      is: .wrong("you cannot read and write /dev/pts/4", words)
    ) {
      try $0.fake.write(to: "dev/pts/4")
      try $0.fake.protect("dev/pts/4", mode, group: SickMachine.group)
      try $0.fake.write(user, to: "proc/self/status")
      $0.events = []
    }
  }

  private static let giving: [ShellText] = [
    "sudo chgrp dialout /dev/ttyACM0", "sudo chmod g+rw /dev/ttyACM0",
  ]
  private static let given = Finding.wrong(
    "you cannot read and write /dev/ttyACM0", "Give it to the group dialout:", run: giving)
  private static let givenAndJoined = Finding.wrong(
    "you cannot read and write /dev/ttyACM0",
    "Give it to the group dialout, join that group, then log out and log in again:",
    run: giving + ["sudo adduser pi dialout"])

  /// What can be wrong with a device that the command line names, and with its machine.
  static let ofPorts: [CheckCase] = [
    CheckCase(
      "container",
      is: .wrong(
        "this is a container (docker), without a gpsd; its localhost is not the host's",
        "Start the container with --network host, or name the host: 'locwatch --doctor HOST'.")
    ) {
      try $0.fake.write(to: ".dockerenv")
      try $0.fake.remove("usr/sbin/gpsd")
      ($0.events, $0.failure) = ([], SickMachine.refused)
    },
    CheckCase(
      "port",
      is: .unknown(
        "/dev/tty\u{fffd} is not UTF-8, so locwatch cannot look for it",
        "Name the receiver by another path.")
    ) {
      try $0.fake.run(
        "gpsd", as: 77, "-N -n /dev/tty\u{fffd}",
        status: SickMachine.status(user: 998, groups: SickMachine.group))
    },
    forbidden(
      is: .wrong(
        "you cannot use /dev/ttyACM0, which belongs to the group dialout",
        "Join that group, then log out and log in again:", run: ["sudo adduser pi dialout"])),
    forbidden(
      members: "a,pi",
      is: .wrong(
        "you cannot use /dev/ttyACM0, which belongs to the group dialout: you belong to it "
          + "from your next login", "Log out and log in again.")),
    forbidden(0o600, is: givenAndJoined),
    forbidden(
      0o600, to: SickMachine.status(user: 4711, groups: SickMachine.group), is: given),
    forbidden(0o600, members: "a,pi", is: given),
    // Whoever joins the group may still not write.
    forbidden(0o640, is: givenAndJoined),
    forbiddenTerminal(0o600, "Only its user has access."),
    forbiddenTerminal(0o620, "Only its user and its group have access."),
    CheckCase("permissions", "/dev/ttyACM0", is: .well("you can read and write /dev/ttyACM0")) {
      try $0.fake.end(77)
      $0.events = []
    },
    CheckCase(
      "sharing", "/dev/ttyACM0",
      is: .wrong(
        "/dev/ttyACM0 is open in gpsd (process 77)",
        "Ask that gpsd: 'locwatch --doctor localhost:3000'.")
    ) {
      try $0.fake.run("gpsd", as: 77, "-S 3000 /dev/ttyACM0", opening: "/dev/ttyACM0")
      $0.events = []
    },
    CheckCase(
      "sharing", "/dev/ttyACM0",
      is: .wrong("/dev/ttyACM0 is open in gpsd (process 77)", "Ask that gpsd: 'locwatch --doctor'.")
    ) { $0.events = [] },
    CheckCase(
      "sharing", "/dev/ttyACM0",
      is: .wrong(
        "/dev/ttyACM0 is open in gpsd (process 77) of locwatch (process 75)",
        "End that locwatch, or read its output.")
    ) { try $0.readByLocwatch() },
    // Its files are hidden.
    CheckCase(
      "sharing", "/dev/ttyACM0",
      is: .wrong(
        "gpsd (process 77) of locwatch (process 75) reads the same device",
        "End that locwatch, or read its output.")
    ) {
      try $0.readByLocwatch()
      try $0.fake.hideFiles(of: 77)
    },
    CheckCase(
      "sharing", "/dev/ttyACM0",
      is: .wrong(
        "gpsd (process 77) reads the same device", "Ask that gpsd: 'locwatch --doctor'.")
    ) {
      try $0.fake.hideFiles(of: 77)
      $0.events = []
    },
    // The own gpsd is none of the others, whatever its number.
    CheckCase("sharing", "/dev/ttyACM0", is: .well("no other process reads /dev/ttyACM0")) {
      try $0.readByLocwatch(getpid())
      ($0.events, $0.isPrivate) = (SickMachine.events, true)
    },
    CheckCase(
      "sharing", "/dev/ttyACM0",
      is: .wrong(
        "gpsd (process 77) of locwatch (process 75) reads the same device",
        "End that locwatch, or read its output.")
    ) {
      try $0.readByLocwatch()
      try $0.fake.hideFiles(of: 77)
      try $0.fake.run("gpsd", as: 90, "-n /dev/ttyACM0", opening: "/dev/ttyACM0")
      try $0.fake.write("90 (gpsd) S \(getpid()) 90\n", to: "proc/90/stat")
      ($0.events, $0.isPrivate) = (SickMachine.events, true)
    },
    CheckCase(
      "sharing", "/dev/pts/4",
      is: .wrong("/dev/pts/4 is open in cat (process 90)", "End that process.")
    ) {
      try $0.fake.write(to: "dev/pts/4")
      // The other end may well have this one open, too.
      try $0.fake.run("socat", as: 89, opening: "/dev/pts/4")
      try $0.fake.write("pos:\t0\ntty-index:\t4\n", to: "proc/89/fdinfo/3")
      try $0.fake.run("cat", as: 90, opening: "/dev/pts/4")
      try $0.fake.write("tty-index:\t5\n", to: "proc/90/fdinfo/3")
      $0.events = []
    },
    // What locwatch has started itself
    CheckCase("sharing", is: .well("no other process reads /dev/ttyACM0")) {
      try $0.fake.run("gpsd", as: 90, "-S 3000", opening: "/dev/ttyACM0")
      try $0.fake.write("90 (gpsd) S 89 90\n", to: "proc/90/stat")
      try $0.fake.write("89 (sh) S \(getpid()) 89\n", to: "proc/89/stat")
    },
  ]
}
