import GPSDLocation
import Glibc
import LocationText
import LocwatchReceivers
import LocwatchSystem

// What can be wrong between a receiver and gpsd.
extension Check {
  static let port = Check(
    "port",
    "gpsd's device does not exist: a replugged receiver can change from ttyACM0 to ttyACM1.",
    unless: ["replug"]
  ) { examination in
    guard let machine = examination.machine, !examination.configured.isEmpty else { return nil }
    let missing = examination.configured.filter { !machine.exists($0) }
    guard let path = missing.first else {
      let verb = examination.configured.count == 1 ? "is" : "are"
      return .well("\(Text.list(examination.configured)) \(verb) there")
    }
    guard !path.unicodeScalars.contains("\u{fffd}") else {
      return .unknown(
        "\(path) is not UTF-8, so locwatch cannot look for it", "Name the receiver by another path."
      )
    }
    // The pins have a check of their own.
    guard !machine.isRaspberryPi || !path.isPathOfPins else { return nil }
    let others = machine.serialPorts.filter { !examination.configured.contains($0.path) }
    guard let other = others.first else {
      return .wrong(
        "\(path) is not there",
        machine.container == nil
          ? "Plug the receiver in."
          : "Plug the receiver in, and pass it to this container, as with --device of docker and podman."
      )
    }
    return .wrong(
      "\(path) is not there, but \(other) is",
      examination.isOfTTY ? "Name that one:" : "Read that one:",
      run: examination.isOfTTY
        ? other.path(on: machine).map { ["locwatch \($0)"] }
        : examination.commands(reading: other))
  }

  static let uart = Check(
    "uart",
    "A Raspberry Pi's serial port is off, or gpsd reads the one of Bluetooth."
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
      // It is not there yet, so nothing can be looked up of it.
      let change = GPSDSettings.command(setting: "DEVICES", to: "/dev/serial0", on: machine)
      return .wrong(
        "\(path) belongs to Bluetooth, and the serial port of the pins is off",
        "Turn it on, and read \(pins):",
        run: ["sudo raspi-config nonint do_serial_hw 0"]
          + (examination.usesSystemd ? [change] : []) + ["sudo reboot"])
    }
    return .wrong(
      "\(path) belongs to Bluetooth; the pins are \(pins)", "Read that one:",
      run: examination.isOfTTY
        ? ["locwatch /dev/serial0"] : examination.commands(reading: pins))
  }

  static let permissions = Check(
    "permissions",
    "gpsd or the user cannot read and write the device."
  ) { examination in
    guard let machine = examination.machine else { return nil }
    let paths = examination.presentPorts
    guard !paths.isEmpty else { return nil }
    if examination.isOfTTY, !examination.isShared {
      guard let identity = machine.identity(ofProcess: "self") else { return nil }
      return permissions(of: identity, as: nil, to: paths, on: machine)
    }
    guard let daemon = examination.daemons.first,
      let identity = machine.identity(ofProcess: "\(daemon.id)")
    else { return nil }
    // It opened the others while it was root.
    let closed = paths.filter { !examination.isOpen($0) }
    guard !closed.isEmpty else { return .well("gpsd can read and write \(Text.list(paths))") }
    return permissions(of: identity, as: daemon, to: closed, on: machine)
  }

  /// - Parameter daemon: The gpsd that a process is; `nil` for locwatch.
  private static func permissions(
    of identity: Identity, as daemon: GPSDProcess?, to paths: [String], on machine: Machine
  ) -> Finding? {
    let files = paths.compactMap { path in machine.permissions(of: path).map { (path, $0) } }
    let who = daemon == nil ? "you" : "gpsd"
    guard let (path, file) = files.first(where: { !identity.mayUse($0.1) }) else {
      return .well("\(who) can read and write \(Text.list(paths))")
    }
    let group = machine.group(file.group)
    let user = machine.name(ofUser: identity.user)
    let name =
      user.flatMap { RootsWord($0, in: "/etc/passwd", on: machine) }
      .map { "\($0)" as ShellText } ?? "$USER"
    guard daemon == nil, file.mode & 0o60 == 0o60, file.group != 0, let group else {
      let joins = daemon == nil && !machine.isMember(identity, ofGroup: "dialout")
      let joining: [ShellText] = joins ? ["sudo adduser \(name) dialout"] : []
      let seen = "\(who) cannot read and write \(path)"
      guard let device = SerialPath(path, on: machine) else {
        let users: Message = file.mode & 0o70 == 0 ? "user has" : "user and its group have"
        return .wrong(seen, "Only its \(users) access.").on(path)
      }
      return .wrong(
        seen,
        joins
          ? "Give it to the group dialout, join that group, then log out and log in again:"
          : "Give it to the group dialout:",
        run: ["sudo chgrp dialout \(device)", "sudo chmod g+rw \(device)"] + joining
      ).on(path)
    }
    let seen = "you cannot use \(path), which belongs to the group \(group.name)"
    guard !group.members.contains(where: { $0 == user ?? "" }) else {
      return .wrong(
        "\(seen): you belong to it from your next login", "Log out and log in again."
      ).on(path)
    }
    return .wrong(
      seen, "Join that group, then log out and log in again:",
      run: RootsWord(group.name, in: "/etc/group", on: machine).map {
        ["sudo adduser \(name) \($0)"]
      }
    ).on(path)
  }

  static let appArmor = Check(
    "apparmor",
    "gpsd's AppArmor profile does not allow the device."
  ) { examination in
    guard let machine = examination.machine,
      let profile = AppArmorProfile(on: machine)
    else { return nil }
    let paths = examination.presentPorts
    guard !paths.isEmpty else { return nil }
    guard let path = paths.first(where: { !profile.allows($0) }) else {
      return .well("gpsd's AppArmor profile lists \(Text.list(paths))")
    }
    switch AppArmorProfile.isEnforced(on: machine) {
    case true? where profile.denies(path):
      return .wrong(
        "a deny rule of gpsd's AppArmor profile forbids \(path)",
        "Remove the rule from the profile or \(AppArmorProfile.localPath), and load it again:",
        run: examination.restart.map { [AppArmorProfile.reload] + $0 }
      ).on(path)
    case true?:
      return .wrong(
        "AppArmor does not let gpsd open \(path)", "Allow it:",
        run: SerialPath(path, on: machine, isNamedByUser: examination.isOfTTY).map { device in
          AppArmorProfile.commands(allowing: device) + (examination.restart ?? [])
        }
      ).on(path)
    case false?: return .well("AppArmor does not enforce gpsd's profile")
    case nil: return .hidden("gpsd's AppArmor profile does not allow \(path), if it is enforced")
    }
  }

  static let console = Check(
    "console",
    "A login or the kernel's messages use the serial port, as on a Raspberry Pi by default."
  ) { examination in
    guard let machine = examination.machine else { return nil }
    let paths = examination.presentPorts
    guard !paths.isEmpty else { return nil }
    for path in paths {
      let name = path.dropFirst("/dev/".count)
      if let process = machine.login(on: String(name)) {
        return .wrong(
          "\(process.name) (process \(process.id)) waits for a login on \(path)", "Stop it:",
          run: machine.hasSystemd
            ? SerialPath(path, on: machine).map {
              ["sudo systemctl disable --now serial-getty@\($0.name).service"]
            } : nil
        ).on(path)
      }
      if let argument = machine.consoles.first(where: { machine.realPath(of: $0.path) == path }) {
        return .wrong(
          "the kernel writes its messages to \(path)",
          machine.commandLine == nil
            ? "Remove \(argument.text) from the kernel's command line, and reboot."
            : "Remove it, and reboot:",
          run: machine.commandLine.flatMap { file in
            RootsWord(argument.text, in: "/proc/cmdline", on: machine).map {
              ["sudo sed -i 's|\($0) *||' \(file)", "sudo reboot"]
            }
          }
        ).on(path)
      }
    }
    return .well("no login and no kernel messages on \(Text.list(paths))")
  }

  /// The kernel's drivers of the serial ports of LTE modems.
  private static let driversOfModems: Set = ["option", "qcserial", "sierra"]

  static let probing = Check(
    "probing",
    "ModemManager or brltty uses the receiver, or a modem's receiver waits for ModemManager."
  ) { examination in
    guard let machine = examination.machine else { return nil }
    let paths = examination.presentPorts.filter { path in
      path.hasPrefix("/dev/ttyACM") || path.hasPrefix("/dev/ttyUSB")
    }
    guard !paths.isEmpty else { return nil }
    let names = ["ModemManager", "brltty"]
    guard let process = machine.processes.first(where: { names.contains($0.name) }) else {
      return .well("neither ModemManager nor brltty runs")
    }
    let told =
      process.name == "ModemManager"
      ? paths.filter { machine.udevProperties(of: $0)["ID_MM_DEVICE_IGNORE"] == "1" } : []
    if told == paths {
      return .well("ModemManager is set to ignore \(Text.list(paths))")
    }
    let silent = paths.filter { !examination.isReporting($0) && !told.contains($0) }
    guard !silent.isEmpty else {
      return .well("\(process.name) runs, but the receiver reports anyway")
    }
    let modems = silent.filter { path in
      machine.udevProperties(of: path)["ID_USB_DRIVER"].map(driversOfModems.contains) ?? false
    }
    if process.name == "ModemManager", !modems.isEmpty {
      return .unknown(
        "\(Text.list(modems)) belongs to a modem, whose receiver may be off",
        "Have ModemManager start it, and leave the port to gpsd:",
        run: ["sudo mmcli -m any --location-enable-gps-unmanaged"])
    }
    return .unknown(
      "\(process.name) runs, and may talk to \(Text.list(silent))",
      "If you do not need it:",
      run: process.name == "brltty"
        ? ["sudo apt remove brltty"]
        : machine.hasSystemd ? ["sudo systemctl disable --now ModemManager"] : nil)
  }

  static let sharing = Check(
    "sharing",
    "Another process, often a second gpsd, takes part of the data."
  ) { examination in
    guard let machine = examination.machine else { return nil }
    let paths = examination.presentPorts
    guard !paths.isEmpty else { return nil }
    var isComplete = true
    for path in paths {
      let all = DeviceHolders(of: path, on: machine)
      isComplete = isComplete && all.isComplete
      let others = examination.others(among: all.holders)
      guard let other = others.first else { continue }
      let names = Text.list(others.map { $0.description(on: machine) })
      let isShared = others.count < all.holders.count
      return .wrong(
        "\(path) is open in \(names)" + (isShared ? " as well as in gpsd" : ""),
        examination.words(for: others),
        run: other.name == "ModemManager" && machine.hasSystemd
          ? ["sudo systemctl disable --now ModemManager"]
          : examination.commands(toEnd: others, holding: path, besideOwn: isShared)
      ).on(path)
    }
    if let second = examination.secondDaemon {
      return .wrong(
        "\(second) reads the same device",
        second.locwatch == nil && (examination.isShared || !examination.isOfTTY)
          ? "End one of the two, or start it without that device."
          : examination.words(for: [second]))
    }
    guard isComplete else { return .hidden("which other processes read \(Text.list(paths))") }
    return .well("no other process reads \(Text.list(paths))")
  }
}

extension Examination {
  /// Whether the command line names a serial device.
  var isOfTTY: Bool { if case .tty = target { true } else { false } }

  /// Those who should not have a device open: all but one gpsd, which may serve another port than that of the
  /// target.
  fileprivate func others(among holders: [DeviceHolders.Holder]) -> [DeviceHolders.Holder] {
    guard !isUnread else { return holders }
    let own =
      holders.first { holder in daemons.contains { $0.id == holder.process } }
      ?? holders.first { !isOfTTY && daemon(among: [$0]) != nil }
    return holders.filter { $0 != own }
  }

  /// Another gpsd that was told to read the same device, and was not started by this process; `nil` if there is none.
  fileprivate var secondDaemon: DeviceHolders.Holder? {
    guard let machine else { return nil }
    let paths = presentPorts
    let readers = machine.daemons.filter { daemon in
      !machine.ancestors(ofProcess: "\(daemon.id)").contains(getpid())
        && daemon.arguments.devices.contains {
          machine.realPath(of: $0).map(paths.contains) ?? false
        }
    }
    guard readers.count > 1 || isOfTTY && !isShared else { return nil }
    return readers.first { isUnread || $0 != daemons.first }
      .map { DeviceHolders.Holder($0.id, on: machine) }
  }

  /// The local gpsd among others.
  private func daemon(among others: [DeviceHolders.Holder]) -> GPSDProcess? {
    machine?.daemons.first { daemon in others.contains { $0.process == daemon.id } }
  }

  /// What to do if others have the device.
  fileprivate func words(for others: [DeviceHolders.Holder]) -> Message {
    if others.contains(where: { $0.locwatch != nil }) {
      return "End that locwatch, or read its output."
    }
    guard isOfTTY, let daemon = daemon(among: others) else {
      return others.count == 1 ? "End that process:" : "End these processes:"
    }
    return daemon.arguments.port == GPSDEndpoint.defaultPort
      ? "Ask that gpsd: 'locwatch --doctor'."
      : "Ask that gpsd: 'locwatch --doctor localhost:\(daemon.arguments.port)'."
  }

  /// Returns the command that ends processes; `nil` unless each of them may be ended.
  ///
  /// - Parameter isBesideOwn: Whether the gpsd that should have the device has it. If it does not, one of the
  ///   others that is named gpsd may be the one.
  fileprivate func commands(
    toEnd others: [DeviceHolders.Holder], holding path: String, besideOwn isBesideOwn: Bool
  ) -> [ShellText]? {
    guard let machine, let device = SerialPath(path, on: machine),
      others.allSatisfy({ $0.locwatch == nil && (isBesideOwn || $0.name != "gpsd") })
    else { return nil }
    let processes = others.compactMap { HoldingProcess($0.process, of: device, on: machine) }
    guard processes.count == others.count else { return nil }
    return ["sudo kill \(ShellText.joined(processes.map { "\($0)" }))"]
  }
}

extension DeviceHolders.Holder {
  /// `cat (process 90)`, `gpsd (process 91) of user 1000`
  fileprivate func description(on machine: Machine) -> String {
    guard name == "gpsd", let user = machine.identity(ofProcess: "\(process)")?.user,
      !machine.trusts(user)
    else { return description }
    return "\(description) of user \(user)"
  }
}

extension String {
  /// Whether the path is one that the serial port of a Raspberry Pi's pins can have.
  fileprivate var isPathOfPins: Bool {
    ["/dev/ttyAMA", "/dev/ttyS", "/dev/serial"].contains { start in
      hasPrefix(start) && dropFirst(start.count).first?.isNumber == true
    }
  }
}
