import LocationCore

@testable import LocwatchDoctor
@testable import LocwatchSystem

extension CheckCase {
  /// What can be wrong with gpsd.
  static let ofGPSD: [CheckCase] = [
    CheckCase(
      "devices", "/dev/ttyACM0",
      is: .wrong(
        "gpsd does not open /dev/ttyACM0",
        "Can gpsd's user open it, and is another program using it? 'ls -lL /dev/ttyACM0' shows who can."
      )
    ) {
      $0.isPrivate = true
      $0.events = [
        SickMachine.answer, SickMachine.receivers(driver: nil, isActive: false),
        .removed(path: SickMachine.port),
      ]
    },
    CheckCase(
      "devices", "/dev/ttyACM0",
      is: .wrong(
        "gpsd opened /dev/ttyACM0, recognised nothing and closed it again",
        "Is it a GPS receiver, and does it send at the speed of that port?")
    ) {
      $0.isPrivate = true
      $0.events = [
        SickMachine.answer, SickMachine.receivers(driver: nil), .removed(path: SickMachine.port),
        .receivers([]),
      ]
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
      "gpsd", is: .wrong("localhost:2947: not a gpsd: it says 'SSH-2.0'", Hint.notGPSD)
    ) { ($0.events, $0.failure) = ([.notice("SSH-2.0")], LocationError(.notAService)) },
    CheckCase("gpsd", is: .wrong("localhost:2947: x", Hint.notGPSD)) {
      ($0.events, $0.failure) = ([], LocationError(.notAService, "x"))
    },
    CheckCase("gpsd", is: .wrong("localhost:2947 does not answer", Hint.silentDaemon(on: .empty))) {
      ($0.events, $0.failure) = ([.notice("")], nil)
      $0.events = [.selected("", previous: nil)]
    },
    // Without a free descriptor. gpsd may be well.
    CheckCase("gpsd", is: .wrong("localhost:2947: too many open files")) {
      $0.events = []
      $0.failure = LocationError(
        .unreachable, systemError: .errno(24), "localhost:2947: too many open files")
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
    CheckCase("gpsd", is: .wrong("localhost:2947: x", Hint.silentDaemon(on: .empty))) {
      ($0.events, $0.failure) = ([], LocationError(.silent, "x"))
    },
    CheckCase("gpsd", is: .wrong("localhost:2947: x", Hint.tooManyClients)) {
      ($0.events, $0.failure) = ([], LocationError(.disconnected, "x"))
    },
    CheckCase(
      "gpsd", "/dev/ttyACM0",
      is: .unknown("no gpsd has /dev/ttyACM0, and none was started")
    ) {
      $0.events = []
      try $0.fake.end(77)
    },
    CheckCase(
      "gpsd", "/dev/ttyACM0",
      is: .wrong("gpsd is not installed", "Install it:", run: ["sudo apt install gpsd"])
    ) {
      $0.events = []
      try $0.fake.end(77)
      try $0.fake.remove("usr/sbin/gpsd")
    },
    CheckCase(
      "startup",
      is: .wrong(
        "gpsd sleeps until a client connects (no -n), and chrony is none",
        "Start it with -n, at every boot:",
        run: setOptions("-G -n") + ["sudo systemctl enable gpsd"])
    ) {
      try $0.fake.run("gpsd", as: 77, "-G")
      try $0.fake.write("GPSD_OPTIONS='-G'\n", to: "etc/default/gpsd")
    },
    CheckCase(
      "startup",
      is: .wrong(
        "gpsd sleeps until a client connects (no -n), and ntpd is none",
        "Start it with -n, at every boot:",
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
    CheckCase("startup", is: .well("no time service needs gpsd")) {
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
        "gpsd has -G, but its socket listens only on 127.0.0.1:2947",
        "If everyone on your network may see the position, have systemd listen on all addresses:",
        run: listen(#"ListenStream=[::]:2947\nListenStream=0.0.0.0:2947"#))
    ) { try $0.fake.run("gpsd", as: 77, "-nG /dev/ttyACM0", opening: "/dev/ttyACM0") },
    CheckCase("listening", is: .well("other machines can reach port 2947")) {
      try $0.fake.run("gpsd", as: 77, "-nG /dev/ttyACM0", opening: "/dev/ttyACM0")
      try $0.listen("0100007F", "00000000")
    },
    CheckCase(
      "devices",
      is: .wrong(
        "/dev/ttyUSB0 (usb-FTDI-if00) is there, but unknown to gpsd, and its udev rules leave that one "
          + "out", "Add it:", run: setDevices("/dev/serial/by-id/usb-FTDI-if00"))
    ) {
      try $0.unplug("ttyACM0", "usb-u-blox_7-if00")
      try $0.plug("ttyUSB0", as: "usb-FTDI-if00")
      try $0.fake.run("gpsd", as: 77, "-n")
      $0.events = noReceivers
    },
    CheckCase(
      "devices",
      is: .wrong(
        "/dev/ttyACM0 (usb-u-blox_7-if00) is there, but unknown to gpsd", "Add it:",
        run: setDevices("/dev/serial/by-id/usb-u-blox_7-if00"))
    ) {
      try $0.fake.run("gpsd", as: 77, "-n")
      $0.events = noReceivers
    },
    CheckCase(
      "devices",
      is: .wrong(
        "/dev/ttyACM0 (usb-u-blox_7-if00) and /dev/ttyUSB0 are there, but unknown to gpsd",
        "Add the one that is the receiver, such as the first:",
        run: setDevices("/dev/serial/by-id/usb-u-blox_7-if00"))
    ) {
      try $0.plug("ttyUSB0")
      try $0.fake.run("gpsd", as: 77, "-n")
      $0.events = noReceivers
    },
    CheckCase(
      "devices", "localhost:2948",
      is: .wrong(
        "/dev/ttyACM0 (usb-u-blox_7-if00) is there, but unknown to gpsd", "Add it:",
        run: ["sudo gpsdctl add /dev/ttyACM0"])
    ) {
      try $0.fake.run("gpsd", as: 79, "-S 2948")
      $0.events = noReceivers
    },
    CheckCase(
      "devices", "localhost:2948",
      is: .wrong(
        "/dev/ttyACM0 (usb-u-blox_7-if00) is there, but unknown to gpsd",
        "Set DEVICES in /etc/default/gpsd.")
    ) { $0.events = noReceivers },
    CheckCase(
      "devices",
      is: .wrong("gpsd has no receiver, and no serial device is plugged in", Hint.noReceiver)
    ) {
      try $0.unplug("ttyACM0", "usb-u-blox_7-if00")
      try $0.fake.run("gpsd", as: 77, "-n")
      $0.events = noReceivers
    },
    CheckCase(
      "devices",
      is: .wrong(
        "gpsd is set to read /dev/ttyACM0 (usb-u-blox_7-if00), but does not have it",
        "Restart it:", run: [restart])
    ) { $0.events = noReceivers },
    CheckCase("devices", "boat", is: .wrong("gpsd has no receiver", Hint.noReceiverThere)) {
      $0.events = noReceivers
    },
    CheckCase(
      "devices", "localhost:2947:/dev/x",
      is: .wrong(
        "gpsd cannot open /dev/x: No such device", Hint.anyReceiver(of: []))
    ) { $0.events = [SickMachine.answer, .refused(path: "/dev/x", reason: "No such device")] },
    // The second refusal follows from the first.
    CheckCase(
      "devices", "localhost:2947:/dev/x",
      is: .wrong(
        "gpsd cannot open /dev/x: a", Hint.anyReceiver(of: ["/dev/y"]))
    ) {
      $0.events = [SickMachine.answer, .receiver(Receiver(path: "/dev/y"))]
      $0.events += ["a", "b"].map { .refused(path: "/dev/x", reason: $0) }
    },
    CheckCase("gpsd", is: .wrong("localhost:2947: not a gpsd: it says 'a'", Hint.notGPSD)) {
      $0.events = [.notice("a"), .notice("b")]
    },
    CheckCase(
      "gpsd",
      is: .wrong(
        "localhost:2947: connection refused", "Start it with the receiver to read:",
        run: ["gpsd -n /dev/ttyACM0"])
    ) {
      try $0.removeSystemd()
      ($0.events, $0.failure) = ([], SickMachine.refused)
    },
    CheckCase(
      "gpsd",
      is: .wrong("x", "Start it with the receiver to read.")
    ) {
      try $0.removeSystemd()
      try $0.fake.end(77)
      try $0.fake.write("DEVICES=\n", to: "etc/default/gpsd")
      try $0.unplug("ttyACM0", "usb-u-blox_7-if00")
      ($0.events, $0.failure) = ([], LocationError(.unreachable, "x"))
    },
    CheckCase(
      "gpsd", is: .wrong("x", "If gpsd runs, it runs outside this container.")
    ) {
      try $0.fake.write(to: "run/.containerenv")
      try $0.fake.remove("usr/sbin/gpsd")
      ($0.events, $0.failure) = ([], LocationError(.unreachable, "x"))
    },
  ]
}
