import LocationCore

@testable import LocwatchDoctor
@testable import LocwatchSystem

extension CheckCase {
  /// What can be wrong with a receiver and its time, and cannot be played.
  static let ofReceivers: [CheckCase] = [
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
      "receiver", "/dev/ttyACM0", is: .wrong("gpsd cannot open /dev/ttyACM0", Hint.otherUser)
    ) {
      $0.isPrivate = true
      $0.events = [SickMachine.answer, SickMachine.receivers(isActive: false)]
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
    // The clock may be wrong.
    CheckCase(
      "date",
      is: .unknown(
        "the receiver's date is 2026-11-20, but this machine's is 2046-07-06",
        "One of the two is wrong: 'timedatectl' shows whether this machine's clock is set.")
    ) { $0.events.append(SickMachine.fix(late: .seconds(1024 * 7 * 86_400))) },
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
    CheckCase("chrony", is: .hidden("whether gpsd writes to SHM 0, which chrony reads")) {
      $0.earlierSegments = TimeSegments(present: [0, 1])
      $0.laterSegments = $0.earlierSegments
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
    CheckCase("devices", is: .well("gpsd has a receiver and /dev/ttyUSB0")) {
      $0.events = [
        SickMachine.answer, .receivers([Receiver(path: ""), Receiver(path: "/dev/ttyUSB0")]),
      ]
    },
    CheckCase("pps", is: .well("pulses come on pps0")) {
      $0.earlierPulses["pps1"] = "0.000000000#0\n"
      try $0.fake.write("0.000000000#0\n", to: "sys/class/pps/pps1/assert")
    },
    // Their ends count as well.
    CheckCase("pps", is: .well("pulses come on pps0")) {
      $0.earlierPulses = ["pps0": "1800000003.0#10\n"]
      try $0.fake.write("1800000003.1#10\n", to: "sys/class/pps/pps0/clear")
    },
    CheckCase("binary", is: .well("gpsd leaves the protocol of /dev/ttyUSB0 alone (-b)")) {
      $0.events = [
        SickMachine.answer,
        .receivers([
          Receiver(path: SickMachine.port, driver: "NMEA0183"),
          Receiver(path: "/dev/ttyUSB0", driver: "SiRF binary"),
        ]),
      ]
      try $0.fake.run("gpsd", as: 77, "-b /dev/ttyACM0")
    },
  ]
}
