import LocationCore

@testable import LocwatchCLI

extension CheckCase {
  /// What can be wrong with a receiver, its sky and its time.
  static let ofReceivers: [CheckCase] = [
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
}
