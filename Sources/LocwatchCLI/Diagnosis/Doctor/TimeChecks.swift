import LocationCore
import LocationFormats

// What can be wrong with the time of a receiver that reports.
extension Check {
  private static let day = 86_400.0

  static let date = Check(
    "date",
    "The receiver's date is 1,024 weeks off, because its firmware is older than the last time that GPS "
      + "counted its weeks from zero again.",
    from: .reports
  ) { examination in
    guard let time = examination.conversation?.time else { return nil }
    let late = time.receiver.nanoseconds(to: time.machine).inSeconds
    if let rollover = time.receiver.rollovers(to: time.machine) {
      return .wrong(
        "the receiver's date, \(time.receiver.day), is \(Text.weeks(ofRollover: rollover))",
        "Its firmware is too old: update it, or replace the receiver. Positions are not affected.")
    }
    guard abs(late) >= day else { return .well("the receiver's date is that of this machine") }
    return .unknown(
      "the receiver's date is \(time.receiver.day), and this machine's is \(time.machine.day)",
      "One of the two is wrong: 'timedatectl' shows whether this machine's clock is set.")
  }

  static let pps = Check(
    "pps",
    "No pulses come: the wrong pin, no overlay for it, or a receiver that pulses with a fix only.",
    from: .reports
  ) { examination in
    guard let machine = examination.machine else { return nil }
    let pulses = machine.pulses
    guard !pulses.isEmpty else {
      guard machine.wantsPulses else { return nil }
      return .wrong(
        "pulses are wanted, but there is no /dev/pps0",
        machine.isRaspberryPi
          ? "Name the pin of the pulses (here GPIO 18), and start again:"
          : "Load the driver of the pulses:",
        run: machine.isRaspberryPi
          ? machine.bootConfiguration.map {
            ["echo 'dtoverlay=pps-gpio,gpiopin=18' | sudo tee -a \($0)", "sudo reboot"]
          } ?? []
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
    guard examination.conversation?.fix != nil else {
      return .unknown("\(seen), and many receivers pulse with a fix only", "Wait for a fix.")
    }
    return .wrong(seen, "Is the receiver's PPS pin connected to the pin that the driver was told?")
  }

  /// How far times over a serial line may be from what chrony expects, in seconds.
  private static let tolerance = 0.2

  static let chrony = Check(
    "chrony",
    "chrony reads another segment of shared memory than gpsd writes, or its offset for the serial line is "
      + "wrong by more than 0.2 s, so its reach stays 0.",
    from: .reports
  ) { examination in
    guard let machine = examination.machine, let settings = ChronySettings(on: machine),
      let clock = settings.clocks.first(where: { $0.driver == "SHM" }),
      let number = Int(clock.parameter)
    else { return nil }
    guard machine.processes.contains(where: { $0.name == "chronyd" }) else {
      return .wrong(
        "\(settings.path) has '\(clock.line)', and chronyd does not run", "Start it:",
        run: ["sudo systemctl enable --now chrony"])
    }
    guard let segments = TimeSegments(on: machine) else {
      return .hidden("whether gpsd and chrony share memory")
    }
    guard segments.isShared(number) else {
      let other = segments.firstUsed.map { $0 == number ? "" : "; it writes to SHM \($0)" } ?? ""
      return .wrong(
        "chrony reads SHM \(number), to which gpsd does not write\(other)",
        "gpsd writes to SHM 0 and 1 if root starts it, and else to 2 and 3. Start it before chrony:",
        run: ["sudo systemctl restart gpsd", "sudo systemctl restart chrony"])
    }
    guard let offset = examination.conversation?.offset else {
      return .well("chrony reads SHM \(number), to which gpsd writes")
    }
    let late = Text.rounded(offset, places: 3)
    guard abs(offset - clock.offset) > tolerance else {
      return .well("chrony reads SHM \(number); times over the serial line are \(late) s late")
    }
    return .wrong(
      "times over the serial line are \(late) s late, and \(settings.path) says "
        + "\(Text.rounded(clock.offset, places: 3)) s",
      "If the clock of this machine is right otherwise, write 'offset \(late)' there, in the line '\(clock.line)', and run:",
      run: ["sudo systemctl restart chrony"])
  }
}

extension Timestamp {
  /// `2006-04-09`
  fileprivate var day: String { String(description.prefix(10)) }
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
    let told = (bootConfiguration.flatMap(text(of:)) ?? "").split(separator: "\n")
    return told.contains { $0.hasPrefix("dtoverlay=pps-gpio") }
      || ChronySettings(on: self)?.clocks.contains { clock in
        // gpsd writes the pulses of its first receivers to these.
        clock.driver == "PPS" || clock.driver == "SHM" && ["1", "3"].contains(clock.parameter)
      } == true
  }
}
