import LocationCore
import LocationText
import LocwatchSystem

// What can be wrong with the time of a receiver that reports.
extension Check {
  private static let day = 86_400.0
  /// How far the time of a fix may be from the local time, in seconds: a serial line can delay it by more than
  /// one.
  private static let lateness = 2.0
  /// How many leap seconds there are between GPS and UTC (IERS Bulletin C).
  private static let leapSeconds = 18.0

  static let date = Check(
    "date",
    "The date is 1,024 weeks off (old firmware), or the time up to 18 s ahead (no leap seconds).",
    from: .reports,
    wait: { listening in
      // The first fixes can lack the time.
      let lacksTime = listening.conversation.receptions.contains { $0.fix != nil && $0.time == nil }
      return lacksTime ? listening.briefly : nil
    },
    each: { examination in
      examination.findings { _, reception in
        guard let reception, reception.hasSeenSatellites else { return nil }
        guard let time = reception.time else {
          // Before a first fix, it may not know the date yet.
          return reception.fix == nil
            ? nil
            : .unknown(
              "the receiver sends no date (RMC or ZDA), so times are by this machine's clock",
              "Enable one of these sentences in the receiver.")
        }
        let late = time.receiver.nanoseconds(to: time.machine).inSeconds
        if let rollover = time.receiver.rollovers(toClock: time.machine) {
          return .wrong(
            "the receiver's date, \(time.receiver.day), is \(Text.weeks(ofRollover: rollover))",
            "Its firmware is too old: update it, or replace the receiver. Positions are not affected."
          )
        }
        let doubt: Message =
          "One of the two is wrong: 'timedatectl' shows whether this machine's clock is set."
        guard abs(late) < day else {
          return .unknown(
            "the receiver's date is \(time.receiver.day), but this machine's is \(time.machine.day)",
            doubt)
        }
        // Before a first fix, a receiver has the time of its own clock.
        guard reception.fix != nil, abs(late) > lateness else {
          return .well("the receiver's date agrees with this machine's")
        }
        let distance = Text.duration(.seconds(abs(late).rounded()))
        guard late < 0, late > -leapSeconds - 1 else {
          let direction = late < 0 ? "ahead of" : "behind"
          return .unknown("the receiver's time is \(distance) \(direction) this machine's", doubt)
        }
        return .unknown(
          "the receiver's time is \(distance) ahead of this machine's, as if the receiver lacked leap seconds",
          "Wait: it receives their number, 18, within 12.5 minutes. If the time is still ahead "
            + "then, this machine's clock may be wrong.")
      }
    })

  static let pps = Check(
    "pps",
    "No pulses arrive: wrong pin, missing overlay, or a receiver that pulses only with a fix.",
    from: .reports, unless: ["sky", "jamming"],
    wait: { $0.hasPulses ? $0.briefly : nil }
  ) { examination in
    guard let machine = examination.machine else { return nil }
    let pulses = machine.pulses
    guard !pulses.isEmpty else {
      guard machine.wantsPulses else { return nil }
      return .wrong(
        "pulses are wanted, but there is no /dev/pps0",
        machine.isRaspberryPi
          ? "Name the pin of the pulses (here GPIO 18), and reboot:"
          : "Load the driver of the pulses:",
        run: machine.isRaspberryPi
          ? machine.bootConfiguration.map {
            ["echo 'dtoverlay=pps-gpio,gpiopin=18' | sudo tee -a \($0)", "sudo reboot"]
          }
          : ["sudo modprobe pps-ldisc"])
    }
    guard !examination.earlierPulses.isEmpty else { return nil }
    let standing = pulses.filter { examination.earlierPulses[$0.key] == $0.value }.keys.sorted()
    guard standing.count == pulses.count, let name = standing.first else {
      let moving = pulses.keys.filter { !standing.contains($0) }.sorted()
      return .well("pulses come on \(Text.list(moving))")
    }
    // gpsd has the kernel look for pulses on any serial line, also where none are connected.
    guard machine.wantsPulses else { return nil }
    let seen = "no pulse came on /dev/\(name)"
    guard examination.conversation?.reach == .fix else {
      return .unknown("\(seen), but many receivers pulse only with a fix", "Wait for a fix.")
    }
    return .wrong(seen, "Is the receiver's PPS pin connected to the pin that the driver reads?")
  }

  /// How far times over a serial line may be from what chrony expects, in seconds.
  private static let tolerance = 0.2

  static let chrony = Check(
    "chrony",
    "chrony reads a segment that gpsd does not write, or its offset is wrong by more than 0.2 s.",
    from: .reports,
    wait: { $0.wantsOffset && $0.conversation.offset == nil ? $0.briefly : nil }
  ) { examination in
    guard let machine = examination.machine, let settings = ChronySettings(on: machine),
      let (clock, number) = settings.sharedMemory
    else { return nil }
    guard machine.processes.contains(where: { $0.name == "chronyd" }) else {
      return .wrong(
        "\(settings.path) has '\(clock.line)', but chronyd does not run", "Start it:",
        run: machine.hasSystemd ? ["sudo systemctl enable --now chrony"] : nil)
    }
    guard let offset = examination.conversation?.offset(in: number) else { return nil }
    let restart: [ShellText]? =
      machine.hasSystemd ? ["sudo systemctl restart chrony"] : nil
    switch examination.segments.isWritten(number) {
    case nil: return .hidden("whether gpsd writes to SHM \(number), which chrony reads")
    case false?:
      let written = examination.segments.written.min()
      return .wrong(
        "chrony reads SHM \(number), to which gpsd does not write"
          + (written.map { "; it writes to SHM \($0)" } ?? ""),
        written.map {
          "Write 'SHM \($0)' in \(settings.path), in the line '\(clock.line)', and run:"
        }
          ?? "gpsd writes to SHM 0 if root starts it, otherwise to SHM 2; for a pseudo-terminal, to none.",
        run: written == nil ? nil : restart)
    case true?: break
    }
    let late = Text.rounded(offset, places: 3)
    guard abs(offset - clock.offset) > tolerance else {
      return .well("chrony reads SHM \(number); times over the serial line are \(late) s late")
    }
    return .wrong(
      "times over the serial line are \(late) s late, but \(settings.path) says "
        + "\(Text.rounded(clock.offset, places: 3)) s",
      "If this machine's clock is otherwise right, write 'offset \(late)' there, in the line "
        + "'\(clock.line)', and run:",
      run: restart)
  }
}

extension Machine {
  /// The last pulse of each of the kernel's sources, such as `pps0`, by its two edges.
  var pulses: [String: String] {
    let folder = "/sys/class/pps"
    var pulses: [String: String] = [:]
    for name in names(in: folder) {
      let edges = ["assert", "clear"].compactMap { text(of: "\(folder)/\(name)/\($0)") }
      if !edges.isEmpty { pulses[name] = edges.joined() }
    }
    return pulses
  }

  /// Whether something was told to use pulses of the kernel.
  fileprivate var wantsPulses: Bool {
    let told = (bootConfiguration.flatMap { text(of: $0.text) } ?? "").split(separator: "\n")
    return told.contains { $0.hasPrefix("dtoverlay=pps-gpio") }
      || ChronySettings(on: self)?.clocks.contains { clock in
        // gpsd writes the pulses of its first receivers to these.
        clock.driver == "PPS" || clock.driver == "SHM" && ["1", "3"].contains(clock.parameter)
      } == true
  }
}
