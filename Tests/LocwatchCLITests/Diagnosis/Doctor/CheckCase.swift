import LocationCore
import Testing

@testable import LocwatchCLI

/// One thing that is wrong with a machine, and what the check for it says.
struct CheckCase: Sendable, CustomTestStringConvertible {
  let check: String
  let arguments: [String]
  let verdict: Verdict
  /// Makes the machine sick.
  let change: @Sendable (inout SickMachine) throws -> Void

  init(
    _ check: String, _ arguments: String..., is verdict: Verdict,
    if change: @escaping @Sendable (inout SickMachine) throws -> Void
  ) {
    self.check = check
    self.arguments = arguments
    self.verdict = verdict
    self.change = change
  }

  var testDescription: String { "\(check): \(verdict.seen)" }
}

extension CheckCase {
  private static let restart = "sudo systemctl restart gpsd"
  private static let noReceivers = [SickMachine.answer, LocationEvent.receivers([])]
  private static let silent = [SickMachine.answer, SickMachine.receivers(driver: nil)]

  private static func setDevices(_ path: String) -> [String] {
    [#"sudo sed -i 's|^DEVICES=.*|DEVICES="\#(path)"|' /etc/default/gpsd"#, restart]
  }

  private static func setOptions(_ options: String) -> [String] {
    [#"sudo sed -i 's|^GPSD_OPTIONS=.*|GPSD_OPTIONS="\#(options)"|' /etc/default/gpsd"#, restart]
  }

  private static func listen(_ addresses: String) -> [String] {
    [
      "sudo mkdir -p /etc/systemd/system/gpsd.socket.d",
      #"printf '[Socket]\nListenStream=\nListenStream=/run/gpsd.sock\n\#(addresses)\n' | "#
        + "sudo tee /etc/systemd/system/gpsd.socket.d/locwatch.conf",
      "sudo systemctl daemon-reload",
      "sudo systemctl stop gpsd.service gpsd.socket",
      "sudo systemctl start gpsd.socket",
    ]
  }

  private static let user = SickMachine.status(user: 4711, groups: 4, 24)

  /// Each of the twenty problems, in the order of the checks.
  static let all: [CheckCase] = [
    CheckCase(
      "container",
      is: .wrong(
        "this is a container (docker), without a gpsd; its localhost is not that of the machine "
          + "around it",
        "Start the container with --network host, or name the machine: 'locwatch --doctor HOST'.")
    ) {
      try $0.fake.write(to: ".dockerenv")
      try $0.fake.remove("usr/sbin/gpsd")
      ($0.events, $0.failure) = ([], SickMachine.refused)
    },
    CheckCase(
      "gpsd",
      is: .wrong(
        "localhost:2947: connection refused", "gpsd runs outside of this container, if at all.")
    ) {
      try $0.fake.write("podman", to: "run/.containerenv")
      try $0.fake.remove("usr/sbin/gpsd")
      ($0.events, $0.failure) = ([], SickMachine.refused)
    },
    CheckCase(
      "container",
      is: .well("this is a container (lxc), and localhost:2947 is reached from it")
    ) { try $0.fake.write("lxc\n", to: "run/systemd/container") },
    CheckCase(
      "ipv6",
      is: .wrong(
        "IPv6 is off, and gpsd.socket listens at [::1], so it fails",
        "Have systemd listen by IPv4 alone:", run: listen("ListenStream=127.0.0.1:2947"))
    ) {
      try $0.fake.remove("proc/net/if_inet6")
      ($0.events, $0.failure) = ([], SickMachine.refused)
    },
    CheckCase(
      "port",
      is: .wrong(
        "/dev/ttyACM0 is not there, but /dev/ttyACM1 (usb-u-blox_7-if00) is", "Read that one:",
        run: setDevices("/dev/serial/by-id/usb-u-blox_7-if00"))
    ) {
      try $0.unplug("ttyACM0", "usb-u-blox_7-if00")
      try $0.plug("ttyACM1", as: "usb-u-blox_7-if00", number: "166:1")
    },
    CheckCase(
      "port", "/dev/ttyACM0",
      is: .wrong(
        "/dev/ttyACM0 is not there, but /dev/ttyUSB0 is", "Name that one:",
        run: ["locwatch /dev/ttyUSB0"])
    ) {
      try $0.unplug("ttyACM0", "usb-u-blox_7-if00")
      try $0.plug("ttyUSB0")
    },
    CheckCase("port", is: .wrong("/dev/ttyACM0 is not there", "Plug the receiver in.")) {
      try $0.unplug("ttyACM0", "usb-u-blox_7-if00")
    },
    CheckCase(
      "uart",
      is: .wrong(
        "/dev/ttyAMA0 belongs to Bluetooth; the pins are /dev/serial0", "Read that one:",
        run: setDevices("/dev/serial0"))
    ) { try $0.becomePi(reading: "/dev/ttyAMA0") },
    CheckCase(
      "uart", "/dev/ttyAMA0",
      is: .wrong(
        "/dev/ttyAMA0 belongs to Bluetooth; the pins are /dev/serial0", "Read that one:",
        run: ["locwatch /dev/serial0"])
    ) { try $0.becomePi(reading: "/dev/ttyAMA0") },
    CheckCase(
      "uart",
      is: .wrong(
        "/dev/serial0 is not there: the serial port of the pins is off", "Turn it on:",
        run: ["sudo raspi-config nonint do_serial_hw 0", "sudo reboot"])
    ) {
      try $0.becomePi(reading: "/dev/serial0")
      try $0.fake.remove("dev/serial0")
    },
    CheckCase(
      "uart",
      is: .wrong(
        "/dev/ttyAMA0 belongs to Bluetooth, and the serial port of the pins is off",
        "Turn it on, and read /dev/serial0:",
        run: ["sudo raspi-config nonint do_serial_hw 0"] + setDevices("/dev/serial0")
          + ["sudo reboot"])
    ) {
      try $0.becomePi(reading: "/dev/ttyAMA0")
      try $0.fake.remove("dev/serial0")
    },
    CheckCase("uart", is: .well("/dev/ttyS0 is the serial port of the pins")) {
      try $0.becomePi(reading: "/dev/ttyS0")
    },
    CheckCase(
      "permissions", "/dev/ttyACM0",
      is: .wrong(
        "you may not use /dev/ttyACM0, which belongs to the group dialout",
        "Join that group, then log out and log in again:", run: ["sudo adduser pi dialout"])
    ) { try $0.fake.write(user, to: "proc/self/status") },
    CheckCase(
      "permissions", "/dev/ttyACM0",
      is: .wrong(
        "you may not use /dev/ttyACM0, which belongs to the group dialout: you are in it from the next "
          + "login on", "Log out, and log in again.")
    ) {
      try $0.fake.write(user, to: "proc/self/status")
      try $0.fake.write("dialout:x:\(SickMachine.group):a,pi\n", to: "etc/group")
    },
    CheckCase(
      "permissions",
      is: .wrong(
        "gpsd may not read and write /dev/ttyACM0", "Give it to the group dialout:",
        run: ["sudo chgrp dialout /dev/ttyACM0", "sudo chmod g+rw /dev/ttyACM0"])
    ) {
      try $0.fake.protect("dev/ttyACM0", 0o640, group: SickMachine.group)
      $0.events = silent
    },
    CheckCase("permissions", "/dev/ttyACM0", is: .well("you may use /dev/ttyACM0")) { _ in },
    CheckCase(
      "apparmor", "/dev/ttySC0",
      is: .wrong(
        "AppArmor does not let gpsd open /dev/ttySC0", "Allow it:",
        run: [
          "echo '/dev/ttySC0 rw,' | sudo tee -a /etc/apparmor.d/local/usr.sbin.gpsd",
          "sudo apparmor_parser -r /etc/apparmor.d/usr.sbin.gpsd", restart,
        ])
    ) { try $0.plug("ttySC0") },
    CheckCase(
      "apparmor", "/dev/ttySC0",
      is: .hidden("gpsd's profile of AppArmor does not list /dev/ttySC0, if it is enforced")
    ) {
      try $0.plug("ttySC0")
      try $0.fake.remove("sys/kernel/security/apparmor/profiles")
      try $0.fake.write(to: "sys/module/apparmor/x")
    },
    CheckCase(
      "apparmor", "/dev/ttySC0", is: .well("AppArmor does not enforce gpsd's profile")
    ) {
      try $0.plug("ttySC0")
      try $0.fake.write("x (enforce)\n", to: "sys/kernel/security/apparmor/profiles")
    },
    CheckCase(
      "console", "/dev/ttyS0",
      is: .wrong(
        "the kernel writes its messages to /dev/ttyS0", "Remove that, and start again:",
        run: [
          "sudo sed -i 's|console=serial0,115200 *||' /boot/firmware/cmdline.txt", "sudo reboot",
        ])
    ) {
      try $0.becomePi(reading: "/dev/serial0")
      try $0.fake.write("console=serial0,115200 console=tty1 root=x\n", to: "proc/cmdline")
    },
    CheckCase(
      "console", "/dev/ttyACM0",
      is: .wrong(
        "the kernel writes its messages to /dev/ttyACM0",
        "Remove console=ttyACM0 from the command line of the kernel, and start again.")
    ) { try $0.fake.write("quiet console=ttyACM0", to: "proc/cmdline") },
    CheckCase(
      "console",
      is: .wrong(
        "agetty (process 90) waits for a login on /dev/ttyACM0", "End that:",
        run: ["sudo systemctl disable --now serial-getty@ttyACM0.service"])
    ) {
      try $0.fake.run("agetty", as: 90, "-o - vt220")
      // 166:0, in the form of the kernel
      try $0.fake.write("90 (agetty) (x) S 1 90 90 42496 90 0\n", to: "proc/90/stat")
    },
    CheckCase(
      "probing",
      is: .unknown(
        "ModemManager runs, and may talk to /dev/ttyACM0", "If you need none of it:",
        run: ["sudo systemctl disable --now ModemManager"])
    ) {
      try $0.fake.run("ModemManager", as: 90)
      $0.events = silent
    },
    CheckCase(
      "probing",
      is: .unknown(
        "brltty runs, and may talk to /dev/ttyACM0", "If you need none of it:",
        run: ["sudo apt remove brltty"])
    ) {
      try $0.fake.run("brltty", as: 90)
      $0.events = silent
    },
    CheckCase("probing", is: .well("ModemManager was told to ignore /dev/ttyACM0")) {
      try $0.fake.run("ModemManager", as: 90)
      try $0.fake.write("E:ID_MM_DEVICE_IGNORE=1\n", to: "run/udev/data/c166:0")
      $0.events = silent
    },
    CheckCase(
      "probing", is: .well("ModemManager runs, and the receiver reports all the same")
    ) { try $0.fake.run("ModemManager", as: 90) },
    CheckCase(
      "sharing",
      is: .wrong(
        "/dev/ttyACM0 is open in cat (process 90) as well as in gpsd", "End that process:",
        run: ["sudo kill 90"])
    ) { try $0.fake.run("cat", as: 90, opening: "/dev/ttyACM0") },
    CheckCase(
      "sharing",
      is: .wrong(
        "/dev/ttyACM0 is open in gpsd (process 12) and cat (process 90) as well as in gpsd",
        "End these processes:", run: ["sudo kill 12 90"])
    ) {
      try $0.fake.run("gpsd", as: 12, "-S 3000 /dev/ttyACM0", opening: "/dev/ttyACM0")
      try $0.fake.run("cat", as: 90, opening: "/dev/ttyACM0")
    },
    CheckCase(
      "sharing",
      is: .wrong(
        "/dev/ttyACM0 is open in ModemManager (process 90)", "End that process:",
        run: ["sudo systemctl disable --now ModemManager"])
    ) {
      try $0.fake.end(77)
      try $0.fake.run("ModemManager", as: 90, opening: "/dev/ttyACM0")
    },
    CheckCase(
      "sharing",
      is: .wrong(
        "a second gpsd (process 90) reads the same device", "End it:", run: ["sudo kill 90"])
    ) { try $0.fake.run("gpsd", as: 90, "-S3000 /dev/serial/by-id/usb-u-blox_7-if00") },
    CheckCase("sharing", is: .hidden("which other processes read /dev/ttyACM0")) {
      try $0.fake.write(to: "proc/1/fd")
    },
    CheckCase(
      "gpsd",
      is: .wrong(
        "localhost:2947: connection refused", "Start it:",
        run: ["sudo systemctl enable --now gpsd.socket"])
    ) { ($0.events, $0.failure) = ([], SickMachine.refused) },
    CheckCase(
      "gpsd",
      is: .wrong(
        "localhost:2947: connection refused", "gpsd is not installed:",
        run: ["sudo apt install gpsd"])
    ) {
      try $0.fake.remove("usr/sbin/gpsd")
      ($0.events, $0.failure) = ([], SickMachine.refused)
    },
    CheckCase(
      "gpsd", "localhost:2948",
      is: .wrong(
        "localhost:2947: connection refused",
        "Is the port right? gpsd listens on 2947 unless -S says otherwise.")
    ) { ($0.events, $0.failure) = ([], SickMachine.refused) },
    CheckCase(
      "gpsd", is: .wrong("localhost:2947 is not a gpsd: it says 'SSH-2.0'", Hint.notGPSD)
    ) { ($0.events, $0.failure) = ([.notice("SSH-2.0")], LocationError(.notAService)) },
    CheckCase("gpsd", is: .wrong("localhost:2947 does not answer", Hint.silentDaemon)) {
      ($0.events, $0.failure) = ([.notice("")], nil)
      $0.events = [.selected("", previous: nil)]
    },
    CheckCase("gpsd", "boat", is: .wrong("x", Hint.noDaemonThere)) {
      $0.events = []
      $0.failure = LocationError(.unreachable, systemError: .errno(111), "x")
    },
    CheckCase("gpsd", "boat", is: .wrong("x", Hint.noAnswerThere)) {
      ($0.events, $0.failure) = ([], LocationError(.unreachable, "x"))
    },
    CheckCase("gpsd", "boat", is: .wrong("x", Hint.unknownHost)) {
      ($0.events, $0.failure) = ([], LocationError(.unknownHost, "x"))
    },
    CheckCase("gpsd", is: .wrong("localhost:2947: x", Hint.silentDaemon)) {
      ($0.events, $0.failure) = ([], LocationError(.silent, "x"))
    },
    CheckCase("gpsd", is: .wrong("localhost:2947: x", Hint.tooManyClients)) {
      ($0.events, $0.failure) = ([], LocationError(.disconnected, "x"))
    },
    CheckCase(
      "gpsd", "/dev/ttyACM0",
      is: .unknown(
        "no gpsd has /dev/ttyACM0, and none was started",
        "'locwatch /dev/ttyACM0' starts one, and shows whether the receiver works.")
    ) { $0.events = [] },
    CheckCase(
      "startup",
      is: .wrong(
        "gpsd sleeps until a client connects (no -n), and chrony is none",
        "Start it with -n, and when the machine starts:",
        run: setOptions("-G -n") + ["sudo systemctl enable gpsd"])
    ) {
      try $0.fake.run("gpsd", as: 77, "-G")
      try $0.fake.write("GPSD_OPTIONS='-G'\n", to: "etc/default/gpsd")
    },
    CheckCase(
      "startup",
      is: .wrong(
        "gpsd sleeps until a client connects (no -n), and ntpd is none",
        "Start it with -n, and when the machine starts:",
        run: [
          #"echo 'GPSD_OPTIONS="-n"' | sudo tee -a /etc/default/gpsd"#, restart,
          "sudo systemctl enable gpsd",
        ])
    ) {
      try $0.fake.end(77)
      try $0.fake.remove("etc/chrony/chrony.conf")
      try $0.fake.write("# x\nrefclock shm unit 0\n", to: "etc/ntpsec/ntp.conf")
      try $0.fake.write("# GPSD_OPTIONS=-n\n", to: "etc/default/gpsd")
    },
    CheckCase("startup", is: .well("no time service waits for gpsd")) {
      try $0.fake.run("gpsd", as: 77, "-G")
      try $0.fake.remove("etc/chrony/chrony.conf")
    },
    CheckCase("startup", is: .unknown("chrony reads gpsd, whose options cannot be seen")) {
      try $0.fake.end(77)
      try $0.fake.remove("etc/default/gpsd")
    },
    CheckCase(
      "listening",
      is: .wrong(
        "gpsd has -G, but its socket listens at 127.0.0.1:2947 only",
        "Have systemd listen at all addresses, if everybody on your network may see the position:",
        run: listen(#"ListenStream=[::]:2947\nListenStream=0.0.0.0:2947"#))
    ) { try $0.fake.run("gpsd", as: 77, "-nG /dev/ttyACM0", opening: "/dev/ttyACM0") },
    CheckCase("listening", is: .well("other machines can reach port 2947")) {
      try $0.fake.run("gpsd", as: 77, "-nG /dev/ttyACM0", opening: "/dev/ttyACM0")
      try $0.listen("0100007F", "00000000")
    },
    CheckCase(
      "devices",
      is: .wrong(
        "/dev/ttyUSB0 (usb-FTDI-if00) is there, but gpsd was not told, and its udev rules leave that one "
          + "out", "Tell it:", run: setDevices("/dev/serial/by-id/usb-FTDI-if00"))
    ) {
      try $0.unplug("ttyACM0", "usb-u-blox_7-if00")
      try $0.plug("ttyUSB0", as: "usb-FTDI-if00")
      try $0.fake.run("gpsd", as: 77, "-n")
      $0.events = noReceivers
    },
    CheckCase(
      "devices",
      is: .wrong(
        "/dev/ttyACM0 (usb-u-blox_7-if00) is there, but gpsd was not told", "Tell it:",
        run: setDevices("/dev/serial/by-id/usb-u-blox_7-if00"))
    ) {
      try $0.fake.run("gpsd", as: 77, "-n")
      $0.events = noReceivers
    },
    CheckCase(
      "devices",
      is: .wrong(
        "/dev/ttyACM0 (usb-u-blox_7-if00) and /dev/ttyUSB0 are there, but gpsd was not told",
        "Tell it of the one that is the receiver, such as the first:",
        run: setDevices("/dev/serial/by-id/usb-u-blox_7-if00"))
    ) {
      try $0.plug("ttyUSB0")
      try $0.fake.run("gpsd", as: 77, "-n")
      $0.events = noReceivers
    },
    CheckCase(
      "devices", "localhost:2948",
      is: .wrong(
        "/dev/ttyACM0 (usb-u-blox_7-if00) is there, but gpsd was not told", "Tell it:",
        run: ["sudo gpsdctl add /dev/ttyACM0"])
    ) { $0.events = noReceivers },
    CheckCase(
      "devices",
      is: .wrong("gpsd has no receiver, and no serial device is plugged in", "Plug one in.")
    ) {
      try $0.unplug("ttyACM0", "usb-u-blox_7-if00")
      $0.events = noReceivers
    },
    CheckCase(
      "devices",
      is: .wrong(
        "gpsd was told of /dev/ttyACM0 (usb-u-blox_7-if00), and does not have it",
        "Have it look again:", run: [restart])
    ) { $0.events = noReceivers },
    CheckCase("devices", "boat", is: .wrong("gpsd has no receiver", Hint.noReceiver)) {
      $0.events = noReceivers
    },
    CheckCase(
      "devices", "localhost:2947:/dev/x",
      is: .wrong(
        "gpsd does not open the receiver that was asked for: No such device", Hint.anyReceiver)
    ) { $0.events = [SickMachine.answer, .refused(path: "/dev/x", reason: "No such device")] },
    CheckCase(
      "receiver",
      is: .wrong(
        "gpsd cannot open /dev/ttyACM0", "Its journal may say why:",
        run: ["journalctl -u gpsd -n 20"])
    ) {
      $0.events = [SickMachine.answer, SickMachine.receivers(driver: nil, isActive: false)]
    },
    CheckCase(
      "receiver",
      is: .wrong("/dev/ttyACM0 is open, and was silent for 16 s", Hint.silentReceiver)
    ) { $0.events = [SickMachine.answer, SickMachine.receivers()] },
    CheckCase(
      "speed",
      is: .wrong(
        "gpsd opened /dev/ttyACM0 at 4800 bps, and recognised nothing within 16 s",
        "gpsd tries all usual speeds: does the receiver have power, and does its TX lead to the RX of this "
          + "machine?")
    ) { $0.events = [SickMachine.answer, SickMachine.receivers(driver: nil, speed: 4800)] },
    CheckCase(
      "speed",
      is: .wrong(
        "gpsd opened /dev/ttyACM0 at 4800 bps, and recognised nothing within 15 s, because -s 4800 keeps "
          + "it from trying others", "Let it try:", run: setOptions("-n -b"))
    ) {
      try $0.fake.run("gpsd", as: 77, "-n -s 4800 -b /dev/ttyACM0")
      try $0.fake.write("GPSD_OPTIONS=\"-n -s 4800 -b\"\n", to: "etc/default/gpsd")
      $0.events = [SickMachine.answer, SickMachine.receivers(driver: nil, speed: 4800)]
      $0.duration = .seconds(15)
    },
    CheckCase(
      "speed",
      is: .unknown(
        "gpsd opened /dev/ttyACM0, and recognised nothing within 14 s, which is too short to know")
    ) {
      $0.events = [SickMachine.answer, SickMachine.receivers(driver: nil, speed: 0)]
      $0.duration = .milliseconds(14_999)
    },
    CheckCase(
      "binary",
      is: .wrong(
        "gpsd switched /dev/ttyACM0 to the binary protocol of u-blox, and cat (process 90) cannot read that",
        "Have the other program read gpsd, or start gpsd with -b, and plug the receiver in again:",
        run: setOptions("-n -b"))
    ) { try $0.fake.run("cat", as: 90, opening: "/dev/ttyACM0") },
    CheckCase("binary", is: .well("gpsd leaves the protocol of /dev/ttyACM0 alone (-b)")) {
      try $0.fake.run("gpsd", as: 77, "-bn /dev/ttyACM0", opening: "/dev/ttyACM0")
    },
    CheckCase("sky", is: .wrong("no fix, 0 satellites seen, 0 used", Hint.noSatellites)) {
      $0.events = [SickMachine.answer, SickMachine.receivers(), SickMachine.sky(used: 0)]
    },
    CheckCase(
      "sky",
      is: .wrong("no fix, 3 satellites seen, 0 used, the strongest at 22 dBHz", Hint.noFix)
    ) {
      $0.events = [SickMachine.answer, SickMachine.receivers(), SickMachine.sky(22, 9, 8, used: 0)]
    },
    CheckCase(
      "sky",
      is: .unknown("no fix, 3 satellites seen, 0 used, the strongest at 30 dBHz", Hint.noFix)
    ) {
      $0.events = [
        SickMachine.answer, SickMachine.receivers(), SickMachine.sky(30, 9, 8, used: 0),
      ]
    },
    CheckCase("sky", is: .unknown("no fix, 3 satellites seen, 0 used", Hint.noFix)) {
      let sky = LocationEvent.sky(SkyView(device: SickMachine.port, seen: 3, used: 0))
      $0.events = [SickMachine.answer, SickMachine.receivers(), sky]
    },
    CheckCase(
      "sky",
      is: .unknown(
        "no fix, 4 satellites seen, 0 used, the strongest at 40 dBHz", Hint.strongSignals)
    ) {
      $0.events = [
        SickMachine.answer, SickMachine.receivers(), SickMachine.sky(40, 9, 8, 7, used: 0),
      ]
    },
    CheckCase(
      "sky",
      is: .unknown(
        "no fix, and the receiver does not report satellites",
        "Give the antenna a clear view of the sky, and wait for some minutes.")
    ) { $0.events = [SickMachine.answer, SickMachine.receivers(), SickMachine.noFix] },
    CheckCase(
      "sky", is: .wrong("the receiver reports that no antenna is connected", "Connect it.")
    ) { $0.events.append(SickMachine.fix(antenna: .open)) },
    CheckCase(
      "sky",
      is: .wrong("the receiver reports a short circuit of the antenna", "Replace the antenna.")
    ) {
      $0.events = [
        SickMachine.answer, SickMachine.receivers(),
        .noFix(NoFix(device: SickMachine.port, antenna: .short)),
      ]
    },
    CheckCase(
      "jamming", is: .wrong("the receiver reports jamming (100 of 255)", quiet)
    ) { $0.events += [SickMachine.fix(jam: 100), SickMachine.fix(jam: 2)] },
    CheckCase(
      "jamming",
      is: .wrong("all signals fell by 6 dB or more at the same time", quiet)
    ) {
      $0.events += [SickMachine.sky(38, 34, 30, 20, 8, used: 0), SickMachine.fix(jam: nil)]
    },
    CheckCase(
      "date",
      is: .wrong(
        "the receiver's date, 2026-11-20, is 2,048 weeks too early",
        "Its firmware is too old: update it, or replace the receiver. Positions are not affected.")
    ) { $0.events.append(SickMachine.fix(late: .seconds(2048 * 7 * 86_400 + 6 * 86_400))) },
    CheckCase(
      "date",
      is: .wrong(
        "the receiver's date, 2026-11-20, is 1,024 weeks too late",
        "Its firmware is too old: update it, or replace the receiver. Positions are not affected.")
    ) { $0.events.append(SickMachine.fix(late: .seconds(-1024 * 7 * 86_400))) },
    CheckCase(
      "date",
      is: .unknown(
        "the receiver's date is 2026-11-20, and this machine's is 2026-11-21",
        "One of the two is wrong: 'timedatectl' shows whether this machine's clock is set.")
    ) { $0.events.append(SickMachine.fix(late: .seconds(86_400))) },
    CheckCase(
      "pps",
      is: .wrong(
        "no pulse came on /dev/pps0",
        "Is the receiver's PPS pin connected to the pin that the driver was told?")
    ) {
      $0.earlierPulses = ["pps0": "1800000003.0#10\n"]
      try $0.fake.write("dtoverlay=pps-gpio\n", to: "boot/config.txt")
    },
    CheckCase(
      "pps",
      is: .unknown(
        "no pulse came on /dev/pps0, and many receivers pulse with a fix only", "Wait for a fix.")
    ) {
      $0.earlierPulses = ["pps0": "1800000003.0#10\n"]
      try $0.fake.write("refclock SHM 1 refid PPS\n", to: "etc/chrony/conf.d/a.conf")
      $0.events = [SickMachine.answer, SickMachine.receivers(), SickMachine.noFix]
    },
    CheckCase(
      "pps",
      is: .wrong(
        "pulses are wanted, but there is no /dev/pps0", "Load the driver of the pulses:",
        run: ["sudo modprobe pps-ldisc"])
    ) {
      try $0.fake.remove("sys/class/pps/pps0/assert")
      try $0.fake.write("refclock PPS /dev/pps0\n", to: "etc/chrony/conf.d/a.conf")
    },
    CheckCase(
      "pps",
      is: .wrong(
        "pulses are wanted, but there is no /dev/pps0",
        "Name the pin of the pulses (here GPIO 18), and start again:",
        run: [
          "echo 'dtoverlay=pps-gpio,gpiopin=18' | sudo tee -a /boot/firmware/config.txt",
          "sudo reboot",
        ])
    ) {
      try $0.becomePi(reading: "/dev/serial0")
      $0.events = SickMachine.events
      try $0.fake.remove("sys/class/pps/pps0/assert")
      try $0.fake.write("refclock PPS /dev/pps0\n", to: "etc/chrony/conf.d/a.conf")
    },
    CheckCase(
      "chrony",
      is: .wrong(
        "chrony reads SHM 0, to which gpsd does not write; it writes to SHM 2",
        "gpsd writes to SHM 0 and 1 if root starts it, and else to 2 and 3. Start it before chrony:",
        run: [restart, "sudo systemctl restart chrony"])
    ) { try $0.share([2: 1]) },
    CheckCase(
      "chrony",
      is: .wrong(
        "chrony reads SHM 0, to which gpsd does not write",
        "gpsd writes to SHM 0 and 1 if root starts it, and else to 2 and 3. Start it before chrony:",
        run: [restart, "sudo systemctl restart chrony"])
    ) { try $0.share([0: 1]) },
    CheckCase(
      "chrony",
      is: .wrong(
        "times over the serial line are 0.400 s late, and /etc/chrony/chrony.conf says 0.155 s",
        "If the clock of this machine is right otherwise, write 'offset 0.400' there, in the line 'refclock "
          + "SHM 0 refid GPS offset 0.155', and run:", run: ["sudo systemctl restart chrony"])
    ) {
      $0.events.removeLast()
      $0.events += [0.1, 0.4, 0.5].map { SickMachine.offset(.seconds($0)) }
    },
    CheckCase(
      "chrony",
      is: .wrong(
        "/etc/chrony/chrony.conf has 'refclock SHM 0 refid GPS offset 0.155', and chronyd does not run",
        "Start it:", run: ["sudo systemctl enable --now chrony"])
    ) { try $0.fake.end(78) },
    CheckCase("chrony", is: .hidden("whether gpsd and chrony share memory")) {
      try $0.fake.remove("proc/sysvipc/shm")
    },
    CheckCase("chrony", is: .well("chrony reads SHM 0, to which gpsd writes")) {
      $0.events.removeLast()
    },
  ]

  private static let quiet =
    "Move the antenna away from USB 3 plugs, cameras, displays and radios."
}
