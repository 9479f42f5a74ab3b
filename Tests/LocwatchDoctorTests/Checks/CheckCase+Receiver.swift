import LocationCore

@testable import LocwatchDoctor
@testable import LocwatchSystem

extension CheckCase {
  /// What can be wrong with a receiver, its sky and its time.
  static let ofReceivers: [CheckCase] = [
    sends("AIVDM", "the reports of ships"),
    sends("RTCM104V2", "corrections"),
    sends("RTCM104V3", "corrections"),
    // Beside a receiver, that is as it should be.
    CheckCase("receiver", is: .well("/dev/ttyUSB0 sends the reports of ships (AIVDM)")) {
      $0.events = SickMachine.eventsOfBoat
    },
    CheckCase(
      "receiver", "/dev/ttyACM0",
      is: .wrong(
        "/dev/ttyACM0 sends something (NMEA0183), but no position, time or satellites",
        "Is it a GPS receiver, and is it set to report positions?")
    ) {
      $0.isPrivate = true
      $0.events = [SickMachine.answer, SickMachine.receivers(driver: "NMEA0183")]
    },
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
      is: .wrong(
        "/dev/ttyACM0 is open, but was silent for 16 s",
        "Is it a GPS receiver, and does it have power? Unplug it and plug it in again. If gpsd misses that, "
          + "restart gpsd.")
    ) { $0.events = [SickMachine.answer, SickMachine.receivers()] },
    CheckCase(
      "receiver",
      is: .wrong(
        "gpsd had /dev/ttyACM0 open (u-blox), and does not read it any more",
        "If it was unplugged and plugged in again, gpsd has missed that. Restart gpsd:",
        run: [restart])
    ) { $0.events = [SickMachine.answer, SickMachine.receivers(isActive: false)] },
    CheckCase(
      "receiver",
      is: .wrong(
        "gpsd had /dev/ttyACM0 open (u-blox), and does not read it any more",
        "If it was unplugged and plugged in again, gpsd has missed that. Restart gpsd.")
    ) {
      try $0.removeSystemd()
      $0.events = [SickMachine.answer, SickMachine.receivers(isActive: false)]
    },
    CheckCase(
      "receiver", "/dev/ttyACM0", is: .wrong("gpsd cannot open /dev/ttyACM0", Hint.otherUser)
    ) {
      $0.isPrivate = true
      $0.events = [SickMachine.answer, SickMachine.receivers(isActive: false)]
    },
    CheckCase("receiver", is: .well("/dev/ttyACM0 (u-blox, 1 bps) reports")) {
      $0.events.insert(SickMachine.receivers(speed: 1), at: 2)
    },
    // That of USB is none.
    CheckCase("receiver", is: .well("/dev/ttyACM0 (u-blox) reports")) {
      $0.events.insert(SickMachine.receivers(speed: 0), at: 2)
    },
    CheckCase(
      "speed",
      is: .wrong(
        "/dev/ttyACM0 is open at 4800 bps, but gpsd recognised nothing within 16 s",
        Hint.silentReceiver(ofPrivate: false))
    ) { $0.events = [SickMachine.answer, SickMachine.receivers(driver: nil, speed: 4800)] },
    CheckCase(
      "speed",
      is: .wrong(
        "/dev/ttyACM0 is open at 4800 bps, but gpsd recognised nothing within 15 s, because -s 4800 keeps "
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
        "/dev/ttyUSB0 is open, but gpsd recognised nothing within 14 s, which is too short to judge"
      )
    ) {
      $0.events = [
        SickMachine.answer, SickMachine.receivers("/dev/ttyUSB0", driver: nil, speed: 0),
      ]
      $0.duration = .milliseconds(14_999)
    },
    // The speed of a CDC device has no meaning.
    CheckCase(
      "speed",
      is: .unknown(
        "/dev/ttyACM0 is open, but gpsd recognised nothing within 4 s, which is too short to judge"
      )
    ) {
      $0.events = [SickMachine.answer, SickMachine.receivers(driver: nil, speed: 0)]
      $0.duration = .milliseconds(4999)
    },
    CheckCase(
      "speed",
      is: .wrong(
        "/dev/ttyUSB0 is open at 9600 bps, but gpsd recognised nothing within 16 s",
        "gpsd tries all usual speeds: does the receiver have power, and is its TX connected to "
          + "this machine's RX?")
    ) {
      // Beside one that gpsd recognised, and that is silent
      $0.events = [
        SickMachine.answer,
        .receivers([
          Receiver(path: SickMachine.port, driver: "u-blox"),
          Receiver(path: "/dev/ttyUSB0", bitsPerSecond: 9600),
        ]),
      ]
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
    CheckCase(
      "sky",
      is: .wrong(
        "the receiver has no position, 0 satellites seen, 0 used", Hint.noSatellites)
    ) {
      $0.events = [SickMachine.answer, SickMachine.receivers(), SickMachine.sky(used: 0)]
    },
    CheckCase(
      "sky",
      is: .wrong("the receiver has no position, 3 satellites of 8 to 22 dBHz", Hint.weakSignals)
    ) {
      $0.events = [SickMachine.answer, SickMachine.receivers(), SickMachine.sky(22, 9, 8, used: 0)]
    },
    CheckCase(
      "sky",
      is: .unknown(
        "the receiver has no position, 3 satellites seen, 0 used, the strongest at 30 dBHz",
        Hint.noFix)
    ) {
      $0.events = [
        SickMachine.answer, SickMachine.receivers(), SickMachine.sky(30, 9, 8, used: 0),
      ]
    },
    // Without a list, the strongest is known of some receivers.
    CheckCase(
      "sky",
      is: .wrong(
        "the receiver has no position, 3 satellites seen, 0 used, the strongest at 29 dBHz",
        Hint.weakSignals)
    ) {
      var sky = SkyView(device: SickMachine.port, seen: 3, used: 0)
      sky.strongest = 29.4
      $0.events = [SickMachine.answer, SickMachine.receivers(), .sky(sky)]
    },
    CheckCase(
      "sky", is: .unknown("the receiver has no position, 3 satellites seen, 0 used", Hint.noFix)
    ) {
      let sky = LocationEvent.sky(SkyView(device: SickMachine.port, seen: 3, used: 0))
      $0.events = [SickMachine.answer, SickMachine.receivers(), sky]
    },
    CheckCase(
      "sky",
      is: .unknown(
        "the receiver has no position, 4 satellites seen, 0 used, the strongest at 40 dBHz",
        Hint.strongSignals)
    ) {
      $0.events = [
        SickMachine.answer, SickMachine.receivers(), SickMachine.sky(40, 9, 8, 7, used: 0),
      ]
    },
    CheckCase(
      "sky",
      is: .unknown(
        "the receiver has no position", Hint.unknownSatellites)
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
        .noFix(NoFix(device: SickMachine.port, isStated: true, antenna: .short)),
      ]
    },
    CheckCase(
      "jamming", is: .wrong("the receiver reports interference (100 of 255)", quiet)
    ) { $0.events += [SickMachine.fix(jam: 100), SickMachine.fix(jam: 2)] },
    CheckCase("jamming", is: .well("the receiver reports no interference (99 of 255)")) {
      $0.events += [SickMachine.fix(jam: 99)]
    },
    CheckCase("jamming", is: .well("the receiver reports no interference (12 of 255)")) {
      // All but one fall by 6 dB, and that one by 5.
      $0.events += [SickMachine.sky(40, 34, 32, 24, 15, used: 0)]
    },
    CheckCase("jamming", is: .well("the receiver reports no interference (12 of 255)")) {
      // A satellite that sets is no fall of all.
      $0.events += [SickMachine.sky(46, 40, 38, 30, 0, used: 4)]
    },
    CheckCase(
      "jamming",
      is: .wrong("all signals fell by 6 dB or more at the same time", quiet)
    ) {
      $0.events += [SickMachine.sky(38, 34, 30, 20, 8, used: 0), SickMachine.fix(jam: nil)]
    },
    CheckCase(
      "date",
      is: .wrong(
        "the receiver's date, 1987-08-15, is 2,048 weeks too early",
        "Its firmware is too old: update it, or replace the receiver. Positions are not affected.")
    ) {
      let late = Duration.seconds(2048 * 7 * 86_400 + 6 * 86_400)
      $0.events.append(SickMachine.fix(early: late, late: late))
    },
    // The clock may be wrong.
    CheckCase(
      "date",
      is: .unknown(
        "the receiver's date is 2026-11-20, but this machine's is 2046-07-06",
        "One of the two is wrong: 'timedatectl' shows whether this machine's clock is set.")
    ) { $0.events.append(SickMachine.fix(late: .seconds(1024 * 7 * 86_400))) },
    CheckCase(
      "date",
      is: .wrong(
        "the receiver's date, 2046-07-06, is 1,024 weeks too late",
        "Its firmware is too old: update it, or replace the receiver. Positions are not affected.")
    ) {
      let late = Duration.seconds(-1024 * 7 * 86_400)
      $0.events.append(SickMachine.fix(early: late, late: late))
    },
    CheckCase(
      "date",
      is: .unknown(
        "the receiver's date is 2026-11-20, but this machine's is 2026-11-21",
        "One of the two is wrong: 'timedatectl' shows whether this machine's clock is set.")
    ) { $0.events.append(SickMachine.fix(late: .seconds(86_400))) },
    CheckCase(
      "date",
      is: .unknown(
        "the receiver's date is 2026-11-20, but this machine's is 2026-11-15",
        "One of the two is wrong: 'timedatectl' shows whether this machine's clock is set.")
    ) { $0.events.append(SickMachine.fix(late: .seconds(-5 * 86_400))) },
    // GGA and GSA have no date.
    CheckCase(
      "date",
      is: .unknown(
        "the receiver sends no date (RMC or ZDA), so times are by this machine's clock",
        "Enable one of these sentences in the receiver.")
    ) {
      var fix = Samples.position(48, 11, .fix3D)
      fix.device = SickMachine.port
      fix.time = nil
      $0.events = [
        SickMachine.answer, SickMachine.receivers(), SickMachine.sky(40, used: 4), .fix(fix),
      ]
    },
    time(late: .milliseconds(86_399_900), "the receiver's time is 86400 s behind this machine's"),
    time(
      late: .milliseconds(-86_399_900), "the receiver's time is 86400 s ahead of this machine's"),
    time(late: .milliseconds(2001), "the receiver's time is 2 s behind this machine's"),
    time(late: .seconds(-19), "the receiver's time is 19 s ahead of this machine's"),
    leapSeconds(late: .milliseconds(-2001), 2),
    leapSeconds(late: .milliseconds(-17_800), 18),
    leapSeconds(late: .milliseconds(-18_999), 19),
    CheckCase("date", is: .well("the receiver's date agrees with this machine's")) {
      $0.events.append(SickMachine.fix(late: .seconds(2)))
    },
    CheckCase("date", is: .well("the receiver's date agrees with this machine's")) {
      $0.events.append(SickMachine.fix(late: .seconds(-2)))
    },
    // A receiver without a fix has the time of its own clock.
    CheckCase("date", is: .well("the receiver's date agrees with this machine's")) {
      $0.events = [SickMachine.answer, SickMachine.receivers(), SickMachine.sky(40, used: 0)]
      var noFix = NoFix(device: SickMachine.port)
      noFix.time = Samples.time(1, 0).advanced(by: .seconds(60))
      $0.events.append(.noFix(noFix))
    },
    CheckCase(
      "pps",
      is: .wrong(
        "no pulse came on /dev/pps0",
        "Is the receiver's PPS pin connected to the pin that the driver reads?")
    ) {
      $0.earlierPulses = ["pps0": "1800000003.0#10\n"]
      try $0.fake.write("dtoverlay=pps-gpio\n", to: "boot/config.txt")
    },
    CheckCase(
      "pps",
      is: .unknown(
        "no pulse came on /dev/pps0, but many receivers pulse only with a fix", "Wait for a fix.")
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
        "Name the pin of the pulses (here GPIO 18), and reboot:",
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
        "Write 'SHM 2' in /etc/chrony/chrony.conf, in the line 'refclock SHM 0 refid GPS offset 0.155', "
          + "and run:", run: ["sudo systemctl restart chrony"])
    ) { $0.laterSegments = TimeSegments(counts: [0: 4, 1: 0, 2: 9, 3: 9]) },
    CheckCase(
      "chrony",
      is: .wrong(
        "chrony reads SHM 0, to which gpsd does not write",
        "gpsd writes to SHM 0 if root starts it, otherwise to SHM 2; for a pseudo-terminal, to none."
      )
    ) { $0.laterSegments = $0.earlierSegments },
    CheckCase(
      "chrony", is: .well("chrony reads SHM 0; times over the serial line are 0.160 s late")
    ) {
      // gpsd names the segment itself, which only root can read.
      $0.earlierSegments = TimeSegments(present: [0, 1])
      $0.laterSegments = $0.earlierSegments
      $0.events[$0.events.count - 1] = SickMachine.offset(.milliseconds(160), to: "NTP0")
    },
    CheckCase(
      "chrony",
      is: .wrong(
        "times over the serial line are 0.400 s late, but /etc/chrony/chrony.conf says 0.155 s",
        "If this machine's clock is otherwise right, write 'offset 0.400' there, in the line 'refclock "
          + "SHM 0 refid GPS offset 0.155', and run:", run: ["sudo systemctl restart chrony"])
    ) {
      $0.events.removeLast()
      $0.events += [0.1, 0.4, 0.5].map { SickMachine.offset(.seconds($0)) }
    },
    CheckCase(
      "chrony",
      is: .wrong(
        "times over the serial line are -0.100 s late, but /etc/chrony/chrony.conf says 0.155 s",
        "If this machine's clock is otherwise right, write 'offset -0.100' there, in the line 'refclock "
          + "SHM 0 refid GPS offset 0.155', and run:", run: ["sudo systemctl restart chrony"])
    ) {
      $0.events.removeLast()
      $0.events += [-0.1, -0.5, 0.4].map { SickMachine.offset(.seconds($0)) }
    },
    CheckCase(
      "chrony", is: .well("chrony reads SHM 0; times over the serial line are 0.354 s late")
    ) { $0.events[$0.events.count - 1] = SickMachine.offset(.milliseconds(354)) },
    CheckCase(
      "chrony", is: .well("chrony reads SHM 0; times over the serial line are -0.044 s late")
    ) { $0.events[$0.events.count - 1] = SickMachine.offset(.milliseconds(-44)) },
    CheckCase(
      "chrony",
      is: .wrong(
        "/etc/chrony/chrony.conf has 'refclock SHM 0 refid GPS offset 0.155', but chronyd does not run",
        "Start it:", run: ["sudo systemctl enable --now chrony"])
    ) { try $0.fake.end(78) },
    CheckCase(
      "chrony", is: .well("chrony reads SHM 2; times over the serial line are 0.200 s late")
    ) {
      // Pulses come first, and another receiver is later.
      try $0.fake.write(
        "refclock SHM 1 refid PPS\nrefclock SHM 2 refid GPS offset 0.1\n",
        to: "etc/chrony/chrony.conf")
      $0.events.removeLast()
      $0.events += [
        SickMachine.offset(.milliseconds(900), to: "NTP0"),
        SickMachine.fix(of: "/dev/b"),
        .other(SickMachine.report(.milliseconds(200), of: "/dev/b", to: "NTP2")),
      ]
    },
    CheckCase("chrony", is: .hidden("whether gpsd writes to SHM 0, which chrony reads")) {
      $0.earlierSegments = TimeSegments(present: [0, 1])
      $0.laterSegments = $0.earlierSegments
    },
    CheckCase(
      "chrony",
      is: .wrong(
        "/etc/chrony/chrony.conf has 'refclock SHM 0 refid GPS offset 0.155', but chronyd does not run",
        "Start it.")
    ) {
      try $0.fake.end(78)
      try $0.removeSystemd()
    },
    CheckCase(
      "speed", "/dev/ttyACM0",
      is: .wrong(
        "/dev/ttyACM0 was opened at 9600 bps, but gpsd recognised nothing within 16 s",
        Hint.silentReceiver(ofPrivate: true))
    ) {
      // The settings of another gpsd do not matter.
      try $0.fake.run("gpsd", as: 77, "-n -s 4800 /dev/ttyACM0", opening: "/dev/ttyACM0")
      ($0.isPrivate, $0.events) = (true, silent)
    },
    CheckCase("receiver", is: .wrong("gpsd cannot open the receiver", Hint.otherUser)) {
      try $0.removeSystemd()
      $0.events = [SickMachine.answer, SickMachine.receivers("", driver: nil, isActive: false)]
    },
    CheckCase("receiver", is: .well("the receiver reports")) {
      $0.events = [SickMachine.answer, .noFix(NoFix())]
    },
    // Later counts without a list do not retract what was received.
    CheckCase(
      "sky",
      is: .wrong(
        "the receiver has no position, 3 satellites of 8 to 22 dBHz", Hint.weakSignals)
    ) {
      $0.events = [
        SickMachine.answer, SickMachine.receivers(), SickMachine.sky(22, 9, 8, used: 0),
        .sky(SkyView(device: SickMachine.port, seen: 3, used: 0)),
      ]
    },
    // By its almanac
    CheckCase(
      "sky",
      is: .wrong(
        "the receiver has no position, 2 satellites seen, 0 used, the strongest at 0 dBHz",
        Hint.noSatellites)
    ) {
      $0.events = [SickMachine.answer, SickMachine.receivers(), SickMachine.sky(0, 0, used: 0)]
    },
    CheckCase(
      "sky", is: .wrong("the receiver reports that no antenna is connected", "Connect it.")
    ) { $0.events += [SickMachine.fix(antenna: .open), SickMachine.fix()] },
    CheckCase(
      "sky",
      is: .well("the receiver has a 3D fix, 5 satellites seen, 4 used, the strongest at 46 dBHz")
    ) { $0.events += [SickMachine.fix(antenna: .open), SickMachine.fix(antenna: .ok)] },
    CheckCase("jamming", is: .wrong("the receiver reports interference (101 of 255)", quiet)) {
      var noFix = NoFix(device: SickMachine.port)
      noFix.interference = 101
      $0.events = [SickMachine.answer, SickMachine.receivers(), .noFix(noFix)]
    },
    // A receiver that sees satellites knows the date, also without a fix.
    CheckCase(
      "date",
      is: .unknown(
        "the receiver's date is 2026-11-22, but this machine's is 2026-11-20",
        "One of the two is wrong: 'timedatectl' shows whether this machine's clock is set.")
    ) {
      var noFix = NoFix(device: SickMachine.port)
      noFix.time = Samples.time(1, 0).advanced(by: .seconds(2 * 86_400))
      $0.events = [
        SickMachine.answer, SickMachine.receivers(), SickMachine.sky(40, used: 0), .noFix(noFix),
      ]
    },
  ]

  /// Something else than a receiver.
  private static func sends(_ driver: String, _ what: String) -> CheckCase {
    CheckCase(
      "receiver",
      is: .wrong(
        "/dev/ttyACM0 sends \(what) (\(driver)), but no position",
        "It is not a GPS receiver: name another device.")
    ) { $0.events = [SickMachine.answer, SickMachine.receivers(driver: driver)] }
  }

  /// A time that differs from that of the machine, for whichever reason.
  private static func time(late: Duration, _ seen: String) -> CheckCase {
    CheckCase(
      "date",
      is: .unknown(
        seen, "One of the two is wrong: 'timedatectl' shows whether this machine's clock is set.")
    ) { $0.events.append(SickMachine.fix(late: late)) }
  }

  private static func leapSeconds(late: Duration, _ seconds: Int) -> CheckCase {
    CheckCase(
      "date",
      is: .unknown(
        "the receiver's time is \(seconds) s ahead of this machine's, as if the receiver lacked leap seconds",
        "Wait: it receives their number, 18, within 12.5 minutes. If the time is still ahead "
          + "then, this machine's clock may be wrong.")
    ) { $0.events.append(SickMachine.fix(late: late)) }
  }
}
