import LocationFormats

// What can be wrong between a receiver and gpsd.
extension Check {
  static let port = Check(
    "port",
    "The device that gpsd was told to read is not there: a receiver that was plugged in again can be "
      + "/dev/ttyACM1 instead of /dev/ttyACM0."
  ) { examination in
    guard let machine = examination.machine, !examination.configured.isEmpty else { return nil }
    let missing = examination.configured.filter { !machine.exists($0) }
    guard let path = missing.first else {
      return .well("\(Text.list(examination.configured)) \(examination.configured.isPlural) there")
    }
    // The pins have a check of their own.
    guard !machine.isRaspberryPi || !path.isPathOfPins else { return nil }
    let others = machine.serialPorts.filter { !examination.configured.contains($0.path) }
    guard let other = others.first else {
      return .wrong("\(path) is not there", "Plug the receiver in.")
    }
    let stable = other.stablePath
    return .wrong(
      "\(path) is not there, but \(other) is",
      examination.isOfTTY ? "Name that one:" : "Read that one:",
      run: examination.isOfTTY
        ? ["locwatch \(stable)"].filter { _ in stable.isPlainInShell }
        : GPSDSettings.commands(reading: stable, on: machine))
  }

  static let uart = Check(
    "uart",
    "On a Raspberry Pi, the serial port of the pins is off, or gpsd reads the one that Bluetooth has."
  ) { examination in
    guard let machine = examination.machine, machine.isRaspberryPi,
      let path = examination.configured.first(where: \.isPathOfPins)
    else { return nil }
    guard let real = machine.realPath(of: path) else {
      return .wrong(
        "\(path) is not there: the serial port of the pins is off", "Turn it on:",
        run: ["sudo raspi-config nonint do_serial_hw 0", "sudo reboot"])
    }
    guard real == machine.realPath(of: "/dev/serial1") else {
      return .well("\(path) is the serial port of the pins")
    }
    let pins = "/dev/serial0"
    guard machine.exists(pins) else {
      return .wrong(
        "\(path) belongs to Bluetooth, and the serial port of the pins is off",
        "Turn it on, and read \(pins):",
        run: ["sudo raspi-config nonint do_serial_hw 0"]
          + GPSDSettings.commands(reading: pins, on: machine) + ["sudo reboot"])
    }
    return .wrong(
      "\(path) belongs to Bluetooth; the pins are \(pins)", "Read that one:",
      run: examination.isOfTTY
        ? ["locwatch \(pins)"] : GPSDSettings.commands(reading: pins, on: machine))
  }

  static let permissions = Check(
    "permissions",
    "gpsd, or the user who runs locwatch, may not read and write the device."
  ) { examination in
    guard let machine = examination.machine else { return nil }
    let paths = examination.presentPorts
    guard !paths.isEmpty else { return nil }
    if examination.isOfTTY {
      guard let identity = machine.identity(ofProcess: "self") else { return nil }
      return permissions(of: identity, as: nil, to: paths, on: machine)
    }
    guard let daemon = examination.daemons.first,
      let identity = machine.identity(ofProcess: "\(daemon.id)")
    else { return nil }
    // It opened them while it was root.
    if examination.isReporting { return .well("gpsd may use \(Text.list(paths))") }
    return permissions(of: identity, as: daemon, to: paths, on: machine)
  }

  /// - Parameter daemon: The gpsd that a process is; `nil` for locwatch.
  private static func permissions(
    of identity: Identity, as daemon: GPSDProcess?, to paths: [String], on machine: Machine
  ) -> Verdict? {
    let files = paths.compactMap { path in machine.permissions(of: path).map { (path, $0) } }
    let who = daemon == nil ? "you" : "gpsd"
    guard let (path, file) = files.first(where: { !identity.mayUse($0.1) }) else {
      return .well("\(who) may use \(Text.list(paths))")
    }
    let group = machine.group(file.group)
    let user = machine.name(ofUser: identity.user)
    guard daemon == nil, file.mode & 0o60 == 0o60, file.group != 0, let group else {
      let joins = daemon == nil && !machine.isMember(identity, ofGroup: "dialout")
      let giving =
        path.isPlainInShell ? ["sudo chgrp dialout \(path)", "sudo chmod g+rw \(path)"] : []
      return .wrong(
        "\(who) may not read and write \(path)",
        joins
          ? "Give it to the group dialout and join that, then log out and log in again:"
          : "Give it to the group dialout:",
        run: giving + (joins ? ["sudo adduser \(user ?? "$USER") dialout"] : []))
    }
    let seen = "you may not use \(path), which belongs to the group \(group.name)"
    guard !group.members.contains(where: { $0 == user ?? "" }) else {
      return .wrong(
        "\(seen): you are in it from the next login on", "Log out, and log in again.")
    }
    return .wrong(
      seen, "Join that group, then log out and log in again:",
      run: ["sudo adduser \(user ?? "$USER") \(group.name)"])
  }

  static let appArmor = Check(
    "apparmor",
    "AppArmor does not let gpsd open the device, because gpsd's profile does not list it."
  ) { examination in
    guard let machine = examination.machine,
      let profile = AppArmorProfile(on: machine, assumingEnforced: true)
    else { return nil }
    let paths = examination.presentPorts
    guard !paths.isEmpty else { return nil }
    guard let path = paths.first(where: { !profile.allows($0) }) else {
      return .well("gpsd's profile of AppArmor lists \(Text.list(paths))")
    }
    switch AppArmorProfile.isEnforced(on: machine) {
    case true?:
      return .wrong(
        "AppArmor does not let gpsd open \(path)", "Allow it:",
        run: AppArmorProfile.commands(allowing: path))
    case false?: return .well("AppArmor does not enforce gpsd's profile")
    case nil: return .hidden("gpsd's profile of AppArmor does not list \(path), if it is enforced")
    }
  }

  static let console = Check(
    "console",
    "A login or the kernel's messages use the same serial port, as they do on a Raspberry Pi by default."
  ) { examination in
    guard let machine = examination.machine else { return nil }
    let paths = examination.presentPorts
    guard !paths.isEmpty else { return nil }
    for path in paths {
      let name = path.dropFirst("/dev/".count)
      if let process = machine.login(on: String(name)) {
        return .wrong(
          "\(process.name) (process \(process.id)) waits for a login on \(path)", "End that:",
          run: path.isPlainInShell
            ? ["sudo systemctl disable --now serial-getty@\(name).service"] : [])
      }
      if let argument = machine.consoles.first(where: { machine.realPath(of: $0.path) == path }) {
        return .wrong(
          "the kernel writes its messages to \(path)",
          machine.commandLine == nil
            ? "Remove \(argument.text) from the command line of the kernel, and start again."
            : "Remove that, and start again:",
          run: machine.commandLine.map {
            ["sudo sed -i 's|\(argument.text) *||' \($0)", "sudo reboot"]
          } ?? [])
      }
    }
    return .well("no login and no messages of the kernel on \(Text.list(paths))")
  }

  static let probing = Check(
    "probing",
    "ModemManager or brltty takes the receiver for a modem or a display, and talks to it."
  ) { examination in
    guard let machine = examination.machine else { return nil }
    let paths = examination.presentPorts.filter(\.isPathOfUSB)
    guard !paths.isEmpty else { return nil }
    let names = ["ModemManager", "brltty"]
    guard let process = machine.processes.first(where: { names.contains($0.name) }) else {
      return .well("neither ModemManager nor brltty runs")
    }
    let told = paths.filter { machine.udevProperties(of: $0)["ID_MM_DEVICE_IGNORE"] == "1" }
    if process.name == "ModemManager", told == paths {
      return .well("ModemManager was told to ignore \(Text.list(paths))")
    }
    if examination.isReporting {
      return .well("\(process.name) runs, and the receiver reports all the same")
    }
    return .unknown(
      "\(process.name) runs, and may talk to \(Text.list(paths.filter { !told.contains($0) }))",
      "If you need none of it:",
      run: [
        process.name == "brltty"
          ? "sudo apt remove brltty" : "sudo systemctl disable --now ModemManager"
      ])
  }

  static let sharing = Check(
    "sharing",
    "Another process, often a second gpsd, reads the same device; each gets a part of what is sent."
  ) { examination in
    guard let machine = examination.machine else { return nil }
    // The other end of a pseudo-terminal may well have this one open, too.
    let paths = examination.presentPorts.filter { !$0.hasPrefix("/dev/pts/") }
    guard !paths.isEmpty else { return nil }
    var isComplete = true
    for path in paths {
      let all = DeviceHolders(of: path, on: machine)
      isComplete = isComplete && all.isComplete
      let others = examination.others(among: all.holders)
      guard let other = others.first else { continue }
      let names = Text.list(others.map(\.description))
      let isShared = others.count < all.holders.count
      return .wrong(
        "\(path) is open in \(names)" + (isShared ? " as well as in gpsd" : ""),
        others.count == 1 ? "End that process:" : "End these processes:",
        run: other.name == "ModemManager"
          ? ["sudo systemctl disable --now ModemManager"]
          : ["sudo kill \(others.map { "\($0.process)" }.joined(separator: " "))"])
    }
    if let second = examination.secondDaemon {
      return .wrong(
        "a second gpsd (process \(second.id)) reads the same device", "End it:",
        run: ["sudo kill \(second.id)"])
    }
    guard isComplete else { return .hidden("which other processes read \(Text.list(paths))") }
    return .well("no other process reads \(Text.list(paths))")
  }
}

extension Examination {
  /// Whether the command line names a serial device.
  var isOfTTY: Bool { if case .tty = target { true } else { false } }

  /// Those who should not have a device open: all but one gpsd.
  fileprivate func others(among holders: [DeviceHolders.Holder]) -> [DeviceHolders.Holder] {
    let own =
      holders.first { holder in daemons.contains { $0.id == holder.process } }
      ?? holders.first { $0.name == "gpsd" }
    return holders.filter { $0 != own }
  }

  /// Another gpsd that was told to read the same device; `nil` if there is none.
  fileprivate var secondDaemon: GPSDProcess? {
    guard let machine else { return nil }
    let paths = presentPorts
    let readers = machine.processes.compactMap(GPSDProcess.init).filter { daemon in
      daemon.arguments.devices.contains { machine.realPath(of: $0).map(paths.contains) ?? false }
    }
    return readers.count > 1 ? readers.first { $0 != daemons.first } : nil
  }
}

extension [String] {
  /// `is` or `are`.
  fileprivate var isPlural: String { count == 1 ? "is" : "are" }
}

extension String {
  /// Whether the path is one that the serial port of a Raspberry Pi's pins can have.
  fileprivate var isPathOfPins: Bool {
    ["/dev/ttyAMA", "/dev/ttyS", "/dev/serial"].contains { start in
      hasPrefix(start) && dropFirst(start.count).first?.isNumber == true
    }
  }

  /// Whether the path is that of a serial device on USB.
  fileprivate var isPathOfUSB: Bool { hasPrefix("/dev/ttyACM") || hasPrefix("/dev/ttyUSB") }
}
